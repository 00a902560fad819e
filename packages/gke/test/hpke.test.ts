import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { openBase, sealBase } from "../src/hpke/hpke.ts"
import { nobleX25519 } from "../src/hpke/noble-x25519.ts"
import { loadSodiumX25519 } from "../src/hpke/x25519.ts"
import { RFC9180_A2_1 } from "./vectors/rfc9180.ts"

const sodiumX25519 = await loadSodiumX25519()
const backends = [
  { name: "libsodium", backend: sodiumX25519 },
  { name: "noble", backend: nobleX25519 },
]
const vector = Object.fromEntries(Object.entries(RFC9180_A2_1).map(([name, hex]) => [name, hexToBytes(hex)])) as Record<
  keyof typeof RFC9180_A2_1,
  Uint8Array
>

/** All whose product with any secret is zero, in every encoding below 2^255 (RFC 7748, section 6.1, and its twist). */
const SMALL_ORDER = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
  "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
].map(hexToBytes)

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

for (const { name, backend } of backends) {
  test(`seals and opens RFC 9180's vector A.2.1 with ${name}`, () => {
    const { info, aad, pt, skEm, pkRm, skRm } = vector
    const sealed = sealBase(backend, { recipient: pkRm, ephemeralSecret: skEm, info, aad, plaintext: pt })!
    expect(bytesToHex(sealed.enc)).toBe(RFC9180_A2_1.pkEm)
    expect(bytesToHex(sealed.ciphertext)).toBe(RFC9180_A2_1.ct)
    const opened = openBase(backend, { secret: skRm, recipient: pkRm, info, aad, sealed })
    expect(bytesToHex(opened!)).toBe(RFC9180_A2_1.pt)
  })

  test(`refuses keys of small order with ${name}`, () => {
    const { info, aad, pt, skEm, skRm, pkRm } = vector
    for (const enc of SMALL_ORDER) {
      expect(sealBase(backend, { recipient: enc, ephemeralSecret: skEm, info, aad, plaintext: pt })).toBeNull()
      const sealed = { enc, ciphertext: vector.ct }
      expect(openBase(backend, { secret: skRm, recipient: pkRm, info, aad, sealed })).toBeNull()
    }
  })
}

test("libsodium and noble agree on every public key and shared secret", () => {
  fc.assert(
    fc.property(bytes32, bytes32, (secret, theirs) => {
      expect(sodiumX25519.publicKey(secret)).toEqual(nobleX25519.publicKey(secret))
      expect(sodiumX25519.shared(secret, theirs)).toEqual(nobleX25519.shared(secret, theirs))
    }),
    { numRuns: 100 },
  )
})

test("a sealed message opens only with its key, info and associated data", () => {
  fc.assert(
    fc.property(
      bytes32,
      bytes32,
      fc.uint8Array(),
      fc.uint8Array(),
      fc.nat(),
      (ephemeralSecret, secret, info, aad, at) => {
        const plaintext = Uint8Array.of(1, 2, 3)
        const recipient = sodiumX25519.publicKey(secret)
        const sealed = sealBase(sodiumX25519, { recipient, ephemeralSecret, info, aad, plaintext })!
        const right = { secret, recipient, info, aad, sealed }
        expect(openBase(sodiumX25519, right)).toEqual(plaintext)
        const flipped = (bytes: Uint8Array): Uint8Array =>
          bytes.map((byte, i) => (i === at % bytes.length ? byte ^ (1 << (at % 7)) : byte))
        const longer = (bytes: Uint8Array): Uint8Array => Uint8Array.of(...bytes, 0)
        const { enc, ciphertext } = sealed
        for (const wrong of [
          { ...right, info: longer(info) },
          { ...right, aad: longer(aad) },
          { ...right, sealed: { enc: flipped(enc), ciphertext } },
          { ...right, sealed: { enc, ciphertext: flipped(ciphertext) } },
          { ...right, sealed: { enc, ciphertext: ciphertext.subarray(0, at % ciphertext.length) } },
          { ...right, secret: ephemeralSecret, recipient: enc },
        ]) {
          if (wrong.secret === ephemeralSecret && bytesToHex(enc) === bytesToHex(recipient)) continue
          expect(openBase(sodiumX25519, wrong)).toBeNull()
        }
      },
    ),
    { numRuns: 60 },
  )
})
