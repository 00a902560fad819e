/**
 * Codes that people compare. They are not derived from key material, and they are long. A man in the middle sees both
 * sides' contributions before he makes his own, and could search for a match to a short code.
 */
import { sha512 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { compareBytes, requireLength, updateFields } from "../shared/bytes.ts"
import { KeyAgreementError } from "../shared/errors.ts"

/**
 * 10^60 codes: 199 bits. Both codes are attacked by collisions (see `pairHash`), so this is worth 2^100 tries. The 40 digits
 * that the conference code once had were worth 2^66.
 */
const CODE_DIGITS = 60
const GROUP_DIGITS = 5

/**
 * Equal at all members of a membership, and constant across its keys: 60 decimal digits in groups of five, like
 * `31415 92653 …`.
 *
 * @param descriptorHash 32 bytes
 * @param fingerprints SHA-256 of each member's whole certificate, 32 bytes each, in any order
 */
export function conferenceCode(descriptorHash: Uint8Array, fingerprints: readonly Uint8Array[]): string {
  requireLength("the descriptor hash", descriptorHash, 32)
  for (const fingerprint of fingerprints) requireLength("a certificate fingerprint", fingerprint, 32)
  const sorted = [...fingerprints].sort(compareBytes)
  return digits(hashOf(["keymoot v1 conference code", descriptorHash, ...sorted]))
}

/**
 * Code to verify a person: 60 decimal digits in groups of five over the two identity public keys and nothing else. It
 * is the same on both screens, in every conference and under every name.
 *
 * @param mine @param theirs public keys in one encoding, 32 bytes each (Ed25519).
 *
 * @throws KeyAgreementError `bad-input` if they are the same key: a code with oneself proves nothing.
 */
export function pairCode(mine: Uint8Array, theirs: Uint8Array): string {
  return digits(pairHash(mine, theirs))
}

/**
 * The hash that the pair code shows in digits, for other representations: 64 bytes, the same on both screens.
 *
 * A man in the middle shows each side a key of his own. He can try many keys for both sides until the two codes agree.
 * That is a collision attack, not a preimage attack. So a representation must keep twice as many bits as the strength
 * required.
 *
 * @param mine @param theirs @throws as for `pairCode`
 */
export function pairHash(mine: Uint8Array, theirs: Uint8Array): Uint8Array {
  requireLength("a public key", mine, 32)
  requireLength("a public key", theirs, 32)
  const order = compareBytes(mine, theirs)
  if (order === 0) throw new KeyAgreementError("bad-input", "a pair code needs two different keys")
  return hashOf(["keymoot v1 pair code", ...(order < 0 ? [mine, theirs] : [theirs, mine])])
}

function hashOf(fields: readonly (Uint8Array | string)[]): Uint8Array {
  const hash = sha512.create()
  updateFields(hash, fields)
  return hash.digest()
}

/** 512 bits modulo 10^60: the bias is below 2^-300. */
function digits(hash: Uint8Array): string {
  const number = BigInt(`0x${bytesToHex(hash)}`) % 10n ** BigInt(CODE_DIGITS)
  const text = number.toString().padStart(CODE_DIGITS, "0")
  return Array.from({ length: CODE_DIGITS / GROUP_DIGITS }, (_, i) =>
    text.slice(i * GROUP_DIGITS, (i + 1) * GROUP_DIGITS),
  ).join(" ")
}
