/**
 * Codes that people compare. Never from key material, nor short: a man in the middle sees everybody's contributions before
 * he makes his own, and could try until a short code matches.
 */
import { sha512 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { compareBytes, requireLength, updateFields } from "./bytes.ts"
import { KeyAgreementError } from "./errors.ts"

/** 10^40 codes: 132 bits. */
const CONFERENCE_CODE_DIGITS = 40
/** 10^60 codes: 199 bits. */
const PAIR_CODE_DIGITS = 60
const GROUP_DIGITS = 5

/**
 * Equal at all members of a membership, and constant across its keys: 40 decimal digits in groups of five, like
 * `31415 92653 …`.
 *
 * @param descriptorHash 32 bytes
 * @param fingerprints SHA-256 of each member's whole certificate, 32 bytes each, in any order
 */
export function conferenceCode(descriptorHash: Uint8Array, fingerprints: readonly Uint8Array[]): string {
  requireLength("the descriptor hash", descriptorHash, 32)
  for (const fingerprint of fingerprints) requireLength("a certificate fingerprint", fingerprint, 32)
  const sorted = [...fingerprints].sort(compareBytes)
  return digits(["keymoot v1 conference code", descriptorHash, ...sorted], CONFERENCE_CODE_DIGITS)
}

/**
 * Verifies a person: 60 decimal digits in groups of five over two identity public keys and nothing else, so that it is the
 * same on both screens, in every conference and under every name.
 *
 * @param mine @param theirs public keys in one encoding, 32 bytes each (Ed25519)
 * @throws KeyAgreementError `bad-input` if they are the same key: a code with oneself proves nothing.
 */
export function pairCode(mine: Uint8Array, theirs: Uint8Array): string {
  requireLength("a public key", mine, 32)
  requireLength("a public key", theirs, 32)
  const order = compareBytes(mine, theirs)
  if (order === 0) throw new KeyAgreementError("bad-input", "a pair code needs two different keys")
  return digits(["keymoot v1 pair code", ...(order < 0 ? [mine, theirs] : [theirs, mine])], PAIR_CODE_DIGITS)
}

/** 512 bits modulo 10^count: the bias is below 2^-300. */
function digits(fields: readonly (Uint8Array | string)[], count: number): string {
  const hash = sha512.create()
  updateFields(hash, fields)
  const number = BigInt(`0x${bytesToHex(hash.digest())}`) % 10n ** BigInt(count)
  const text = number.toString().padStart(count, "0")
  return Array.from({ length: count / GROUP_DIGITS }, (_, i) =>
    text.slice(i * GROUP_DIGITS, (i + 1) * GROUP_DIGITS),
  ).join(" ")
}
