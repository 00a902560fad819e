import { ed25519 } from "@noble/curves/ed25519.js"
import { bytesToNumberLE, numberToBytesLE } from "@noble/curves/utils.js"
import { concatBytes, randomBytes } from "@noble/hashes/utils.js"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { exportSeed, generateKeyPair, importKeyPair, rawPublicKey } from "../../src/identity/key-pair.ts"
import { nodeVerify, signWith, verifyUnder, webVerify } from "../../src/identity/certificates/signatures.ts"
import { nodeCrypto } from "../../src/platform/node-crypto.ts"

const bytes = Uint8Array.of(1, 2, 3)

describe("Node's own cryptography and WebCrypto", () => {
  test("take the same signatures for good, and the same for bad", async () => {
    const seed = randomBytes(32)
    const publicKey = ed25519.getPublicKey(seed)
    const signature = ed25519.sign(bytes, seed)
    const s = bytesToNumberLE(signature.slice(32))
    // The same signature in another form, valid to a lax verifier.
    const inflated = concatBytes(signature.slice(0, 32), numberToBytesLE(s + ed25519.Point.Fn.ORDER, 32))
    const spoilt = Array.from({ length: 64 }, (_, at) => signature.map((byte, i) => (i === at ? byte ^ 1 : byte)))
    const cases = [
      [publicKey, bytes, signature, true],
      [publicKey, bytes.slice(0, 2), signature, false],
      [ed25519.getPublicKey(randomBytes(32)), bytes, signature, false],
      [publicKey, bytes, inflated, false],
      ...spoilt.map((bad) => [publicKey, bytes, bad, false] as const),
    ] as const
    for (const [key, message, sealed, good] of cases) {
      for (const under of [await nodeVerify(nodeCrypto()!, key), await webVerify(key)])
        expect(await under(message, sealed)).toBe(good)
    }
  })

  test("sign alike, with keys that were made here or taken in, extractable or not", async () => {
    for (const extractable of [true, false]) {
      const made = await generateKeyPair(extractable)
      const seed = randomBytes(32)
      const takenIn = (await importKeyPair(seed, ed25519.getPublicKey(seed), extractable))!
      for (const pair of [made, takenIn]) {
        expect(pair.privateKey.extractable).toBe(extractable)
        const byWebCrypto = new Uint8Array(await crypto.subtle.sign("Ed25519", pair.privateKey, bytes))
        const sign = await signWith(pair.privateKey)
        expect(await sign(bytes)).toEqual(byWebCrypto)
        expect(await (await verifyUnder(await rawPublicKey(pair)))!(bytes, byWebCrypto)).toBe(true)
      }
      if (extractable) expect(await exportSeed(takenIn)).toEqual(seed)
    }
  })

  test("sign with foreign keys: exportable ones are exported once, others use WebCrypto", async () => {
    for (const extractable of [true, false]) {
      const { privateKey } = (await crypto.subtle.generateKey("Ed25519", extractable, ["sign"])) as CryptoKeyPair
      const expected = new Uint8Array(await crypto.subtle.sign("Ed25519", privateKey, bytes))
      const subtle = vi.spyOn(crypto.subtle, "sign")
      onTestFinished(() => subtle.mockRestore())
      const sign = await signWith(privateKey)
      for (let time = 0; time < 2; time++) expect(await sign(bytes)).toEqual(expected)
      expect(subtle).toHaveBeenCalledTimes(extractable ? 0 : 2)
      subtle.mockRestore()
    }
  })
})

test("verifies nothing with a malformed public key", async () => {
  expect(await verifyUnder(new Uint8Array(31))).toBeNull()
  expect(await verifyUnder(new Uint8Array(33))).toBeNull()
})
