/** Sites of the members of `wan`, as on the papers' thirteen machines, and the paper's own description of them. */
import { siteOf, type Site } from "../experiment/networks.ts"

export const SITES = ["JHU", "UCI", "ICU"] as const satisfies readonly Site[]
/** The signalling server is there, and most of the members. */
export const SERVER_SITE: Site = "JHU"

/** A host of the lab. */
export const hostOf = (site: Site): string => site.toLowerCase()
/** The first at each site are browsers, the others processes of Node. */
export const isBrowser = (place: number): boolean => place < SITES.length
export { siteOf }

/** Sites that a partition cuts off from the others, with their two members. */
export const CUT_OFF: readonly Site[] = ["UCI", "ICU"]
export const isCutOff = (place: number): boolean => CUT_OFF.includes(siteOf(place))

/** Amir, Kim, Nita-Rotaru and Tsudik, section 6.2.1: an Agreed multicast, by its sender's site; round trips between two. */
export const PAPER_AGREED_MS: Readonly<Record<Site, number>> = { JHU: 392, UCI: 328, ICU: 334 }
