/** Attachments of the secure layer to a SYNC: the digest of known statements, then those of the key agreements. */
import type { SessionName } from "@keymoot/gke"
import type { MemberId, View } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { decodeOrNull, equalBytes, safeInteger, versionByte } from "../wire/index.ts"

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

/**
 * A member's state before a view, under majority. `held`: the last session whose key it holds. `renews`: it requests a
 * new session.
 */
export type SessionAttachment = { readonly held: SessionName | null; readonly renews: boolean }

const sessionCoder = P.struct({
  version: versionByte(1),
  renews: P.bool,
  held: P.optional(P.bool, P.struct({ epoch: safeInteger, viewId: P.bytes(32) })),
})

export function encodeSessionAttachment({ held, renews }: SessionAttachment): Uint8Array {
  return sessionCoder.encode({ renews, held: held ? { ...held } : undefined })
}

export function decodeSessionAttachment(bytes: Uint8Array | undefined): SessionAttachment | null {
  const decoded = bytes && decodeOrNull(sessionCoder, bytes)
  return decoded ? { held: decoded.held ?? null, renews: decoded.renews } : null
}

/** Both agreements' attachments to one SYNC. */
type HybridAttachment = { readonly classical: Uint8Array; readonly postQuantum: Uint8Array }

const hybridCoder: P.CoderType<HybridAttachment> = P.struct({ classical: P.bytes(P.U32BE), postQuantum: P.bytes(null) })
const NOTHING = { classical: new Uint8Array(0), postQuantum: new Uint8Array(0) }

export function joinAttachments(classical: Uint8Array, postQuantum: Uint8Array): Uint8Array {
  return hybridCoder.encode({ classical, postQuantum })
}

/** Bytes that are no such attachment give two empty ones, and both agreements name their sender. */
export function splitAttachment(bytes: Uint8Array): HybridAttachment {
  return decodeOrNull(hybridCoder, bytes) ?? NOTHING
}
