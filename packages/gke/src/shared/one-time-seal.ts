/** ChaCha20-Poly1305 (RFC 8439) of noble, for keys that seal one secret each. So the nonce can be constant. */
import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { secretBytes, settleSecret } from "./bytes.ts"

export const SEAL_TAG_BYTES = 16
const KEY_BYTES = 32
const NONCE = new Uint8Array(12)

/** Derives the key of one seal from a shared secret, and overwrites both. */
export function withSealKey<T>(shared: Uint8Array, info: Uint8Array, use: (key: Uint8Array) => T): T {
  const key = settleSecret(hkdf(sha256, shared, undefined, info, KEY_BYTES))
  shared.fill(0)
  const result = use(key)
  key.fill(0)
  return result
}

/** Returns the ciphertext and its tag. The cipher encrypts in place of its output. */
export function sealOnce(key: Uint8Array, secret: Uint8Array): Uint8Array {
  return chacha20poly1305(key, NONCE).encrypt(secret, secretBytes(secret.length + SEAL_TAG_BYTES))
}

/** Null if it was not sealed so. The caller owns the secret. */
export function openOnce(key: Uint8Array, sealed: Uint8Array): Uint8Array | null {
  if (sealed.length < SEAL_TAG_BYTES) return null
  try {
    return chacha20poly1305(key, NONCE).decrypt(sealed, secretBytes(sealed.length - SEAL_TAG_BYTES))
  } catch {
    return null
  }
}
