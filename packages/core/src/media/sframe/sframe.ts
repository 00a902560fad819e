/**
 * SFrame (RFC 9605) with AES_256_GCM_SHA512_128, over an AEAD of the caller. A frame has no clear bytes: it is the
 * header, the ciphertext and the tag.
 */
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { expand, extract } from "@noble/hashes/hkdf.js"
import { sha512 } from "@noble/hashes/sha2.js"
import type { Aead } from "../../ciphers/aead.ts"
import { encodeSFrameHeader, SFRAME_HEADER_BYTES_MAX, type SFrameHeader } from "./sframe-header.ts"

const TAG_BYTES = 16
/** Largest plaintext of one frame. Larger frames are neither sent nor opened. */
export const MEDIA_FRAME_BYTES_MAX = 2 * 1024 * 1024
/** Most bytes that encryption adds to a frame. */
export const SFRAME_OVERHEAD_BYTES_MAX = SFRAME_HEADER_BYTES_MAX + TAG_BYTES

export type SFrameKey = {
  readonly keyId: number
  /** 12 bytes. */
  readonly salt: Uint8Array
  /** AES-256-GCM under the key of `sframeSecrets`. */
  readonly cipher: Pick<Aead, "seal" | "open">
}

/**
 * Encrypts a frame. `metadata` is authenticated and not sent.
 * @param counter never used twice under one key: two frames with one nonce would reveal each other and forge others
 */
export async function sealFrame(
  { keyId, salt, cipher }: SFrameKey,
  counter: number,
  metadata: Uint8Array,
  plaintext: Uint8Array,
): Promise<Uint8Array> {
  const header = encodeSFrameHeader({ keyId, counter })
  const sealed = await cipher.seal(nonceOf(salt, counter), concatBytes(header, metadata), plaintext)
  return concatBytes(header, sealed)
}

/**
 * Decrypts a frame whose header is decoded and names `key`. Returns null if its sender did not seal these bytes with
 * this header and metadata.
 */
export async function openFrame(
  { salt, cipher }: SFrameKey,
  { header, bytes }: { readonly header: SFrameHeader; readonly bytes: number },
  metadata: Uint8Array,
  frame: Uint8Array,
): Promise<Uint8Array | null> {
  if (frame.length < bytes + TAG_BYTES || frame.length > MEDIA_FRAME_BYTES_MAX + SFRAME_OVERHEAD_BYTES_MAX) return null
  const associated = concatBytes(frame.subarray(0, bytes), metadata)
  return cipher.open(nonceOf(salt, header.counter), associated, frame.subarray(bytes))
}

/** RFC 9605, section 4.4.3. */
function nonceOf(salt: Uint8Array, counter: number): Uint8Array {
  const nonce = salt.slice()
  const low = new DataView(nonce.buffer, nonce.byteOffset + SFRAME_NONCE_BYTES - 8)
  low.setBigUint64(0, low.getBigUint64(0) ^ BigInt(counter))
  return nonce
}

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
