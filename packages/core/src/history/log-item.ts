import type { MemberId, Signer } from "@keymoot/transport"
import { bytesToHex, hexToBytes, randomBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"

import type { MemberCredential, MemberCredentialChecker } from "../identity/index.ts"
import { fingerprintOf } from "../identity/index.ts"
import { CHANNEL_NAME_BYTES_MAX, isChannelName, PAYLOAD_BYTES_MAX } from "../multicast/index.ts"
import { boundedBytes, decodeOrNull, domainSeparated, hexId, timestampMs, U64 } from "../wire/index.ts"

const ITEM_ID_BYTES = 16

/** Where the order put an item: (epoch, view, sequence), equal at all members who were there. */
export type Position = {
  readonly epoch: number
  /** Hex, 64 digits. */
  readonly view: string
  readonly sequence: number
}

/** What an author says and signs. */
export type AuthoredItem = {
  /** Hex, 32 digits, random; the author's own numbering, so an item is known by (author, id). */
  readonly id: string
  /** SHA-256 of the author's certificate, hex: which name and key it was. */
  readonly fingerprint: string
  /** Of a verified item its author's member id; before that the fingerprint's first half, which need not be the same. */
  readonly author: MemberId
  readonly channel: string
  readonly payload: Uint8Array
  /** The author's clock, milliseconds since 1970. */
  readonly sentAtMs: number
  /** Ed25519, 64 bytes, over everything above and the conference. */
  readonly signature: Uint8Array
}

/**
 * An item in its place. The place is assigned by the order after the author has signed, so no signature covers it: who
 * hands history over can lie about the order of items and can leave some out, and can neither invent, nor change, nor
 * attribute one to somebody else, nor bring one from another conference.
 */
export type LogItem = AuthoredItem & { readonly position: Position }

type SignedFields = { id: string; fingerprint: string; channel: string; sentAtMs: number; payload: Uint8Array }

const signedFields: P.CoderType<SignedFields> = P.struct({
  id: hexId(ITEM_ID_BYTES),
  fingerprint: hexId(32),
  channel: P.validate(P.string(P.U8), (name) => {
    if (!isChannelName(name)) throw new RangeError(`a channel's name has 1 to ${CHANNEL_NAME_BYTES_MAX} bytes`)
    return name
  }),
  sentAtMs: timestampMs,
  payload: boundedBytes(P.U32BE, PAYLOAD_BYTES_MAX),
})

const authoredFields = P.struct({ content: signedFields, signature: P.bytes(64) })

const position: P.CoderType<Position> = P.struct({ epoch: U64, view: hexId(32), sequence: U64 })

/** The fingerprint tells the author too, so only that is written. */
export const logItemCoder: P.CoderType<LogItem> = P.apply(P.struct({ authored: authoredFields, position }), {
  encode: ({ authored, position }): LogItem => ({ ...fromAuthored(authored), position }),
  decode: (item: LogItem) => ({ authored: toAuthored(item), position: item.position }),
})

/** As it travels in a batch, before it has a place. */
export function encodeAuthoredItem(item: AuthoredItem): Uint8Array {
  return authoredFields.encode(toAuthored(item))
}

/** `null` for anything but one well-formed item. The signature is not checked here; the payload aliases `bytes`. */
export function decodeAuthoredItem(bytes: Uint8Array): AuthoredItem | null {
  const decoded = decodeOrNull(authoredFields, bytes)
  return decoded && fromAuthored(decoded)
}

/** Signs what is about to be sent, so that it can later be handed to those who are not here yet. */
export async function signItem(
  signer: Signer,
  conferenceId: string,
  message: { readonly channel: string; readonly payload: Uint8Array; readonly sentAtMs: number },
): Promise<AuthoredItem> {
  const id = bytesToHex(randomBytes(ITEM_ID_BYTES))
  const fingerprint = bytesToHex(fingerprintOf(signer.certificate))
  const content = { ...message, id, fingerprint }
  return fromAuthored({ content, signature: await signer.sign(signingBytes(conferenceId, content)) })
}

/**
 * Whether this author said this in this conference.
 * @param author the checked credential of the certificate that the item names.
 */
export async function verifyItem(
  item: AuthoredItem,
  conferenceId: string,
  author: MemberCredential,
  checker: MemberCredentialChecker,
): Promise<boolean> {
  const names = bytesToHex(fingerprintOf(author.certificate)) === item.fingerprint
  if (!names || ![author.member, authorIn(item.fingerprint)].includes(item.author)) return false
  return checker.verify(author.publicKey, signingBytes(conferenceId, toAuthored(item).content), item.signature)
}

function signingBytes(conferenceId: string, content: SignedFields): Uint8Array {
  return domainSeparated("keymoot v1 log item", hexToBytes(conferenceId), signedFields.encode(content))
}

function toAuthored({ id, fingerprint, channel, sentAtMs, payload, signature }: AuthoredItem) {
  return { content: { id, fingerprint, channel, sentAtMs, payload }, signature }
}

function fromAuthored({ content, signature }: { content: SignedFields; signature: Uint8Array }): AuthoredItem {
  return { ...content, author: authorIn(content.fingerprint), signature }
}

function authorIn(fingerprint: string): MemberId {
  return fingerprint.slice(0, 2 * 16) as MemberId
}
