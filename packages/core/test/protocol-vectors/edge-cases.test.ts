import { createPublicKey, createPrivateKey, diffieHellman } from "node:crypto"
import { isStrictKey, isStrictSignature, loadSodiumX25519, loadVerifier } from "@keymoot/gke"
import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import { nobleX25519 } from "../../../gke/src/hpke/noble-x25519.ts"
import { nobleVerifier } from "../../../gke/src/majority/noble-verifier.ts"
import { nodeVerify, webVerify } from "../../src/identity/certificates/signatures.ts"
import { nodeCrypto } from "../../src/platform/node-crypto.ts"
import { isAccepted } from "./signature-judge.ts"
import { diffieHellmanFile, signatureFile, type EdgeCase } from "./signatures.ts"

const cases = signatureFile().vectors as readonly EdgeCase[]
type AsyncVerify = (publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>

const { default: sodium } = await import("libsodium-wrappers-sumo")
await sodium.ready
/** Libraries as they are, without the rule. */
const libraries: Readonly<Record<string, AsyncVerify>> = {
  OpenSSL: async (key, bytes, signature) => {
    const verify = await nodeVerify(nodeCrypto()!, key).catch(() => null)
    return verify !== null && verify(bytes, signature)
  },
  WebCrypto: async (key, bytes, signature) => {
    const verify = await webVerify(key).catch(() => null)
    return verify !== null && verify(bytes, signature).catch(() => false)
  },
  libsodium: (key, bytes, signature) => sodium.crypto_sign_verify_detached(signature, bytes, key),
}
const sodiumVerifier = await loadVerifier()
/** The product's verifiers. */
const verifiers: Readonly<Record<string, AsyncVerify>> = {
  "the credential checker": (key, bytes, signature) => {
    return isAccepted({ publicKey: bytesToHex(key), message: bytesToHex(bytes), signature: bytesToHex(signature) })
  },
  "the verifier over libsodium": sodiumVerifier.verify,
  "the verifier over noble": nobleVerifier.verify,
}

describe.each(Object.entries(verifiers))("%s", (_, verify) => {
  test.each(cases)("judges as published: $name", async ({ publicKey, message, signature, valid }) => {
    expect(await verify(publicKey, message, signature)).toBe(valid)
  })
})

test("lets a library judge only what all libraries judge alike", async () => {
  for (const { name, publicKey, message, signature, strict, valid } of cases) {
    expect(isStrictKey(publicKey) && isStrictSignature(signature), name).toBe(strict)
    for (const [library, verify] of Object.entries(libraries)) {
      if (strict) expect(await verify(publicKey, message, signature), `${library}: ${name}`).toBe(valid)
    }
  }
})

test("needs the rule because libraries differ without it", async () => {
  const verdicts = async (verify: AsyncVerify): Promise<string> => {
    const said = await Promise.all(cases.map((each) => verify(each.publicKey, each.message, each.signature)))
    return said.map(Number).join("")
  }
  const noble: AsyncVerify = (key, bytes, signature) => ed25519.verify(signature, bytes, key, { zip215: false })
  const all = await Promise.all([...Object.values(libraries), noble].map(verdicts))
  expect(new Set(all).size).toBeGreaterThan(1)
})

/** DER of X25519 keys (RFC 8410): these, then the 32 bytes. */
const PKCS8 = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 110, 4, 34, 4, 32)
const SPKI = Uint8Array.of(48, 42, 48, 5, 6, 3, 43, 101, 110, 3, 33, 0)

test("all implementations of X25519 compute the published results", async () => {
  const sodiumX25519 = await loadSodiumX25519()
  type Case = { readonly name: string; readonly secret: Uint8Array; readonly publicKey: Uint8Array }
  for (const each of diffieHellmanFile().vectors as readonly (Case & { shared: Uint8Array | null })[]) {
    const { name, secret, publicKey, shared } = each
    const byNode = (): Uint8Array | null => {
      const [own, theirs] = [concatBytes(PKCS8, secret) as Buffer, concatBytes(SPKI, publicKey) as Buffer]
      try {
        const privateKey = createPrivateKey({ key: own, format: "der", type: "pkcs8" })
        const theirKey = createPublicKey({ key: theirs, format: "der", type: "spki" })
        return new Uint8Array(diffieHellman({ privateKey, publicKey: theirKey }))
      } catch {
        return null
      }
    }
    expect(nobleX25519.shared(secret, publicKey), `noble: ${name}`).toEqual(shared)
    expect(sodiumX25519.shared(secret, publicKey), `libsodium: ${name}`).toEqual(shared)
    expect(byNode(), `OpenSSL: ${name}`).toEqual(shared)
  }
})
