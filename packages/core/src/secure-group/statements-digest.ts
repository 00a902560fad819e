import type { MemberId, View } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"
import { equalBytes } from "../wire/index.ts"

/** SHA-256 in front of what the key agreement attaches to a SYNC. */
export const STATEMENTS_DIGEST_BYTES = 32

export function withStatementsDigest(digest: Uint8Array, attachment: Uint8Array): Uint8Array {
  return concatBytes(digest, attachment)
}

/** What a member had heard of hosts when it answered the proposal; null for somebody else or a malformed attachment. */
export function statementsDigestIn(view: View, member: MemberId): Uint8Array | null {
  const attachment = view.attachments.get(member)
  return attachment && attachment.length >= STATEMENTS_DIGEST_BYTES
    ? attachment.subarray(0, STATEMENTS_DIGEST_BYTES)
    : null
}

/** Members that had heard something else than this one; whether there are any is the same at all members. */
export function membersApart(view: View, self: MemberId): MemberId[] {
  const own = statementsDigestIn(view, self)
  return view.members.flatMap(({ id }) => {
    const digest = statementsDigestIn(view, id)
    return own && digest && equalBytes(own, digest) ? [] : [id]
  })
}

/** The view as the key agreement sees it. */
export function withoutStatementsDigest(view: View): View {
  const attachments = [...view.attachments].map(([id, bytes]) => [id, bytes.subarray(STATEMENTS_DIGEST_BYTES)] as const)
  return { ...view, attachments: new Map(attachments) }
}
