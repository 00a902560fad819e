/**
 * Messages between a waiting person and the hosts, sealed with HPKE. A guest seals to a key of the group's epoch, which
 * all members of the view hold. A host seals to the guest's own key.
 *
 * The signature is inside the seal, so only its readers can link a message to a certificate. It covers the recipient's
 * key, so a reader cannot seal it again for somebody else.
 */
import * as P from "micro-packed"
import { exportKey, openBase, sealBase, type X25519 } from "@keymoot/gke"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { boundedBytes, decodeOrNull, domainSeparated } from "../wire/index.ts"

/** Bytes of a text in UTF-8. All sealed messages are equally long. */
export const TEXT_BYTES_MAX = 1024
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** `number`: from 1, ascending for each sender. `replyKey`: of the guest; an answer repeats it. An empty text says only where to answer. */
export type OutsideBody = { readonly number: number; readonly replyKey: Uint8Array; readonly text: string }
export type OutsideSealed = { readonly key: Uint8Array; readonly enc: Uint8Array; readonly ciphertext: Uint8Array }
/** The conference of a message. Elsewhere it does not open. */
type OutsideScope = { readonly conferenceId: Uint8Array; readonly descriptorHash: Uint8Array }
type Direction = "message" | "answer"

/** The plaintext of a seal. */
export const outsideBody: P.CoderType<OutsideBody & { readonly signature: Uint8Array }> = P.struct({
  number: P.U32BE,
  replyKey: P.bytes(KEY_BYTES),
  text: P.apply(P.bytes(2 + TEXT_BYTES_MAX), { encode: unpadded, decode: padded }),
  signature: P.bytes(SIGNATURE_BYTES),
})

export const outsideSealed: P.CoderType<OutsideSealed> = P.struct({
  key: P.bytes(KEY_BYTES),
  enc: P.bytes(KEY_BYTES),
  ciphertext: boundedBytes(P.U16BE, 2 * TEXT_BYTES_MAX),
})

/** Secret of the key pair of an epoch, which all members of the view derive. */
export function outsideSecretOf(epochKey: Uint8Array, viewId: Uint8Array): Uint8Array {
  return exportKey(epochKey, "keymoot v1 outside", viewId, KEY_BYTES)
}

/** One line or several, without other control characters. */
export function isOutsideText(text: string): boolean {
  return utf8ToBytes(text).length <= TEXT_BYTES_MAX && !/[^\P{Cc}\n]|\p{Cs}/u.test(text)
}

/** `key`: the recipient's. */
export function outsideSigningBytes(
  direction: Direction,
  { conferenceId, descriptorHash }: OutsideScope,
  key: Uint8Array,
  { number, replyKey, text }: OutsideBody,
): Uint8Array {
  const fields = concatBytes(conferenceId, descriptorHash, key, replyKey, P.U32BE.encode(number), utf8ToBytes(text))
  return domainSeparated(`keymoot v1 outside ${direction}`, fields)
}

/** Returns null if the key is no usable one. */
export function sealOutside(
  x25519: X25519,
  direction: Direction,
  scope: OutsideScope,
  {
    key,
    body,
    signature,
    ephemeralSecret,
  }: { key: Uint8Array; body: OutsideBody; signature: Uint8Array; ephemeralSecret: Uint8Array },
): OutsideSealed | null {
  const plaintext = outsideBody.encode({ ...body, signature })
  const info = infoOf(direction, scope)
  const sealed = sealBase(x25519, { recipient: key, ephemeralSecret, info, aad: key, plaintext })
  return sealed && { key, ...sealed }
}

/** Returns null for bytes that were not sealed to this key, in this direction and for this conference. The signature is unchecked. */
export function openOutside(
  x25519: X25519,
  direction: Direction,
  scope: OutsideScope,
  secret: Uint8Array,
  { key, ...sealed }: OutsideSealed,
): (OutsideBody & { readonly signature: Uint8Array }) | null {
  const info = infoOf(direction, scope)
  const opened = openBase(x25519, { secret, recipient: key, info, aad: key, sealed })
  return opened && decodeOrNull(outsideBody, opened)
}

function infoOf(direction: Direction, { conferenceId, descriptorHash }: OutsideScope): Uint8Array {
  return domainSeparated(`keymoot v1 outside ${direction} seal`, concatBytes(conferenceId, descriptorHash))
}

function padded(text: string): Uint8Array {
  const bytes = utf8ToBytes(text)
  const whole = new Uint8Array(2 + TEXT_BYTES_MAX)
  whole.set(P.U16BE.encode(bytes.length))
  whole.set(bytes, 2)
  return whole
}

/** Throws for a text that no sender writes. */
function unpadded(bytes: Uint8Array): string {
  const length = P.U16BE.decode(bytes.subarray(0, 2))
  if (length > TEXT_BYTES_MAX || bytes.subarray(2 + length).some((byte) => byte !== 0))
    throw new RangeError("the padding is not of zeros")
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(2, 2 + length))
  if (!isOutsideText(text)) throw new RangeError("the text has control characters")
  return text
}
