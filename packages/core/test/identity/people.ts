import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity, type OwnIdentity } from "../../src/identity/own-identity.ts"

/** A new identity with nothing stored anywhere. */
export function newcomer(name: string, now: () => number = Date.now): Promise<OwnIdentity> {
  return openIdentity({ name, store: createMemoryStore(), now })
}

/** `npm run test:all` flips each bit of a certificate. */
export const CERTIFICATE_BITS_APART = process.env["RUNS"] === "full" ? 1 : 7

export async function newKeyPair(): Promise<CryptoKeyPair> {
  return (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair
}

/**
 * The bytes once for each bit, with that bit flipped.
 * @param bitsApart 7 flips a bit of each byte, and in turn each of the eight.
 */
export function* eachBitFlipped(bytes: Uint8Array, bitsApart = 1): Generator<{ bit: number; flipped: Uint8Array }> {
  for (let bit = 0; bit < bytes.length * 8; bit += bitsApart) {
    const flipped = bytes.slice()
    flipped[bit >> 3] = flipped[bit >> 3]! ^ (1 << (bit & 7))
    yield { bit, flipped }
  }
}

/** The bytes once for each byte, with one bit of it flipped (not always the same one). */
export function* eachByteFlipped(bytes: Uint8Array): Generator<{ at: number; flipped: Uint8Array }> {
  for (let at = 0; at < bytes.length; at++) {
    const flipped = bytes.slice()
    flipped[at] = flipped[at]! ^ (1 << ((at * 5) & 7))
    yield { at, flipped }
  }
}
