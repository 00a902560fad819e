/**
 * A member's record for all others: its neighbours, what it holds, and proofs that it knows an invitation. It travels
 * through other members, so its origin signs it and each forwarding member verifies it.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { MEMBER_ID_BYTES, memberIdFromBytes, memberIdToBytes, type MemberId } from "../members/ids.ts"
import { INVITATION_KEYS_MAX } from "../network/shared/keyring.ts"
import { byteString, list, memberId, safeInteger, tryDecode } from "../wire/codec.ts"
import { heartbeatCoder } from "../wire/messages.ts"
import { LINK_RECORD_BYTES_MAX, NEIGHBOURS_REPORTED_MAX } from "../bounds/overlay-bounds.ts"
import type { LinkState } from "./link-state/link-states.ts"
import type { Status } from "./link-state/status-reporter.ts"

const VERSION = 1
const PROOF_BYTES = 16
/** The origin's place in a complete record: after the length of the signed part, and the version. */
const ORIGIN_AT = 5

export type LinkRecordContent = LinkState & {
  /** Proofs of the origin's knowledge of each invitation that it holds, newest first (`invitationProof`). */
  readonly proofs: readonly Uint8Array[]
  readonly status: Status
}

export type LinkRecord = LinkRecordContent & {
  /** The origin signs `signedLinkRecord` of this. */
  readonly staticPart: Uint8Array
  readonly signature: Uint8Array
  /** The complete record, to forward. */
  readonly bytes: Uint8Array
}

const fields = P.struct({
  version: P.validate(P.U8, (version) => {
    if (version !== VERSION) throw new RangeError(`link record version ${version}`)
    return version
  }),
  origin: memberId,
  incarnation: safeInteger,
  sequence: safeInteger,
  neighbours: list(NEIGHBOURS_REPORTED_MAX, memberId),
  proofs: list(INVITATION_KEYS_MAX, P.bytes(PROOF_BYTES)),
  status: P.optional(P.bool, heartbeatCoder),
})
const recordCoder = P.validate(fields, (record) => {
  const { neighbours, origin, incarnation, status } = record
  const ascending = neighbours.every((peer, i) => peer !== origin && (i === 0 || neighbours[i - 1]! < peer))
  if (!ascending) throw new RangeError("neighbours out of order, or the origin among them")
  if (status && status.incarnation !== incarnation) throw new RangeError("the status is of another incarnation")
  return record
})
const signedCoder = P.struct({ staticPart: byteString(LINK_RECORD_BYTES_MAX), signature: P.bytes(64) })

export function encodeLinkRecord(record: LinkRecordContent): Uint8Array {
  return recordCoder.encode({ ...record, version: VERSION, status: record.status ?? undefined })
}

export function completeLinkRecord(staticPart: Uint8Array, signature: Uint8Array): LinkRecord {
  return decodeLinkRecord(signedCoder.encode({ staticPart, signature }))!
}

/** Null unless the bytes are exactly one canonical record. Neither signature nor proofs are checked here. */
export function decodeLinkRecord(bytes: Uint8Array): LinkRecord | null {
  const signed = tryDecode(signedCoder, bytes)
  const record = signed && tryDecode(recordCoder, signed.staticPart)
  if (!signed || !record) return null
  const { version: _, ...content } = record
  return { ...content, status: record.status ?? null, ...signed, bytes }
}

/** The origin that a record's bytes name, without decoding the rest. Null if they are too short. */
export function linkRecordOrigin(bytes: Uint8Array): MemberId | null {
  const id = bytes.subarray(ORIGIN_AT, ORIGIN_AT + MEMBER_ID_BYTES)
  return id.length === MEMBER_ID_BYTES ? memberIdFromBytes(id) : null
}

/** `conferenceTag`: a record is valid in one conference only. */
export function signedLinkRecord(conferenceTag: Uint8Array, staticPart: Uint8Array): Uint8Array {
  return concatBytes(utf8ToBytes("keymoot v1 link record\0"), conferenceTag, staticPart)
}

/**
 * Proves the origin's knowledge of an invitation to members without a link to it, and so without an association. `key`:
 * the invitation's `association` key. A holder could make this proof for another member, but it could as well pass on
 * the invitation itself.
 */
export function invitationProof(
  key: Uint8Array,
  conferenceTag: Uint8Array,
  origin: MemberId,
  incarnation: number,
): Uint8Array {
  const life = concatBytes(memberIdToBytes(origin), safeInteger.encode(incarnation))
  const bytes = concatBytes(utf8ToBytes("keymoot v1 link record invitation\0"), conferenceTag, life)
  return hmac(sha256, key, bytes).subarray(0, PROOF_BYTES)
}
