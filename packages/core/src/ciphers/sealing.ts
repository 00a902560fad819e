import { concatBytes, randomBytes } from "@noble/hashes/utils.js"
import { type Aead, AEAD_NONCE_BYTES, AEAD_TAG_BYTES } from "./aead.ts"
import { aesGcmUnder, webAesGcm } from "./aes-gcm.ts"

/** Overhead of sealing. */
export const SEAL_OVERHEAD_BYTES = AEAD_NONCE_BYTES + AEAD_TAG_BYTES

/**
 * AES-256-GCM by WebCrypto under a random nonce. Batches use the same cipher, so the product depends on one AEAD,
 * native and in constant time. Callers await a signature anyway, so its asynchrony costs nothing. Each key seals far
 * fewer than 2^32 values, so random nonces do not collide.
 * @param key 32 bytes, or a key of WebCrypto. @returns nonce ‖ ciphertext ‖ tag.
 */
export async function seal(
  key: Uint8Array | CryptoKey,
  associatedData: Uint8Array,
  plaintext: Uint8Array,
): Promise<Uint8Array> {
  const nonce = randomBytes(AEAD_NONCE_BYTES)
  return concatBytes(nonce, await under(key).seal(nonce, associatedData, plaintext))
}

/** Returns `null` for another key, other associated data, or altered bytes, which cannot be distinguished. */
export async function open(
  key: Uint8Array | CryptoKey,
  associatedData: Uint8Array,
  sealed: Uint8Array,
): Promise<Uint8Array | null> {
  if (sealed.length < SEAL_OVERHEAD_BYTES) return null
  return under(key).open(sealed.subarray(0, AEAD_NONCE_BYTES), associatedData, sealed.subarray(AEAD_NONCE_BYTES))
}

function under(key: Uint8Array | CryptoKey): Aead {
  return key instanceof CryptoKey ? aesGcmUnder(key) : webAesGcm(key)
}
