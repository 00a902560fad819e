import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { ByteFiller } from "../shared/byte-layout.ts"
import { compareMembers, MEMBER_ID_BYTES, type MemberId } from "../shared/member-id.ts"

export type DeliveredMulticast = { readonly round: number; readonly sender: MemberId; readonly bytes: Uint8Array }

/**
 * 32 bytes over all attachments and all multicasts of one agreement, in canonical order: attachments by member, multicasts
 * by (round, sender). Every member must come to the same, or the confirmations differ.
 *
 * @param attachments in an encoding that no others have, as `encodeApart` and `encodeTogether` give
 */
export function transcriptOf(attachments: Uint8Array, multicasts: readonly DeliveredMulticast[]): Uint8Array {
  const sorted = [...multicasts].sort((a, b) => a.round - b.round || compareMembers(a.sender, b.sender))
  const label = utf8ToBytes("keymoot v1 transcript")
  // Hashed in one go: hundreds of small updates cost more than the bytes.
  const filler = new ByteFiller(
    label.length +
      8 +
      attachments.length +
      sorted.reduce((sum, { bytes }) => sum + 4 + MEMBER_ID_BYTES + 4 + bytes.length, 0),
  )
  filler.put(label).u32(attachments.length).put(attachments).u32(sorted.length)
  for (const { round, sender, bytes } of sorted) filler.u32(round).memberId(sender).u32(bytes.length).put(bytes)
  return sha256(filler.done())
}

/** Attachments as they were sent, by member. */
export function encodeApart(attachments: ReadonlyMap<MemberId, Uint8Array>): Uint8Array {
  const sorted = [...attachments].sort(([a], [b]) => compareMembers(a, b))
  const filler = new ByteFiller(sorted.reduce((sum, [, bytes]) => sum + MEMBER_ID_BYTES + 4 + bytes.length, 0))
  for (const [member, bytes] of sorted) filler.memberId(member).u32(bytes.length).put(bytes)
  return filler.done()
}
