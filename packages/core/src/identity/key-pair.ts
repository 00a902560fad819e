/** Ed25519 key pairs of WebCrypto and their encodings. */
import { concatBytes } from "@noble/hashes/utils.js"
import { KeymootError } from "../api/index.ts"
import { nodeCrypto } from "../platform/node-crypto.ts"
import { bufferSource, equalBytes } from "../wire/index.ts"
import { rememberPrivateKey } from "./certificates/signatures.ts"

/** PKCS #8 of an Ed25519 key (RFC 8410): this, then the 32 bytes of the seed. */
const PKCS8_PREFIX = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32)

/** @throws KeymootError `unsupported-browser` */
export async function generateKeyPair(extractable: boolean): Promise<CryptoKeyPair> {
  if (!extractable && nodeCrypto()) return generateInNode()
  try {
    return (await crypto.subtle.generateKey("Ed25519", extractable, ["sign", "verify"])) as CryptoKeyPair
  } catch (cause) {
    throw unsupported(cause)
  }
}

/** Imported instead of generated, so that Node's own cryptography has the key too. Also non-extractable. */
async function generateInNode(): Promise<CryptoKeyPair> {
  const made = await generateKeyPair(true)
  const seed = await exportSeed(made)
  const keyPair = await importKeyPair(seed, await rawPublicKey(made), false)
  seed.fill(0)
  return keyPair!
}

/** The caller overwrites it. @throws KeymootError `unsupported-browser` */
export async function exportSeed(keyPair: CryptoKeyPair): Promise<Uint8Array> {
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keyPair.privateKey))
  const seed = pkcs8.slice(PKCS8_PREFIX.length)
  const isPlain = seed.length === 32 && equalBytes(pkcs8.subarray(0, PKCS8_PREFIX.length), PKCS8_PREFIX)
  pkcs8.fill(0)
  if (!isPlain) throw unsupported(new Error("an Ed25519 key in another encoding than RFC 8410's"))
  return seed
}

/** Returns null if the two keys do not match. @throws KeymootError `unsupported-browser` */
export async function importKeyPair(
  seed: Uint8Array,
  publicKey: Uint8Array,
  extractable: boolean,
): Promise<CryptoKeyPair | null> {
  const pkcs8 = concatBytes(PKCS8_PREFIX, seed)
  try {
    const keyPair = {
      privateKey: await crypto.subtle.importKey("pkcs8", bufferSource(pkcs8), "Ed25519", extractable, ["sign"]),
      publicKey: await crypto.subtle.importKey("raw", bufferSource(publicKey), "Ed25519", true, ["verify"]),
    }
    rememberPrivateKey(keyPair.privateKey, pkcs8)
    const probe = bufferSource(crypto.getRandomValues(new Uint8Array(32)))
    const signature = await crypto.subtle.sign("Ed25519", keyPair.privateKey, probe)
    return (await crypto.subtle.verify("Ed25519", keyPair.publicKey, signature, probe)) ? keyPair : null
  } catch (cause) {
    throw unsupported(cause)
  } finally {
    pkcs8.fill(0)
  }
}

export async function rawPublicKey({ publicKey }: CryptoKeyPair): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.exportKey("raw", publicKey))
}

function unsupported(cause: unknown): KeymootError {
  const message = "This browser cannot make Ed25519 keys. Use a current Chrome, Edge, Firefox or Safari, over https."
  return new KeymootError("unsupported-browser", message, { cause })
}
