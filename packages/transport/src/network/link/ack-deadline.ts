import { ACK_BEHIND_BYTES_MAX, ACK_PATIENCE_MS, SLOWEST_LINE, STALL_MS } from "../../bounds/network-bounds.ts"
import type { ReliableSession } from "./reliable-session.ts"

/** All messages that waited at one time, up to this number, and the time at which they are due. */
type Owed = { readonly upTo: number; readonly dueMs: number }

/**
 * Deadline for the acknowledgements of a link. All messages that wait become due together, and only their complete
 * acknowledgement begins another deadline. Otherwise a member could acknowledge one message now and then, and keep the
 * window of the link full for ever.
 *
 * An honest peer's acknowledgement may wait behind what that peer sends, if its line is slow. So received bytes extend
 * the deadline.
 */
export class AckDeadline {
  #owed: Owed | null = null
  #heardBytes = 0
  #tickMs = 0

  /** Call when another session begins. */
  restart(): void {
    this.#owed = null
  }

  /** Authentic bytes of the peer, also those of an unfinished message. */
  heard(bytes: number): void {
    this.#heardBytes += bytes
  }

  /** Whether the deadline is over. Call with each tick. */
  isOver({ next, unacked, unackedBytes }: ReliableSession, nowMs: number): boolean {
    // After such a gap this device has slept, and the other end had no chance to acknowledge.
    const slept = nowMs - this.#tickMs > STALL_MS / 2
    this.#tickMs = nowMs
    if (slept || unacked.length === 0) this.#owed = null
    if (unacked.length > 0 && (this.#owed === null || next > this.#owed.upTo)) {
      this.#owed = {
        upTo: next + unacked.length - 1,
        dueMs: nowMs + ACK_PATIENCE_MS + unackedBytes / SLOWEST_LINE,
      }
      this.#heardBytes = 0
    }
    const extensionMs = Math.min(this.#heardBytes, ACK_BEHIND_BYTES_MAX) / SLOWEST_LINE
    return this.#owed !== null && nowMs > this.#owed.dueMs + extensionMs
  }
}
