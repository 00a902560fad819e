import type { MemberId, Signer } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, hexToBytes, randomBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"

import type { MemberCredential, MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { fingerprintOf } from "../identity/certificates/certificate.ts"
import { PAYLOAD_BYTES_MAX } from "../multicast/batch.ts"
import { channelName } from "./erasure.ts"
import { boundedBytes, decodeOrNull, domainSeparated, hexId, timestampMs, safeInteger } from "../wire/index.ts"

const ITEM_ID_BYTES = 16
/** Bound on the content of a message of the log. Signed, it has some 220 bytes more, and fits `PAYLOAD_BYTES_MAX`. */
export const ITEM_BYTES_MAX = PAYLOAD_BYTES_MAX - 1024
/** `after` of an item whose author knew of none. */
export const NO_ITEM = "00".repeat(32)

/**
 * Position of an item in the order: (epoch, view, sequence). It is equal at all members that went on to the next view
 * together. Those that a partition separates can give the last messages of their view different positions.
 */
export type Position = {
  readonly epoch: number
  /** Hex, 64 digits. */
  readonly view: string
  readonly sequence: number
}

/** Content that an author signs. */
export type AuthoredItem = {
  /** Hex, 32 digits, random. The author chooses it, so (author, id) identifies an item. */
  readonly id: string
  /** SHA-256 of the author's certificate, hex. It identifies name and key. */
  readonly fingerprint: string
  /**
   * Author's member id of a verified item. Before verification it is the fingerprint's first half, which may differ.
   */
  readonly author: MemberId
  /**
   * `itemHash` of the item that the author had received or signed last, hex; zeros for none. So an item proves that it
   * is later than that one and all before it.
   */
  readonly after: string
  readonly channel: string
  readonly payload: Uint8Array
  /** The author's clock, milliseconds since 1970. */
  readonly sentAtMs: number
  /** Ed25519, 64 bytes, over all fields above and the conference. */
  readonly signature: Uint8Array
}

/**
 * An item with its position. The order assigns the position after the author has signed, so no signature covers it. A
 * member that transfers history can lie about positions and omit items. It cannot invent or change one, attribute it to
 * another author, or replay one from another conference.
 */
export type LogItem = AuthoredItem & {
  readonly position: Position
  /** Member that transferred the item here, if it did not come from its author. It is not transferred further. */
  readonly transferredBy?: TransferredBy | undefined
  /** Id of the view in which it was transferred. The local copy does not keep it. */
  readonly transferredIn?: string
}

export type TransferredBy = { readonly id: MemberId; readonly name: string }

type SignedFields = {
  id: string
  fingerprint: string
  after: string
  channel: string
  sentAtMs: number
  payload: Uint8Array
}

const signedFields: P.CoderType<SignedFields> = P.struct({
  id: hexId(ITEM_ID_BYTES),
  fingerprint: hexId(32),
  after: hexId(32),
  channel: channelName,
  sentAtMs: timestampMs,
  payload: boundedBytes(P.U32BE, PAYLOAD_BYTES_MAX),
})

const authoredFields = P.struct({ content: signedFields, signature: P.bytes(64) })

const position: P.CoderType<Position> = P.struct({ epoch: safeInteger, view: hexId(32), sequence: safeInteger })

/** The fingerprint identifies the author, so only that is encoded. */
export const logItemCoder: P.CoderType<LogItem> = P.apply(P.struct({ authored: authoredFields, position }), {
  encode: ({ authored, position }): LogItem => ({ ...fromAuthored(authored), position }),
  decode: (item: LogItem) => ({ authored: toAuthored(item), position: item.position }),
})

/** Encodes an item for a batch, before it has a position. */
export function encodeAuthoredItem(item: AuthoredItem): Uint8Array {
  return authoredFields.encode(toAuthored(item))
}

/** Returns `null` unless the item is well-formed. It does not check the signature. The payload aliases `bytes`. */
export function decodeAuthoredItem(bytes: Uint8Array): AuthoredItem | null {
  const decoded = decodeOrNull(authoredFields, bytes)
  return decoded && fromAuthored(decoded)
}

/** Names an item in those behind it, hex. Its id is random, so the hash tells nothing of an erased item. */
export function itemHash(item: AuthoredItem): string {
  return bytesToHex(sha256(domainSeparated("keymoot v1 log item hash", encodeAuthoredItem(item))))
}

/** Signs an item before it is sent, so that it can be transferred to later newcomers. */
export async function signItem(
  signer: Signer,
  conferenceId: string,
  message: { readonly channel: string; readonly payload: Uint8Array; readonly sentAtMs: number },
  after: string = NO_ITEM,
): Promise<AuthoredItem> {
  const id = bytesToHex(randomBytes(ITEM_ID_BYTES))
  const fingerprint = bytesToHex(fingerprintOf(signer.certificate))
  const content = { ...message, id, fingerprint, after }
  return fromAuthored({ content, signature: await signer.sign(signingBytes(conferenceId, content)) })
}

/**
 * Whether this author signed the item in this conference.
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

function toAuthored({ id, fingerprint, after, channel, sentAtMs, payload, signature }: AuthoredItem) {
  return { content: { id, fingerprint, after, channel, sentAtMs, payload }, signature }
}

function fromAuthored({ content, signature }: { content: SignedFields; signature: Uint8Array }): AuthoredItem {
  return { ...content, author: authorIn(content.fingerprint), signature }
}

function authorIn(fingerprint: string): MemberId {
  return fingerprint.slice(0, 2 * 16) as MemberId
}
