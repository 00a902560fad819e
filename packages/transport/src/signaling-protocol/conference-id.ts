import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** 128 bits: finding another descriptor for a given id takes 2^128 attempts, and two descriptors with one id 2^64. */
const CONFERENCE_ID_BYTES = 16

/** SHA-256 over all of a descriptor, its signature included: an invitation link pins this. 32 bytes. */
export function descriptorHashOf(descriptor: Uint8Array): Uint8Array {
  return hash("keymoot v1 descriptor hash", descriptor)
}

/**
 * The id of a conference, 32 hex digits, from its descriptor's hash. Nobody can choose it. So everything that is
 * stored, signed or sealed under an id belongs to one descriptor, and nobody can reserve another conference's id at a
 * server.
 */
export function conferenceIdOf(descriptorHash: Uint8Array): string {
  return bytesToHex(hash("keymoot v1 conference id", descriptorHash).subarray(0, CONFERENCE_ID_BYTES))
}

/** The leading length prevents one domain from being a prefix of another. */
function hash(domain: string, bytes: Uint8Array): Uint8Array {
  const name = utf8ToBytes(domain)
  return sha256(concatBytes(Uint8Array.of(name.length), name, bytes))
}
