/** `burst` at once, `perSecond` in the long run. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** A token bucket, full at first. `nowMs` comes from a clock that never goes back. */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #atMs: number

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#atMs = nowMs
  }

  /** Takes `count` tokens, or answers false and takes nothing. */
  take(nowMs: number, count = 1): boolean {
    if (this.balance(nowMs) < count) return false
    this.#tokens -= count
    return true
  }

  /** Takes tokens for what has happened already, into debt if need be, but not deeper than one burst. */
  spend(nowMs: number, count: number): void {
    this.#tokens = Math.max(this.balance(nowMs) - count, -this.#rate.burst)
  }

  /** What is left; negative is a debt. */
  balance(nowMs: number): number {
    const refill = ((nowMs - this.#atMs) / 1000) * this.#rate.perSecond
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + refill)
    this.#atMs = nowMs
    return this.#tokens
  }

  isFull(nowMs: number): boolean {
    return this.balance(nowMs) >= this.#rate.burst
  }
}

/** For what is delayed rather than refused: `burst` at once, the rest at `perSecond`. */
export class Pace {
  readonly #rate: Rate
  /** When everything so far will have been let through and the burst is whole again. */
  #wholeAtMs: number

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate
    this.#wholeAtMs = nowMs
  }

  /** How long `count` tokens, behind all that were asked for before, have to wait. */
  waitMs(nowMs: number, count: number): number {
    const { burst, perSecond } = this.#rate
    this.#wholeAtMs = Math.max(this.#wholeAtMs, nowMs) + (count / perSecond) * 1000
    return Math.max(0, this.#wholeAtMs - nowMs - (burst / perSecond) * 1000)
  }
}
