import { LINK_BYTES_FIRST, LINK_BYTES_MAX, LINK_BYTES_MIN } from "./bounds.ts"

const LOOK_MS = 1000

/**
 * How much may wait on one link: about what it carries in a second, so that what is said next is not late by more than
 * that, whatever the link is like. Less than that is seen only while something always waits; a link that runs empty may have
 * more. What it has carried within a second it may have at once: a fast one must not wait for seconds to be taken for one.
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
    this.#bytes = Math.min(LINK_BYTES_MAX, Math.max(this.#bytes, this.#acknowledged))
    if (waiting === 0) this.#ranEmpty = true
  }

  tick(nowMs: number, waiting: number): void {
    if (waiting === 0) this.#ranEmpty = true
    this.#sinceMs ??= nowMs
    const forMs = nowMs - this.#sinceMs
    if (forMs < LOOK_MS) return
    const next = this.#ranEmpty ? 2 * this.#bytes : (this.#acknowledged * 1000) / forMs
    this.#bytes = Math.min(LINK_BYTES_MAX, Math.max(LINK_BYTES_MIN, next))
    this.#acknowledged = 0
    this.#ranEmpty = waiting === 0
    this.#sinceMs = nowMs
  }
}
