import type { MemberId } from "../members/ids.ts"
import type { SyncFrame } from "./decision.ts"

/**
 * Bytes of the SYNCs in one CUT or INSTALL. With their lengths, the frame around them and what the overlay adds they
 * are one message over a link (4 MiB). Those of a full mesh fit, however large each is (`SYNC_BYTES_MAX`).
 */
export const SYNCS_BYTES_MAX = 4 * 1024 * 1024 - 64 * 1024

/**
 * The members to exclude so that the SYNCs of the others fit into an INSTALL: the largest first, never `self`. Honest
 * SYNCs always fit (`syncEntriesMax`), so at least one of these members states more than necessary.
 */
export function beyondInstall(syncs: ReadonlyMap<MemberId, SyncFrame>, self: MemberId): MemberId[] {
  let bytes = 0
  for (const frame of syncs.values()) bytes += frame.bytes.length
  if (bytes <= SYNCS_BYTES_MAX) return []
  const largestFirst = [...syncs.values()]
    .filter(({ origin }) => origin !== self)
    .sort((a, b) => b.bytes.length - a.bytes.length || (a.origin < b.origin ? -1 : 1))
  const leftOut: MemberId[] = []
  for (const frame of largestFirst) {
    if (bytes <= SYNCS_BYTES_MAX) break
    bytes -= frame.bytes.length
    leftOut.push(frame.origin)
  }
  return leftOut
}
