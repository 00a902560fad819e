import { ed25519 } from "@noble/curves/ed25519.js"
import { describe, expect, test } from "vitest"
import { loadVerifier } from "@keymoot/gke"
import { nobleVerifier } from "../../src/majority/noble-verifier.ts"

const secret = new Uint8Array(32).fill(7)
const publicKey = ed25519.getPublicKey(secret)
const statement = new Uint8Array(100).fill(3)
const signature = ed25519.sign(statement, secret)
const flipped = (bytes: Uint8Array, at: number): Uint8Array => bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))

describe.each([
  ["libsodium", await loadVerifier()],
  ["noble", nobleVerifier],
])("%s", (_, { verify }) => {
  test("takes a signature for what its owner signed, and for nothing else", () => {
    expect(verify(publicKey, statement, signature)).toBe(true)
    expect(verify(publicKey, flipped(statement, 5), signature)).toBe(false)
    for (const at of [0, 31, 32, 63]) expect(verify(publicKey, statement, flipped(signature, at))).toBe(false)
    expect(verify(flipped(publicKey, 3), statement, signature)).toBe(false)
  })

  test("refuses lengths that are none, and a key of small order, without throwing", () => {
    expect(verify(publicKey.subarray(1), statement, signature)).toBe(false)
    expect(verify(publicKey, statement, signature.subarray(1))).toBe(false)
    const identity = new Uint8Array(32).fill(0, 1).fill(1, 0, 1)
    expect(verify(identity, statement, new Uint8Array(64).fill(0, 1).fill(1, 0, 1))).toBe(false)
    expect(verify(new Uint8Array(32).fill(255), statement, signature)).toBe(false)
  })
})
