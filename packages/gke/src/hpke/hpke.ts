/**
 * Hybrid public key encryption: RFC 9180 base mode, single-shot (section 6.1), with DHKEM(X25519, HKDF-SHA256),
 * HKDF-SHA256 and ChaCha20-Poly1305. Synchronous and without randomness of its own. Divergence: the ephemeral secret is
 * an argument, not derived from input keying material by DeriveKeyPair. Section 7.1.3 allows this for X25519, where any
 * 32 bytes are a key.
 */
import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { expand, extract } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { joinSecrets, secretBytes, settleSecret } from "../shared/bytes.ts"
import type { X25519 } from "./x25519.ts"

const HASH_BYTES = 32
const KEY_BYTES = 32
const NONCE_BYTES = 12
export const AEAD_TAG_BYTES = 16

const VERSION = utf8ToBytes("HPKE-v1")
const KEM_SUITE = Uint8Array.of(...utf8ToBytes("KEM"), 0x00, 0x20)
const HPKE_SUITE = Uint8Array.of(...utf8ToBytes("HPKE"), 0x00, 0x20, 0x00, 0x01, 0x00, 0x03)
const MODE_BASE = 0x00
const NO_PSK = new Uint8Array(0)

/** `enc`: the ephemeral public key, 32 bytes. `ciphertext`: as long as the plaintext, and a tag of 16 bytes. */
export type Sealed = { readonly enc: Uint8Array; readonly ciphertext: Uint8Array }

export type SealInput = {
  readonly recipient: Uint8Array
  /** 32 uniform bytes, used for this one sealing; the caller overwrites them. */
  readonly ephemeralSecret: Uint8Array
  readonly info: Uint8Array
  readonly aad: Uint8Array
  readonly plaintext: Uint8Array
}

/** SealBase. Null where `recipient` is a point of small order. */
export function sealBase(x25519: X25519, input: SealInput): Sealed | null {
  const enc = x25519.publicKey(input.ephemeralSecret)
  const dh = x25519.shared(input.ephemeralSecret, input.recipient)
  if (!dh) return null
  const { key, baseNonce } = keySchedule(sharedSecret(dh, enc, input.recipient), input.info)
  // The context serves one message, so its nonce is the base nonce (sequence number 0).
  const ciphertext = chacha20poly1305(key, baseNonce, input.aad).encrypt(
    input.plaintext,
    secretBytes(input.plaintext.length + AEAD_TAG_BYTES),
  )
  key.fill(0)
  return { enc, ciphertext }
}

export type OpenInput = {
  readonly secret: Uint8Array
  /** The public key of `secret`. */
  readonly recipient: Uint8Array
  readonly info: Uint8Array
  readonly aad: Uint8Array
  readonly sealed: Sealed
}

/** OpenBase. Null for bytes that were not sealed to this key with this `info` and `aad`. */
export function openBase(x25519: X25519, { secret, recipient, info, aad, sealed }: OpenInput): Uint8Array | null {
  const dh = x25519.shared(secret, sealed.enc)
  if (!dh) return null
  const { key, baseNonce } = keySchedule(sharedSecret(dh, sealed.enc, recipient), info)
  try {
    return chacha20poly1305(key, baseNonce, aad).decrypt(sealed.ciphertext)
  } catch {
    return null
  } finally {
    key.fill(0)
  }
}

/** ExtractAndExpand of section 4.1. Overwrites `dh`. */
function sharedSecret(dh: Uint8Array, enc: Uint8Array, recipient: Uint8Array): Uint8Array {
  const prk = labeledExtract(KEM_SUITE, NO_PSK, "eae_prk", dh)
  dh.fill(0)
  const secret = labeledExpand(KEM_SUITE, prk, "shared_secret", concatBytes(enc, recipient), HASH_BYTES)
  prk.fill(0)
  return secret
}

/** KeySchedule of section 5.1 in base mode. Overwrites `shared`. */
function keySchedule(shared: Uint8Array, info: Uint8Array): { key: Uint8Array; baseNonce: Uint8Array } {
  const pskIdHash = labeledExtract(HPKE_SUITE, NO_PSK, "psk_id_hash", NO_PSK)
  const infoHash = labeledExtract(HPKE_SUITE, NO_PSK, "info_hash", info)
  const context = concatBytes(Uint8Array.of(MODE_BASE), pskIdHash, infoHash)
  const secret = labeledExtract(HPKE_SUITE, shared, "secret", NO_PSK)
  shared.fill(0)
  const key = labeledExpand(HPKE_SUITE, secret, "key", context, KEY_BYTES)
  const baseNonce = labeledExpand(HPKE_SUITE, secret, "base_nonce", context, NONCE_BYTES)
  secret.fill(0)
  return { key, baseNonce }
}

function labeledExtract(suite: Uint8Array, salt: Uint8Array, label: string, ikm: Uint8Array): Uint8Array {
  const labeled = joinSecrets(VERSION, suite, utf8ToBytes(label), ikm)
  const prk = settleSecret(extract(sha256, labeled, salt))
  labeled.fill(0)
  return prk
}

function labeledExpand(
  suite: Uint8Array,
  prk: Uint8Array,
  label: string,
  info: Uint8Array,
  length: number,
): Uint8Array {
  const labeled = concatBytes(Uint8Array.of(0, length), VERSION, suite, utf8ToBytes(label), info)
  return settleSecret(expand(sha256, prk, labeled, length))
}
