/**
 * The shares of one network address that an IPv6 site has. Providers give a line 256 to 65,536 networks of 64 bits,
 * which count as one network address each.
 */
export const SHARES_PER_SITE = 8

/** The IPv6 network of 48 bits that a network address belongs to; undefined for IPv4. */
export function siteOf(address: string): string | undefined {
  return address.includes(":") ? `${address.split(":", 3).join(":")}::/48` : undefined
}

/** The open connections of each IPv6 site. A site without one has no entry. */
export class OpenOfSites {
  readonly #max: number
  readonly #open = new Map<string, number>()

  /** @param perAddressMax connections of one network address */
  constructor(perAddressMax: number) {
    this.#max = perAddressMax * SHARES_PER_SITE
  }

  isFull(address: string): boolean {
    return (this.#open.get(siteOf(address) ?? "") ?? 0) >= this.#max
  }

  /** Counts a connection that was opened, or uncounts one that was closed. */
  count(address: string, change: 1 | -1): void {
    const site = siteOf(address)
    if (site === undefined) return
    const open = (this.#open.get(site) ?? 0) + change
    if (open > 0) this.#open.set(site, open)
    else this.#open.delete(site)
  }
}
