import { ANNOUNCED_END_BYTES, type Request } from "@keymoot/transport/signaling-protocol"
import { type Connection, refuse } from "../connection.ts"
import { SHARES_PER_SITE, siteOf } from "../addresses/sites.ts"
import type { Limits } from "./limits.ts"
import { Quotas } from "./quotas.ts"

/** The cost of a stored row besides its bytes: its indexes, and a minimum so that small rows cannot fill a table. */
const ROW_COST_BYTES = 4 * 1024
/** A fingerprint in a roster is a row of its own, with two indexes. */
const ROSTER_MEMBER_COST_BYTES = 512

/** Counts a row against the network address and its IPv6 site, and returns whether it may be stored. */
export type StorageQuota = (connection: Connection, costBytes: number) => boolean

export function storageQuota(
  limits: Limits,
  addressOf: (connection: Connection) => string,
  addressScale: number,
): StorageQuota {
  const quotas = new Quotas(limits.storedPerAddress, addressScale)
  const ofSites = new Quotas(limits.storedPerAddress, addressScale * SHARES_PER_SITE)
  return (connection, costBytes) => {
    const address = addressOf(connection)
    const site = siteOf(address)
    const buckets = [quotas.of(address), ...(site === undefined ? [] : [ofSites.of(site)])]
    const nowMs = performance.now()
    // A row that one of them refuses costs the other nothing.
    if (buckets.some((bucket) => bucket.balance(nowMs) < costBytes)) return false
    return buckets.every((bucket) => bucket.take(nowMs, costBytes))
  }
}

export function conferenceCost({ descriptor, roster }: Request<"conference:create">): number {
  return ROW_COST_BYTES + descriptor.length + (roster?.members.length ?? 0) * ROSTER_MEMBER_COST_BYTES
}

/** An end replaces the former one of its conference, in a row that is written anew. */
export function endCost(): number {
  return ROW_COST_BYTES + ANNOUNCED_END_BYTES
}

export function participantCost({ certificate }: Request<"participant:add">): number {
  return ROW_COST_BYTES + certificate.length
}

export const storedShare = refuse("rate-limited", "The storage quota of this network address is used up for now.")
