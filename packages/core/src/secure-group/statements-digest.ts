import type { MemberId, View } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"
import { equalBytes } from "../wire/index.ts"

/** Length of the SHA-256 digest that precedes the key agreement's attachment to a SYNC. */
export const STATEMENTS_DIGEST_BYTES = 32

export function withStatementsDigest(digest: Uint8Array, attachment: Uint8Array): Uint8Array {
  return concatBytes(digest, attachment)
}

/**
 * Returns the digest of the statements that a member knew when it answered the proposal; null for another member or a
 * malformed attachment.
 */
export function statementsDigestIn(view: View, member: MemberId): Uint8Array | null {
  const attachment = view.attachments.get(member)
  return attachment && attachment.length >= STATEMENTS_DIGEST_BYTES
    ? attachment.subarray(0, STATEMENTS_DIGEST_BYTES)
    : null
}

/** Members that knew other statements than this one. All members agree on whether there are any. */
export function differingMembers(view: View, self: MemberId): MemberId[] {
  const own = statementsDigestIn(view, self)
  return view.members.flatMap(({ id }) => {
    const digest = statementsDigestIn(view, id)
    return own && digest && equalBytes(own, digest) ? [] : [id]
  })
}

/** Returns the view for the key agreement. */
export function withoutStatementsDigest(view: View): View {
  const attachments = [...view.attachments].map(([id, bytes]) => [id, bytes.subarray(STATEMENTS_DIGEST_BYTES)] as const)
  return { ...view, attachments: new Map(attachments) }
}
