import type { MemberId, View } from "@keymoot/transport"

/** W of the key agreement's documentation: within this much activity every member's share is made anew. */
const WINDOW_MS = 60 * 60 * 1000
const INTERVAL_MS_MIN = 60 * 1000
const INTERVAL_MS_MAX = 10 * 60 * 1000
/** An agreement that has not ended by then is begun again; honest ones take less than a second. */
const STALLED_MS = 8000
/** The lowest member should have begun it again long ago. */
const LOWEST_FAILS_MS = 3 * STALLED_MS

/**
 * When the lowest member of a view should ask for a new key: by turns, the oldest shares first, as long as something is
 * said; and when an agreement does not come to its end.
 */
export class RekeyTimer {
  #secured = false
  #active = false
  #sinceMs: number | null = null

  onStatus(status: "agreeing" | "keyed" | "secured"): void {
    if (status === "keyed") return
    this.#secured = status === "secured"
    this.#active = false
    this.#sinceMs = null
  }

  onActivity(): void {
    this.#active = true
  }

  due(nowMs: number, view: View, self: MemberId): "refresh" | "lowest-fails" | null {
    if (view.attachments.size === 0) return null
    this.#sinceMs ??= nowMs
    const elapsedMs = nowMs - this.#sinceMs
    const due = view.members[0]?.id === self ? this.#dueAtLowest(elapsedMs, view) : this.#dueAtOthers(elapsedMs)
    if (due) this.#sinceMs = nowMs
    return due
  }

  #dueAtLowest(elapsedMs: number, view: View): "refresh" | null {
    const intervalMs = Math.max(INTERVAL_MS_MIN, Math.min(INTERVAL_MS_MAX, WINDOW_MS / view.members.length))
    const due = this.#secured ? this.#active && elapsedMs >= intervalMs : elapsedMs >= STALLED_MS
    return due ? "refresh" : null
  }

  #dueAtOthers(elapsedMs: number): "lowest-fails" | null {
    return !this.#secured && elapsedMs >= LOWEST_FAILS_MS ? "lowest-fails" : null
  }
}
