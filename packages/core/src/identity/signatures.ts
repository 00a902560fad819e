/**
 * Ed25519 by WebCrypto, and in Node by its own cryptography: there WebCrypto works in another thread, and to wake that one and be
 * woken by it takes longer than a signature, of which a view change makes and checks a dozen one after another.
 */
import { concatBytes } from "@noble/hashes/utils.js"
import { nodeCrypto, type NodeCrypto } from "../platform/node-crypto.ts"
import { bufferSource } from "../wire/index.ts"

type KeyObject = import("node:crypto").KeyObject
export type Sign = (bytes: Uint8Array) => Promise<Uint8Array>
export type Verify = (bytes: Uint8Array, signature: Uint8Array) => Promise<boolean>

/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410): this, then the 32 bytes. */
const SPKI_PREFIX = Uint8Array.of(48, 42, 48, 5, 6, 3, 43, 101, 112, 3, 33, 0)

/** Of signatures that are made at once: behind each that many everything else has its turn. */
const AT_ONCE_MAX = 16

const node = nodeCrypto()
/** As it was at the beginning, whoever plays with time later. */
const { setImmediate } = globalThis

/** Of private keys that were made here: WebCrypto's own stay as little extractable as they were asked to be. */
const nodeKeys = new WeakMap<CryptoKey, KeyObject>()

/** So that Node's own cryptography can sign with it, too. @param pkcs8 the same key; the caller overwrites it. */
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

/** Whoever is alone hears at once what it says, and may say something else then: without a pause for ever. */
function nodeSign(node: NodeCrypto, key: KeyObject): Sign {
  let made = 0
  return async (bytes) => {
    if (++made % AT_ONCE_MAX === 0) await new Promise<void>((turn) => void setImmediate(turn))
    return new Uint8Array(node.sign(null, bytes, key))
  }
}

/** Null for what is no public key, of 32 bytes. */
export async function verifyUnder(raw: Uint8Array): Promise<Verify | null> {
  // Node would overlook bytes behind them.
  if (raw.length !== 32) return null
  return (node ? nodeVerify(node, raw) : webVerify(raw)).catch(() => null)
}

export async function nodeVerify(node: NodeCrypto, raw: Uint8Array): Promise<Verify> {
  const spki = concatBytes(SPKI_PREFIX, raw) as Buffer
  const key = node.createPublicKey({ key: spki, format: "der", type: "spki" })
  return async (bytes, signature) => node.verify(null, bytes, key, signature)
}

export async function webVerify(raw: Uint8Array): Promise<Verify> {
  const key = await crypto.subtle.importKey("raw", bufferSource(raw), "Ed25519", false, ["verify"])
  return (bytes, signature) => crypto.subtle.verify("Ed25519", key, bufferSource(signature), bufferSource(bytes))
}
