import { ACK_BEHIND_BYTES_MAX, ACK_PATIENCE_MS, SLOWEST_LINE, STALL_MS } from "../../bounds/network-bounds.ts"
import type { ReliableSession } from "./reliable-session.ts"

/** All messages that waited at one time, up to this number, the time at which they are due, and what may delay them. */
type Owed = { readonly upTo: number; readonly dueMs: number; aheadBytes: number }

/**
 * Deadline for the acknowledgements of a link. All messages that wait become due together, and only their complete
 * acknowledgement begins another deadline. Otherwise a member could acknowledge one message now and then, and keep the
 * window of the link full for ever.
 *
 * All links of a member share its line. So an honest acknowledgement may wait behind the traffic of other links, and
 * that extends the deadline up to `ACK_BEHIND_BYTES_MAX`.
 */
export class AckDeadline {
  #owed: Owed | null = null
  /** Bytes that the slowest line would not have carried yet. */
  #aheadBytes = 0
  #tickMs = 0

  /** Call when another session begins. */
  restart(): void {
    this.#owed = null
  }

  /** Authentic bytes, beside the messages of the session, that the peer's or the own line may have to carry first. */
  delayedBy(bytes: number): void {
    this.#aheadBytes = Math.min(this.#aheadBytes + bytes, ACK_BEHIND_BYTES_MAX)
    if (this.#owed) this.#owed.aheadBytes = Math.min(this.#owed.aheadBytes + bytes, ACK_BEHIND_BYTES_MAX)
  }

  /** Whether the deadline is over. Call with each tick. */
  isOver({ next, unacked, unackedBytes }: ReliableSession, nowMs: number): boolean {
    const passedMs = nowMs - this.#tickMs
    this.#tickMs = nowMs
    this.#aheadBytes = Math.max(0, this.#aheadBytes - passedMs * SLOWEST_LINE)
    // After such a gap this device has slept, and the other end had no chance to acknowledge.
    if (passedMs > STALL_MS / 2 || unacked.length === 0) this.#owed = null
    if (unacked.length > 0 && (this.#owed === null || next > this.#owed.upTo)) {
      this.#owed = {
        upTo: next + unacked.length - 1,
        dueMs: nowMs + ACK_PATIENCE_MS + unackedBytes / SLOWEST_LINE,
        aheadBytes: this.#aheadBytes,
      }
    }
    return this.#owed !== null && nowMs > this.#owed.dueMs + this.#owed.aheadBytes / SLOWEST_LINE
  }
}
