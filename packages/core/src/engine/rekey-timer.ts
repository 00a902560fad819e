import type { MemberId, View } from "@keymoot/transport"

/** W of the key agreement's documentation: within this much activity every member's share is made anew. */
const WINDOW_MS = 60 * 60 * 1000
const INTERVAL_MS_MIN = 60 * 1000
const INTERVAL_MS_MAX = 10 * 60 * 1000
/**
 * An agreement that has not ended by then is begun again; honest ones take less than a second. Who is silent in it is left out
 * before (secure-group/lateness.ts): this is for what nobody can be blamed for.
 */
const STALLED_MS = 8000
/** The lowest member should have begun it again long ago. */
const LOWEST_FAILS_MS = 3 * STALLED_MS

/**
 * refresh: this member, the lowest, should ask for a new key; stalled: the agreement does not come to its end, so it is
 * begun again; lowest-fails: and the lowest does nothing about it.
 */
export type RekeyCause = "refresh" | "stalled" | "lowest-fails"

/** When a view wants a new key: by turns, the oldest shares first, as long as something is said; and when it gets none. */
export class RekeyTimer {
  #secured = false
  #active = false
  #sinceMs: number | null = null
  #stalled = false

  onStatus(status: "agreeing" | "keyed" | "secured"): void {
    if (status === "keyed") return
    this.#secured = status === "secured"
    this.#active = false
    this.#sinceMs = null
    this.#stalled = false
  }

  onActivity(): void {
    this.#active = true
  }

  due(nowMs: number, view: View, self: MemberId): RekeyCause | null {
    if (view.attachments.size === 0) return null
    this.#sinceMs ??= nowMs
    const elapsedMs = nowMs - this.#sinceMs
    return this.#secured ? this.#dueWhenSecured(nowMs, elapsedMs, view, self) : this.#dueWhenAgreeing(nowMs, elapsedMs)
  }

  #dueWhenSecured(nowMs: number, elapsedMs: number, view: View, self: MemberId): RekeyCause | null {
    const intervalMs = Math.max(INTERVAL_MS_MIN, Math.min(INTERVAL_MS_MAX, WINDOW_MS / view.members.length))
    if (view.members[0]?.id !== self || !this.#active || elapsedMs < intervalMs) return null
    this.#sinceMs = nowMs
    return "refresh"
  }

  #dueWhenAgreeing(nowMs: number, elapsedMs: number): RekeyCause | null {
    if (elapsedMs >= LOWEST_FAILS_MS) {
      this.#sinceMs = nowMs
      this.#stalled = false
      return "lowest-fails"
    }
    if (this.#stalled || elapsedMs < STALLED_MS) return null
    this.#stalled = true
    return "stalled"
  }
}
