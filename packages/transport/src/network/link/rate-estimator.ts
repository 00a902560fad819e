import { LINK_BYTES_FIRST, LINK_BYTES_MAX, LINK_BYTES_MIN } from "../../bounds/network-bounds.ts"

const LOOK_MS = 1000
/** Share of the acknowledged bytes by which the window grows. */
const GROWTH = 1 / 4

/**
 * Estimates the window of one link: about the bytes that it carries in a second. So a new message waits for at most
 * about a second, whatever the link's rate. A rate below the window shows only while the queue is never empty.
 *
 * The window grows with the bytes acknowledged within a second, but gradually. On a path with a short round trip SCTP
 * doubles its sending rate with each acknowledgement until packets are lost. If a thousand are lost together, timeouts
 * of seconds follow.
 */
export class RateEstimator {
  #bytes = LINK_BYTES_FIRST
  #acknowledged = 0
  /** Bytes that were acknowledged in the second before this one. */
  #carried = 0
  /** The same of the second before. */
  #carriedBefore = 0
  #ranEmpty = true
  #sinceMs: number | null = null

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Whether more than the first window was acknowledged in each of the last two seconds. One second alone shows no
   * rate, since an acknowledgement may cover a message that has taken many.
   */
  get isFast(): boolean {
    return Math.min(this.#carried, this.#carriedBefore) > LINK_BYTES_FIRST
  }

  /** `waiting`: bytes that are not acknowledged yet. */
  acknowledged(bytes: number, waiting: number): void {
    this.#acknowledged += bytes
    const grown = Math.min(LINK_BYTES_MAX, this.#acknowledged, this.#bytes + bytes * GROWTH)
    this.#bytes = Math.max(this.#bytes, grown)
    if (waiting === 0) this.#ranEmpty = true
  }

  tick(nowMs: number, waiting: number): void {
    if (waiting === 0) this.#ranEmpty = true
    this.#sinceMs ??= nowMs
    const forMs = nowMs - this.#sinceMs
    if (forMs < LOOK_MS) return
    this.#carriedBefore = this.#carried
    this.#carried = (this.#acknowledged * 1000) / forMs
    // A link whose queue runs empty does not show its rate, so the window returns to its initial size.
    if (this.#ranEmpty) this.#bytes = Math.max(this.#bytes, Math.min(2 * this.#bytes, LINK_BYTES_FIRST))
    else this.#bytes = Math.max(LINK_BYTES_MIN, Math.min(this.#bytes, this.#carried))
    this.#acknowledged = 0
    this.#ranEmpty = waiting === 0
    this.#sinceMs = nowMs
  }
}
