import { ed25519 } from "@noble/curves/ed25519.js"
import { hexToBytes } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { loadSeedSigner } from "@keymoot/gke"

const signer = (await loadSeedSigner())!

describe("signing by a seed over libsodium", () => {
  test("gives the signature of RFC 8032, section 7.1, test 3", () => {
    const seed = hexToBytes("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
    expect(signer.sign(seed, Uint8Array.of(0xaf, 0x82))).toEqual(
      hexToBytes(
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
      ),
    )
  })

  test("gives the signature of JavaScript's implementation for any seed and message", () => {
    const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 })
    fc.assert(
      fc.property(seeds, fc.uint8Array({ maxLength: 300 }), (seed, message) => {
        expect(signer.sign(seed, message)).toEqual(ed25519.sign(message, seed))
      }),
    )
  })

  test("refuses a seed of another length", () => {
    for (const length of [0, 31, 64]) expect(() => signer.sign(new Uint8Array(length), new Uint8Array(1))).toThrow()
  })
})
