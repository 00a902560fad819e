import type { MemberId, View } from "@keymoot/transport"

/** W of docs/key-agreement.md: with activity, every member's share is renewed within this time. */
const WINDOW_MS = 60 * 60 * 1000
const INTERVAL_MS_MIN = 60 * 1000
const INTERVAL_MS_MAX = 10 * 60 * 1000
/**
 * Timeout after which an agreement restarts. Honest ones take less than a second. A silent member is left out earlier
 * (secure-group/stall-budget.ts). This timeout covers stalls without a culprit.
 */
const STALLED_MS = 8000
/** Timeout after which another member restarts the agreement, because the lowest one failed to. */
const LOWEST_FAILS_MS = 3 * STALLED_MS

/**
 * - refresh: this member is the lowest and should start a rekey.
 * - stalled: the agreement does not end, so it restarts.
 * - lowest-fails: it does not end, and the lowest member does not restart it.
 */
export type RekeyCause = "refresh" | "stalled" | "lowest-fails"

/**
 * Decides when a view needs a new key: periodically while there is activity, oldest shares first, and after a stalled
 * agreement.
 */
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
