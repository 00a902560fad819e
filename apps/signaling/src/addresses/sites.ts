import { Tally } from "../bounds/tally.ts"

/**
 * The shares of one network address that an IPv6 site has. Providers give a line 256 to 65,536 networks of 64 bits,
 * which count as one network address each.
 */
export const SHARES_PER_SITE = 8

/** The IPv6 network of 48 bits that a network address belongs to; undefined for IPv4. */
export function siteOf(address: string): string | undefined {
  return address.includes(":") ? `${address.split(":", 3).join(":")}::/48` : undefined
}

/** The open connections of each IPv6 site. */
export class OpenOfSites {
  readonly #max: number
  readonly #open = new Tally()

  /** @param perAddressMax connections of one network address */
  constructor(perAddressMax: number) {
    this.#max = perAddressMax * SHARES_PER_SITE
  }

  isFull(address: string): boolean {
    return this.#open.of(siteOf(address) ?? "") >= this.#max
  }

  /** Counts a connection that was opened, or uncounts one that was closed. */
  count(address: string, change: 1 | -1): void {
    const site = siteOf(address)
    if (site !== undefined) this.#open.add(site, change)
  }
}
