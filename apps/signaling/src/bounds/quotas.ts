import { type Rate, scaled, TokenBucket } from "./token-bucket.ts"

/** Network addresses with a remembered quota. Those whose quota is full again are evicted first. */
const ADDRESSES_MAX = 50_000

/** The recent use of each network address over all its connections. A new connection inherits it. */
export class Quotas {
  readonly #rate: Rate
  readonly #buckets = new Map<string, TokenBucket>()

  /** @param scale multiplies the rate */
  constructor(rate: Rate, scale: number) {
    this.#rate = scaled(rate, scale)
  }

  of(address: string): TokenBucket {
    const nowMs = performance.now()
    const known = this.#buckets.get(address)
    if (known !== undefined) return known
    if (this.#buckets.size >= ADDRESSES_MAX) {
      for (const [key, bucket] of this.#buckets) if (bucket.isFull(nowMs)) this.#buckets.delete(key)
    }
    const bucket = new TokenBucket(this.#rate, nowMs)
    // Beyond the bound a new address gets a temporary quota. The limits of its connection apply all the same.
    if (this.#buckets.size < ADDRESSES_MAX) this.#buckets.set(address, bucket)
    return bucket
  }
}
