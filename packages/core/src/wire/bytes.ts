import { concatBytes } from "@noble/hashes/utils.js"

/** WebCrypto's types exclude shared memory; no buffer of this package is shared. */
export function bufferSource(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>
}

/**
 * The same bytes in a buffer of their own: what crosses to another thread takes all of its buffer along, and what is kept
 * keeps it. One small message of a large batch would be copied as large as the batch, each time.
 */
export function ownBuffer(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
}

/** For public values only: the time it takes tells where they differ. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

/**
 * What is signed or hashed: the domain with its length in front, then the parts. The length keeps one domain from being the
 * beginning of another, so a signature made for one purpose can never be read as made for the other. Parts before the last
 * must have a fixed length.
 */
export function domainSeparated(domain: string, ...parts: readonly Uint8Array[]): Uint8Array {
  const name = new TextEncoder().encode(domain)
  return concatBytes(Uint8Array.of(name.length), name, ...parts)
}

/** A broken invariant is our bug, and stops at once; no peer's bytes may lead here. */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new Error(`broken invariant: ${invariant}`)
}
