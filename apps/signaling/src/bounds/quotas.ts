import { type Rate, scaled, TokenBucket } from "./token-bucket.ts"

/** Network addresses with a remembered quota. Those whose quota is full again are evicted first. */
const ADDRESSES_MAX = 50_000

/** The recent use by each key, such as a network address over all its connections. A new connection inherits it. */
export class Quotas {
  readonly #rate: Rate
  readonly #keysMax: number
  readonly #buckets = new Map<string, TokenBucket>()

  /** @param scale multiplies the rate */
  constructor(rate: Rate, scale: number, keysMax = ADDRESSES_MAX) {
    this.#rate = scaled(rate, scale)
    this.#keysMax = keysMax
  }

  /** Beyond the bound a new key gets a temporary quota. The limits of its connection apply all the same. */
  of(key: string): TokenBucket {
    return this.find(key) ?? new TokenBucket(this.#rate, performance.now())
  }

  /** null for a new key beyond the bound. */
  find(key: string): TokenBucket | null {
    const nowMs = performance.now()
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    if (this.#buckets.size >= this.#keysMax) {
      for (const [other, bucket] of this.#buckets) if (bucket.isFull(nowMs)) this.#buckets.delete(other)
    }
    if (this.#buckets.size >= this.#keysMax) return null
    const bucket = new TokenBucket(this.#rate, nowMs)
    this.#buckets.set(key, bucket)
    return bucket
  }
}
