import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** WebCrypto's types exclude shared memory; no buffer of this package is shared. */
export function bufferSource(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}

/**
 * Copies the bytes into a buffer of their own. A transfer to another thread takes a whole buffer, and a kept view keeps
 * it. Otherwise one small message of a large batch would be copied as large as the batch each time.
 */
export function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
}

/** For public values only: its running time reveals the first difference. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/**
 * Bytes to be signed or hashed: the domain after its length, then the parts. The length prevents one domain from being
 * a prefix of another, so a signature for one purpose is invalid for another. Parts before the last must have a fixed
 * length.
 */
export function domainSeparated(domain: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const name = utf8ToBytes(domain)
  return concatBytes(Uint8Array.of(name.length), name, ...parts)
}

/** Throws if an invariant is violated, which is a bug of this program. No bytes of a peer may cause it. */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${invariant}`)
}
