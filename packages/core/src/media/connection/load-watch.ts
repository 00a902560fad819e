/** Decides from the timers of this page how much video it can send without harm to sound and to the conference. */

/** Share of its turns below which the machine is overloaded. */
export const OVERLOADED_SHARE = 0.5
/** Share below which there is no time for steps: connections end when their heartbeats are late. */
export const STARVED_SHARE = 0.25
/** Share of its turns above which the machine may have room for more. */
export const CALM_SHARE = 0.85
/** Looks in a row that must be calm before more is sent. They double if that was too much, up to the maximum. */
export const CALM_LOOKS = 3
const CALM_LOOKS_MAX = 48
/** Looks after which an overload has nothing to do with what was added before. */
const TRIAL_LOOKS = 5

/** 0: video is sent as the call allows. Each step above it sends less. */
export type LoadLevel = 0 | 1 | 2 | 3
const LEAST: LoadLevel = 3

export class LoadWatch {
  #level: LoadLevel = 0
  #calm = 0
  #needed = CALM_LOOKS
  #sinceRaised = Infinity

  get level(): LoadLevel {
    return this.#level
  }

  /**
   * Call it every two seconds or so. Returns whether the level has changed.
   * @param share of the turns that a timer had in this time, 0 to 1. A machine with time to spare gives it all.
   */
  step(share: number): boolean {
    const before = this.#level
    this.#sinceRaised++
    this.#calm = share >= CALM_SHARE ? this.#calm + 1 : 0
    if (share < OVERLOADED_SHARE && this.#level < LEAST) {
      if (this.#sinceRaised <= TRIAL_LOOKS) this.#needed = Math.min(2 * this.#needed, CALM_LOOKS_MAX)
      this.#sinceRaised = Infinity
      this.#level = share < STARVED_SHARE ? LEAST : ((this.#level + 1) as LoadLevel)
    } else if (this.#calm >= this.#needed && this.#level > 0) {
      this.#level = (this.#level - 1) as LoadLevel
      this.#calm = this.#sinceRaised = 0
    }
    return this.#level !== before
  }
}
