import { sha256 } from "@noble/hashes/sha2.js"
import { updateFields } from "./bytes.ts"
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
  const hash = sha256.create()
  updateFields(hash, ["keymoot v1 transcript"])
  for (const [member, bytes] of [...attachments].sort(([a], [b]) => compareMembers(a, b))) {
    updateFields(hash, ["attachment", memberIdToBytes(member), bytes])
  }
  const inOrder = [...multicasts].sort((a, b) => a.round - b.round || compareMembers(a.sender, b.sender))
  for (const { round, sender, bytes } of inOrder) {
    updateFields(hash, ["multicast", String(round), memberIdToBytes(sender), bytes])
  }
  return hash.digest()
}
