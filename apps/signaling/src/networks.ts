import { Allowance } from "./allowance.ts"
import type { Limits } from "./limits.ts"
import { TokenBucket } from "./token-bucket.ts"

/** What one network address does and may do. */
interface Network {
  open: number
  readonly connects: TokenBucket
  readonly allowance: Allowance
}

/**
 * The network addresses that connections come from, so that many connections of one are bounded together. Each process
 * counts for itself: behind a balancer an address may do in each what is allowed once.
 */
export class Networks {
  readonly #limits: Limits
  readonly #scale: number
  readonly #networks = new Map<string, Network>()

  /** @param scale multiplies all that is allowed to one address */
  constructor(limits: Limits, scale: number) {
    this.#limits = limits
    this.#scale = scale
  }

  /** Whether one more connection from there may be made now; if so, it counts as made. */
  admit(address: string): boolean {
    const network = this.#network(address)
    if (network === undefined || network.open >= this.#limits.connectionsPerAddressMax * this.#scale) return false
    return network.connects.take(performance.now())
  }

  /** A connection from there is open until `close`. What it answers is all connections' of the address. */
  open(address: string): Allowance {
    const network = this.#network(address)
    if (network === undefined) return new Allowance(this.#limits, 1, 1)
    network.open += 1
    return network.allowance
  }

  close(address: string): void {
    const network = this.#networks.get(address)
    if (network !== undefined) network.open -= 1
  }

  /** One of its connections was closed for flooding: it must not come back at once and go on. */
  punish(address: string): void {
    this.#networks.get(address)?.connects.spend(performance.now(), this.#limits.connectsPerFlood)
  }

  #network(address: string): Network | undefined {
    const known = this.#networks.get(address)
    if (known !== undefined) return known
    if (this.#networks.size >= this.#limits.addressesMax) this.#forget()
    if (this.#networks.size >= this.#limits.addressesMax) return undefined
    const { burst, perSecond } = this.#limits.connects
    const connects = { burst: burst * this.#scale, perSecond: perSecond * this.#scale }
    const { connectionsWorthPerAddress, storersWorthPerAddress } = this.#limits
    const worth = [connectionsWorthPerAddress * this.#scale, storersWorthPerAddress * this.#scale] as const
    const allowance = new Allowance(this.#limits, ...worth)
    const network = { open: 0, connects: new TokenBucket(connects, performance.now()), allowance }
    this.#networks.set(address, network)
    return network
  }

  /** Those of whom there is nothing to remember. */
  #forget(): void {
    const nowMs = performance.now()
    for (const [address, { open, connects, allowance }] of this.#networks) {
      if (open === 0 && connects.isFull(nowMs) && allowance.isWhole(nowMs)) this.#networks.delete(address)
    }
  }
}
