import { concatBytes } from "@noble/hashes/utils.js"

/** The body of an `agreement` frame: a message of the key agreement module, or a proof that its sender holds the key. */
export type AgreementBody =
  { readonly type: "message"; readonly bytes: Uint8Array } | { readonly type: "confirmation"; readonly tag: Uint8Array }

const MESSAGE = 0
const CONFIRMATION = 1
const CONFIRMATION_BYTES = 32

export function encodeAgreementBody(body: AgreementBody): Uint8Array {
  return body.type === "message"
    ? concatBytes(Uint8Array.of(MESSAGE), body.bytes)
    : concatBytes(Uint8Array.of(CONFIRMATION), body.tag)
}

export function decodeAgreementBody(bytes: Uint8Array): AgreementBody | null {
  const rest = bytes.subarray(1)
  if (bytes[0] === MESSAGE) return { type: "message", bytes: rest }
  if (bytes[0] === CONFIRMATION && rest.length === CONFIRMATION_BYTES) return { type: "confirmation", tag: rest }
  return null
}
