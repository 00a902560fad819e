import { LINK_BYTES_FIRST, LINK_BYTES_MAX, LINK_BYTES_MIN } from "./bounds.ts"

const LOOK_MS = 1000
/** Of what is acknowledged: a full window lets the next one be so much larger. */
const GROWTH = 1 / 4

/**
 * How much may wait on one link: about what it carries in a second, so that what is said next is not late by more than
 * that, whatever the link is like. Less than that is seen only while something always waits.
 *
 * It grows with what the link has carried within a second, but not at once: on a short way SCTP doubles what it sends with each
 * answer until something is lost, and if a thousand packets are lost together, time-outs of seconds follow.
 */
export class Pace {
  #bytes = LINK_BYTES_FIRST
  #acknowledged = 0
  #ranEmpty = true
  #sinceMs: number | null = null

  get bytes(): number {
    return this.#bytes
  }

  /** `waiting`: bytes that are still under way. */
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
    const carried = (this.#acknowledged * 1000) / forMs
    // Of one that runs empty nothing is known: as at the beginning.
    if (this.#ranEmpty) this.#bytes = Math.max(this.#bytes, Math.min(2 * this.#bytes, LINK_BYTES_FIRST))
    else this.#bytes = Math.max(LINK_BYTES_MIN, Math.min(this.#bytes, carried))
    this.#acknowledged = 0
    this.#ranEmpty = waiting === 0
    this.#sinceMs = nowMs
  }
}
