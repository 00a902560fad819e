/** Signature schemes and libraries that a forwarding member could verify with. */
import { ed25519 } from "@noble/curves/ed25519.js"
import { p256 } from "@noble/curves/nist.js"

export type Verifier = {
  /** Scheme and library. */
  readonly name: string
  readonly verify: () => Promise<boolean> | boolean
}

const ECDSA = { name: "ECDSA", hash: "SHA-256" }
const CURVES = {
  Ed25519: { key: "Ed25519", signature: "Ed25519" },
  "P-256": { key: { name: "ECDSA", namedCurve: "P-256" }, signature: ECDSA },
} as const

type Key = { readonly raw: Uint8Array<ArrayBuffer>; readonly webCrypto: CryptoKey }
type Signed = {
  readonly key: Key
  readonly signature: Uint8Array<ArrayBuffer>
  readonly message: Uint8Array<ArrayBuffer>
}

/** Each has a genuine signature of the message. Those of node:crypto are absent in a browser. */
export async function verifiersOf(message: Uint8Array<ArrayBuffer>): Promise<readonly Verifier[]> {
  const [edwards, nist] = [await signed("Ed25519", message), await signed("P-256", message)]
  return [
    webCrypto("Ed25519", edwards),
    ...nodeCrypto("Ed25519", edwards),
    {
      name: "Ed25519 (noble)",
      verify: () => ed25519.verify(edwards.signature, edwards.message, edwards.key.raw, { zip215: false }),
    },
    webCrypto("P-256", nist),
    ...nodeCrypto("P-256", nist),
    {
      name: "P-256 (noble)",
      verify: () => p256.verify(nist.signature, nist.message, nist.key.raw, { lowS: false }),
    },
  ]
}

async function signed(curve: keyof typeof CURVES, message: Uint8Array<ArrayBuffer>): Promise<Signed> {
  const { subtle } = crypto
  const { key, signature } = CURVES[curve]
  const { privateKey, publicKey } = (await subtle.generateKey(key, true, ["sign", "verify"])) as CryptoKeyPair
  return {
    key: {
      raw: new Uint8Array(await subtle.exportKey("raw", publicKey)),
      webCrypto: publicKey,
    },
    signature: new Uint8Array(await subtle.sign(signature, privateKey, message)),
    message,
  }
}

function webCrypto(curve: keyof typeof CURVES, { key, signature, message }: Signed): Verifier {
  return {
    name: `${curve} (WebCrypto)`,
    verify: () => crypto.subtle.verify(CURVES[curve].signature, key.webCrypto, signature, message),
  }
}

function nodeCrypto(curve: keyof typeof CURVES, { key, signature, message }: Signed): Verifier[] {
  const node = globalThis.process?.getBuiltinModule?.("node:crypto")
  if (!node) return []
  const publicKey = node.KeyObject.from(key.webCrypto)
  const hash = curve === "Ed25519" ? null : "sha256"
  return [
    {
      name: `${curve} (node:crypto)`,
      verify: () => node.verify(hash, message, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature),
    },
  ]
}
