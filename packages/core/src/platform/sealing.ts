import { concatBytes, randomBytes } from "@noble/hashes/utils.js"

import { bufferSource } from "../wire/index.ts"

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Overhead of sealing. */
export const SEAL_OVERHEAD_BYTES = NONCE_BYTES + TAG_BYTES

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
  const nonce = randomBytes(NONCE_BYTES)
  const aesKey = await importKey(key, "encrypt")
  const ciphertext = await crypto.subtle.encrypt(parameters(nonce, associatedData), aesKey, bufferSource(plaintext))
  return concatBytes(nonce, new Uint8Array(ciphertext))
}

/** Returns `null` for another key, other associated data, or altered bytes, which cannot be distinguished. */
export async function open(
  key: Uint8Array | CryptoKey,
  associatedData: Uint8Array,
  sealed: Uint8Array,
): Promise<Uint8Array | null> {
  if (sealed.length < SEAL_OVERHEAD_BYTES) return null
  const aesKey = await importKey(key, "decrypt")
  const nonce = sealed.subarray(0, NONCE_BYTES)
  try {
    const ciphertext = bufferSource(sealed.subarray(NONCE_BYTES))
    return new Uint8Array(await crypto.subtle.decrypt(parameters(nonce, associatedData), aesKey, ciphertext))
  } catch {
    return null
  }
}

function parameters(nonce: Uint8Array, associatedData: Uint8Array): AesGcmParams {
  return { name: "AES-GCM", iv: bufferSource(nonce), additionalData: bufferSource(associatedData) }
}

async function importKey(key: Uint8Array | CryptoKey, usage: "encrypt" | "decrypt"): Promise<CryptoKey> {
  if (key instanceof CryptoKey) return key
  return crypto.subtle.importKey("raw", bufferSource(key), "AES-GCM", false, [usage])
}
