import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { u32 } from "./bytes.ts"
import { compareMembers, memberIdToBytes } from "./member-id.ts"
import type { MemberId } from "./member-id.ts"

export type DeliveredMulticast = { readonly round: number; readonly sender: MemberId; readonly bytes: Uint8Array }

/**
 * 32 bytes over all attachments and all multicasts of one agreement, in canonical order: attachments by member, multicasts
 * by (round, sender). Every member must come to the same, or the confirmations differ.
 */
export function transcriptOf(
  attachments: ReadonlyMap<MemberId, Uint8Array>,
  multicasts: readonly DeliveredMulticast[],
): Uint8Array {
  const sortedAttachments = [...attachments].sort(([a], [b]) => compareMembers(a, b))
  const sortedMulticasts = [...multicasts].sort((a, b) => a.round - b.round || compareMembers(a.sender, b.sender))
  // Hashed in one go: hundreds of small updates cost more than the bytes.
  const parts = [utf8ToBytes("keymoot v1 transcript"), u32(sortedAttachments.length), u32(sortedMulticasts.length)]
  for (const [member, bytes] of sortedAttachments) parts.push(memberIdToBytes(member), u32(bytes.length), bytes)
  for (const { round, sender, bytes } of sortedMulticasts) {
    parts.push(u32(round), memberIdToBytes(sender), u32(bytes.length), bytes)
  }
  return sha256(concatBytes(...parts))
}
