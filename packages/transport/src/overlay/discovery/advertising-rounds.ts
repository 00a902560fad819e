import { ADVERTISE_MS, EAGERNESS_MAX, EMPTY_ROUNDS, ROUND_MS } from "../../bounds/overlay-bounds.ts"

/** Decides when a member advertises on the bus, and how eagerly others are asked to answer. */
export class AdvertisingRounds {
  /** Uniform in [0, 1). */
  readonly #random: () => number
  #nextAtMs = 0
  #answered = false
  #empty = 0
  #eagerness = 1

  constructor(random: () => number) {
    this.#random = random
  }

  /** Another member has begun a handshake. */
  onRequest(): void {
    this.#answered = true
  }

  /**
   * The eagerness of an advertisement that is due, or null if none is. It grows with rounds without a handshake. Then
   * the others were unlucky, or count more members than there are.
   */
  advertise(nowMs: number, missing: boolean): number | null {
    if (nowMs < this.#nextAtMs) return null
    if (this.#answered || !missing) {
      this.#empty = 0
      this.#eagerness = 1
    } else if (++this.#empty > EMPTY_ROUNDS) {
      this.#empty = 1
      this.#eagerness = Math.min(EAGERNESS_MAX, 2 * this.#eagerness)
    }
    this.#answered = false
    this.#nextAtMs = nowMs + (missing ? ROUND_MS : ADVERTISE_MS) * (0.75 + 0.5 * this.#random())
    return this.#eagerness
  }
}
