import { expand, extract } from "@noble/hashes/hkdf.js"
import { sha512 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"

/** AES_256_GCM_SHA512_128 in the registry of RFC 9605, section 8.1. */
const CIPHER_SUITE = 5
const KEY_BYTES = 32
export const SFRAME_NONCE_BYTES = 12

/** Key and salt of one sender. The caller owns and overwrites both. */
export type SFrameSecrets = { readonly key: Uint8Array; readonly salt: Uint8Array }

/** Derives the secrets of a base key for one key id (RFC 9605, section 4.4.2). */
export function sframeSecrets(baseKey: Uint8Array, keyId: number): SFrameSecrets {
  const secret = extract(sha512, baseKey, new Uint8Array(0))
  const suffix = new Uint8Array(10)
  new DataView(suffix.buffer).setBigUint64(0, BigInt(keyId))
  new DataView(suffix.buffer).setUint16(8, CIPHER_SUITE)
  const derive = (label: string, length: number): Uint8Array =>
    expand(sha512, secret, concatBytes(utf8ToBytes(`SFrame 1.0 Secret ${label} `), suffix), length)
  const secrets = { key: derive("key", KEY_BYTES), salt: derive("salt", SFRAME_NONCE_BYTES) }
  secret.fill(0)
  return secrets
}
