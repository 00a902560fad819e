import { sha512 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { u32 } from "../shared/bytes.ts"
import type { Element } from "./prime-order-group.ts"

/**
 * The input that every backend hashes with SHA-512 and reduces in `hashToScalar`: domain and element, each after its
 * length. 64 bytes are wide enough for a bias below 2^-250. The caller overwrites both this and the hash.
 */
export function scalarHashInput(domain: string, e: Element): Uint8Array {
  const encoded = utf8ToBytes(domain)
  return concatBytes(u32(encoded.length), encoded, u32(e.length), e)
}

/** The hash, for backends that have none of their own. */
export function hashToWideScalar(domain: string, e: Element): Uint8Array {
  const input = scalarHashInput(domain, e)
  const wide = sha512(input)
  input.fill(0)
  return wide
}
