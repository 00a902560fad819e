import { sha512 } from "@noble/hashes/sha2.js"
import { updateFields } from "../bytes.ts"
import type { Element } from "./prime-order-group.ts"

/** The 64 bytes that every backend reduces in `hashToScalar`; wide enough for a bias below 2^-250. The caller overwrites them. */
export function hashToWideScalar(domain: string, e: Element): Uint8Array {
  const hash = sha512.create()
  updateFields(hash, [domain, e])
  return hash.digest()
}
