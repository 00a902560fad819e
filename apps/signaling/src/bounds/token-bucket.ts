/** `burst` at once, `perSecond` in the long run. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

export function scaled({ burst, perSecond }: Rate, factor: number): Rate {
  return { burst: burst * factor, perSecond: perSecond * factor }
}

/** A token bucket, initially full. `nowMs` must come from a monotonic clock. */
export class TokenBucket {
  readonly #rate: Rate
  #tokens: number
  #atMs: number

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate
    this.#tokens = rate.burst
    this.#atMs = nowMs
  }

  /** Takes `count` tokens, or returns false and takes none. */
  take(nowMs: number, count = 1): boolean {
    if (this.balance(nowMs) < count) return false
    this.#tokens -= count
    return true
  }

  /**
   * Takes tokens for something that has already happened. The bucket may go into debt, but not deeper than one burst.
   * Returns whether the debt is smaller than that.
   */
  spend(nowMs: number, count: number): boolean {
    this.#tokens = Math.max(this.balance(nowMs) - count, -this.#rate.burst)
    return this.#tokens > -this.#rate.burst
  }

  /** The tokens that are left. A negative number is a debt. */
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

/** A rate limit that delays instead of refusing: `burst` at once, the rest at `perSecond`. */
export class Shaper {
  readonly #rate: Rate
  /** When all accepted tokens will have passed and the burst is full again. */
  #wholeAtMs: number

  constructor(rate: Rate, nowMs: number) {
    this.#rate = rate
    this.#wholeAtMs = nowMs
  }

  /** How long `count` tokens have to wait behind all earlier ones. */
  waitMs(nowMs: number, count: number): number {
    const { burst, perSecond } = this.#rate
    this.#wholeAtMs = Math.max(this.#wholeAtMs, nowMs) + (count / perSecond) * 1000
    return Math.max(0, this.#wholeAtMs - nowMs - (burst / perSecond) * 1000)
  }
}
