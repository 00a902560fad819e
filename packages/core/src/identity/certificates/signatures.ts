/**
 * Ed25519 by WebCrypto, and in Node by its own cryptography. Node's WebCrypto runs in another thread. Waking threads
 * takes longer than a signature, and a view change makes and checks a dozen in sequence.
 */
import { isStrictKey, isStrictSignature } from "@keymoot/gke"
import { concatBytes } from "@noble/hashes/utils.js"
import { nodeCrypto, type NodeCrypto } from "../../platform/node-crypto.ts"
import { bufferSource } from "../../wire/index.ts"

type KeyObject = import("node:crypto").KeyObject
export type Sign = (bytes: Uint8Array) => Promise<Uint8Array>
export type Verify = (bytes: Uint8Array, signature: Uint8Array) => Promise<boolean>

/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410): this, then the 32 bytes. */
export const ED25519_SPKI_PREFIX = Uint8Array.of(48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0)

/** Consecutive signatures after which the event loop gets a turn. */
const AT_ONCE_MAX = 16

const node = nodeCrypto()
/** Captured at load, so that tests with fake timers do not affect it. */
const { setImmediate } = globalThis

/** Private keys generated here. WebCrypto's own keys keep their extractability. */
const nodeKeys = new WeakMap<CryptoKey, KeyObject>()

/** Lets Node's own cryptography sign with the key, too. @param pkcs8 the same key; the caller overwrites it. */
export function rememberPrivateKey(key: CryptoKey, pkcs8: Uint8Array): void {
  if (node) nodeKeys.set(key, node.createPrivateKey({ key: pkcs8 as Buffer, format: "der", type: "pkcs8" }))
}

export async function signWith(key: CryptoKey): Promise<Sign> {
  if (node && key.extractable && !nodeKeys.has(key)) {
    const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", key))
    rememberPrivateKey(key, pkcs8)
    pkcs8.fill(0)
  }
  const own = nodeKeys.get(key)
  if (own) return nodeSign(node!, own)
  return async (bytes) => new Uint8Array(await crypto.subtle.sign("Ed25519", key, bufferSource(bytes)))
}

/** A member alone delivers its own message at once and may send the next, so signing could starve the event loop. */
function nodeSign(node: NodeCrypto, key: KeyObject): Sign {
  let made = 0
  return async (bytes) => {
    if (++made % AT_ONCE_MAX === 0) await new Promise<void>((turn) => void setImmediate(turn))
    return new Uint8Array(node.sign(null, bytes, key))
  }
}

/**
 * Returns null for an invalid public key. Keys and signatures that platforms judge differently are rejected before the
 * platform gets them (`isStrictKey`, `isStrictSignature`).
 */
export async function verifyUnder(raw: Uint8Array): Promise<Verify | null> {
  if (!isStrictKey(raw)) return null
  const verify = await (node ? nodeVerify(node, raw) : webVerify(raw)).catch(() => null)
  return verify && (async (bytes, signature) => isStrictSignature(signature) && verify(bytes, signature))
}

export async function nodeVerify(node: NodeCrypto, raw: Uint8Array): Promise<Verify> {
  const spki = concatBytes(ED25519_SPKI_PREFIX, raw) as Buffer
  const key = node.createPublicKey({ key: spki, format: "der", type: "spki" })
  return async (bytes, signature) => node.verify(null, bytes, key, signature)
}

export async function webVerify(raw: Uint8Array): Promise<Verify> {
  const key = await crypto.subtle.importKey("raw", bufferSource(raw), "Ed25519", false, ["verify"])
  return (bytes, signature) => crypto.subtle.verify("Ed25519", key, bufferSource(signature), bufferSource(bytes))
}
