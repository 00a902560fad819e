import { ANNOUNCED_END_BYTES, type Request } from "@keymoot/transport/signaling-protocol"
import { type Connection, refuse } from "../connection.ts"
import type { Limits } from "./limits.ts"
import { Quotas } from "./quotas.ts"

/** The cost of a stored row besides its bytes: its indexes, and a minimum so that small rows cannot fill a table. */
const ROW_COST_BYTES = 4 * 1024
/** A fingerprint in a roster is a row of its own, with two indexes. */
const ROSTER_MEMBER_COST_BYTES = 512

/** Counts a row against the network address and returns whether it may be stored. */
export type StorageQuota = (connection: Connection, costBytes: number) => boolean

export function storageQuota(
  limits: Limits,
  addressOf: (connection: Connection) => string,
  addressScale: number,
): StorageQuota {
  const quotas = new Quotas(limits.storedPerAddress, addressScale)
  return (connection, costBytes) => quotas.of(addressOf(connection)).take(performance.now(), costBytes)
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
