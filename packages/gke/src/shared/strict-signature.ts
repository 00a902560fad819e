/**
 * The rule about Ed25519 encodings that every verifier applies before it computes. Libraries differ about such inputs,
 * and members with different verdicts would have different views:
 *
 * - R is the identity: Chromium and Firefox accept what Node and libsodium reject.
 * - The key has small order: likewise. If it is also not canonical, Chromium accepts it and Firefox does not.
 *
 * Only the owner of a key can make such a signature. With the rule and the equation without cofactor (RFC 8032, section
 * 5.1.7), all have one verdict. docs/protocol/vectors/ed25519.json has the cases.
 */
import { bytesToHex } from "@noble/hashes/utils.js"

const POINT_BYTES = 32
const SIGNATURE_BYTES = 64
/** Order of the base point, big-endian. */
const ORDER = "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed"
/** 2^255-19, big-endian. */
const FIELD = "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed"
/** The y coordinates of the points of order 1, 2, 4 and 8, big-endian. */
const SMALL_ORDER_Y = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000001",
  "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
  "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",
  "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec",
])

/**
 * Whether a key is encoded canonically and has no small order. Under a key of small order one signature verifies for
 * many messages.
 */
export function isStrictKey(publicKey: Uint8Array): boolean {
  return publicKey.length === POINT_BYTES && isStrictPoint(publicKey)
}

/** Whether R is encoded canonically and has no small order, and S is below the group's order. */
export function isStrictSignature(signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES || !isStrictPoint(signature.subarray(0, POINT_BYTES))) return false
  return bigEndian(signature.subarray(POINT_BYTES)) < ORDER
}

/** The points of order 1 and 2 have x = 0, so this also excludes their encodings with a sign. */
function isStrictPoint(bytes: Uint8Array): boolean {
  const y = bytes.slice()
  y[POINT_BYTES - 1]! &= 0x7f
  const encoded = bigEndian(y)
  return encoded < FIELD && !SMALL_ORDER_Y.has(encoded)
}

/** Numbers of one length compare as their hex digits do. */
function bigEndian(bytes: Uint8Array): string {
  return bytesToHex(bytes.toReversed())
}
