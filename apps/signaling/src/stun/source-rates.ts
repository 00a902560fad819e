import { addressBytes } from "../addresses/network-address.ts"
import { type Rate, TokenBucket } from "../bounds/token-bucket.ts"

export interface SourceRatesConfig {
  /** Datagrams from one network: an IPv4 /24 or an IPv6 /64. */
  readonly perNetwork: Rate
  /** Datagrams from all networks together. */
  readonly total: Rate
  readonly networksMax: number
}

/**
 * Rate limits for datagrams whose sources may be forged. A victim's network is the unit, because a forger can name any
 * of its addresses.
 *
 * Networks are kept in two generations of half of `networksMax`. A full one becomes the former one, and what was former is
 * evicted, in constant time: a forger names a new network in each datagram. A network that is evicted has its whole
 * burst again, and only the total limits it. (Evicting the first entry of one map is slow: V8 passes over all that were
 * deleted before it.)
 */
export class SourceRates {
  readonly #config: SourceRatesConfig
  readonly #total: TokenBucket
  #recent = new Map<string, TokenBucket>()
  #former = new Map<string, TokenBucket>()

  constructor(config: SourceRatesConfig, nowMs: number) {
    this.#config = config
    this.#total = new TokenBucket(config.total, nowMs)
  }

  /** Whether a datagram from this address may be answered. If so, it is counted. */
  take(address: string, nowMs: number): boolean {
    const bucket = this.#bucketOf(networkOf(address), nowMs)
    // The network's own rate comes first, so that what it is refused costs the others nothing.
    return bucket.take(nowMs) && this.#total.take(nowMs)
  }

  #bucketOf(network: string, nowMs: number): TokenBucket {
    const recent = this.#recent.get(network)
    if (recent !== undefined) return recent
    const bucket = this.#former.get(network) ?? new TokenBucket(this.#config.perNetwork, nowMs)
    if (this.#recent.size >= this.#config.networksMax / 2) {
      this.#former = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(network, bucket)
    return bucket
  }
}

function networkOf(address: string): string {
  const bytes = addressBytes(address)
  if (bytes === undefined) return "unknown"
  return bytes.subarray(0, bytes.length === 4 ? 3 : 8).join(".")
}
