import { EAGERNESS_MAX, EMPTY_ROUNDS } from "../../bounds/overlay-bounds.ts"
import type { DiscoveryParameters } from "./parameters.ts"

/** Decides when a member advertises on the bus, and how eagerly others are asked to answer. */
export class AdvertisingRounds {
  /** Uniform in [0, 1). */
  readonly #random: () => number
  readonly #parameters: DiscoveryParameters
  #nextAtMs = 0
  #answered = false
  #empty = 0
  #eagerness = 1

  constructor(random: () => number, parameters: DiscoveryParameters) {
    this.#random = random
    this.#parameters = parameters
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
    const { roundMs, advertiseMs } = this.#parameters
    this.#nextAtMs = nowMs + (missing ? roundMs : advertiseMs) * (0.75 + 0.5 * this.#random())
    return this.#eagerness
  }
}
