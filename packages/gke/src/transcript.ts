import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { ByteFiller } from "./byte-layout.ts"
import { compareMembers, MEMBER_ID_BYTES } from "./member-id.ts"
import type { MemberId } from "./member-id.ts"

export type DeliveredMulticast = { readonly round: number; readonly sender: MemberId; readonly bytes: Uint8Array }

/**
 * 32 bytes over all attachments and all multicasts of one agreement, in canonical order: attachments by member, multicasts
 * by (round, sender). Every member must come to the same, or the confirmations differ. Of an attachment that carries a public
 * state, key trees give what is in front of it: that holds the state's hash.
 */
export function transcriptOf(
  attachments: ReadonlyMap<MemberId, Uint8Array>,
  multicasts: readonly DeliveredMulticast[],
): Uint8Array {
  const sortedAttachments = [...attachments].sort(([a], [b]) => compareMembers(a, b))
  const sortedMulticasts = [...multicasts].sort((a, b) => a.round - b.round || compareMembers(a.sender, b.sender))
  const label = utf8ToBytes("keymoot v1 transcript")
  // Hashed in one go: hundreds of small updates cost more than the bytes.
  const filler = new ByteFiller(
    label.length +
      8 +
      sortedAttachments.reduce((sum, [, bytes]) => sum + MEMBER_ID_BYTES + 4 + bytes.length, 0) +
      sortedMulticasts.reduce((sum, { bytes }) => sum + 4 + MEMBER_ID_BYTES + 4 + bytes.length, 0),
  )
  filler.put(label).u32(sortedAttachments.length).u32(sortedMulticasts.length)
  for (const [member, bytes] of sortedAttachments) filler.memberId(member).u32(bytes.length).put(bytes)
  for (const { round, sender, bytes } of sortedMulticasts) {
    filler.u32(round).memberId(sender).u32(bytes.length).put(bytes)
  }
  return sha256(filler.done())
}
