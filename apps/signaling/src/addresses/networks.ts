import { Allowance } from "../bounds/allowance.ts"
import type { Limits } from "../bounds/limits.ts"
import { scaled, TokenBucket } from "../bounds/token-bucket.ts"
import { OpenOfSites } from "./sites.ts"

/** The limits that all connections of one network address share. */
export interface Shared {
  readonly allowance: Allowance
  /** Frames that these connections may send, of whatever kind. */
  readonly frames: TokenBucket
  /** Bytes sent to these connections that they have not read yet. */
  unreadBytes: number
  readonly unreadBytesMax: number
}

/** The use and the limits of one network address. */
interface Network extends Shared {
  open: number
  readonly connects: TokenBucket
}

/**
 * The network addresses of connections, so that many connections of one address share its limits. Each process counts
 * for itself: behind a load balancer an address may use its limits once in each process.
 */
export class Networks {
  readonly #limits: Limits
  readonly #scale: number
  readonly #networks = new Map<string, Network>()
  readonly #sites: OpenOfSites

  /** @param scale multiplies all limits of one address */
  constructor(limits: Limits, scale: number) {
    this.#limits = limits
    this.#scale = scale
    this.#sites = new OpenOfSites(limits.connectionsPerAddressMax * scale)
  }

  /** Whether a new connection from this address is allowed now. If so, it is counted. */
  admit(address: string): boolean {
    const network = this.#sites.isFull(address) ? undefined : this.#network(address)
    if (network === undefined || network.open >= this.#limits.connectionsPerAddressMax * this.#scale) return false
    return network.connects.take(performance.now())
  }

  /** Counts an open connection of this address until `close`. All connections of the address share the result. */
  open(address: string): Shared {
    this.#sites.count(address, 1)
    const network = this.#network(address)
    if (network === undefined) {
      const allowance = new Allowance(this.#limits, 1, 1)
      const frames = new TokenBucket(this.#limits.frames, performance.now())
      return { allowance, frames, unreadBytes: 0, unreadBytesMax: this.#limits.bytesUnreadMax }
    }
    network.open += 1
    return network
  }

  close(address: string): void {
    this.#sites.count(address, -1)
    const network = this.#networks.get(address)
    if (network !== undefined && network.open > 0) network.open -= 1
  }

  /**
   * Spends connection tokens of the address, because one of its connections was closed for flooding. Otherwise the
   * flooder could reconnect at once and continue.
   */
  punish(address: string): void {
    this.#networks.get(address)?.connects.spend(performance.now(), this.#limits.connectsPerFlood)
  }

  #network(address: string): Network | undefined {
    const known = this.#networks.get(address)
    if (known !== undefined) return known
    if (this.#networks.size >= this.#limits.addressesMax) this.#forget()
    if (this.#networks.size >= this.#limits.addressesMax) return undefined
    const { connectionsWorthPerAddress, storersWorthPerAddress } = this.#limits
    const worth = [connectionsWorthPerAddress * this.#scale, storersWorthPerAddress * this.#scale] as const
    const allowance = new Allowance(this.#limits, ...worth)
    const network = {
      open: 0,
      connects: new TokenBucket(scaled(this.#limits.connects, this.#scale), performance.now()),
      allowance,
      frames: new TokenBucket(scaled(this.#limits.framesPerAddress, this.#scale), performance.now()),
      unreadBytes: 0,
      unreadBytesMax: this.#limits.bytesUnreadPerAddressMax * this.#scale,
    }
    this.#networks.set(address, network)
    return network
  }

  /** Evicts addresses whose state equals that of a new one. */
  #forget(): void {
    const nowMs = performance.now()
    for (const [address, { open, connects, frames, allowance }] of this.#networks) {
      const isWhole = connects.isFull(nowMs) && frames.isFull(nowMs) && allowance.isWhole(nowMs)
      if (open === 0 && isWhole) this.#networks.delete(address)
    }
  }
}
