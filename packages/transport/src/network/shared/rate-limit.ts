/** A token bucket: allows `burst` events at once, and `perSecond` of them in the long run. */
export class RateLimit {
  readonly #burst: number
  readonly #perSecond: number
  #left: number
  #atMs = 0

  constructor(burst: number, perSecond: number) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#left = burst
  }

  /** Returns false for an event beyond the limit. */
  take(nowMs: number): boolean {
    this.#refill(nowMs)
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }

  /** Whether it is as new, so that nobody gains anything if it is forgotten. */
  isFull(nowMs: number): boolean {
    this.#refill(nowMs)
    return this.#left === this.#burst
  }

  #refill(nowMs: number): void {
    this.#left = Math.min(this.#burst, this.#left + ((nowMs - this.#atMs) / 1000) * this.#perSecond)
    this.#atMs = nowMs
  }
}
