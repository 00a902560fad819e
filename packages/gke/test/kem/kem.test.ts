/** ML-KEM-768: known answers, hostile keys and ciphertexts, and traces of secrets, for both implementations. */
import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { expect, test, vi } from "vitest"
import { isKemPublicKey, KEM_PUBLIC_KEY_BYTES, KeyAgreementError, loadKem } from "@keymoot/gke"
import { loadSodium, type SodiumModule } from "../../src/group/sodium-calls.ts"
import { nobleKem } from "../../src/kem/noble-kem.ts"
import vectors from "../vectors/ml-kem-768.json" with { type: "json" }

const sodiumKem = await loadKem()
const backends = [
  { name: "libsodium", kem: sodiumKem },
  { name: "noble", kem: nobleKem },
]
const digest = (bytes: Uint8Array): string => bytesToHex(sha256(bytes))
const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })

for (const { name, kem } of backends) {
  test(`makes keys, encapsulates and decapsulates as Wycheproof says with ${name}`, () => {
    for (const { seed, m, ek, dk, c, K } of vectors.roundTrips) {
      const { publicKey, secretKey } = kem.keyPair(hexToBytes(seed))
      expect(digest(publicKey)).toBe(ek)
      if (dk !== undefined) expect(digest(secretKey)).toBe(dk)
      const { ciphertext, shared } = kem.encapsulate(publicKey, hexToBytes(m))!
      expect(digest(ciphertext)).toBe(c)
      expect(bytesToHex(shared)).toBe(K)
      expect(kem.decapsulate(secretKey, ciphertext)).toEqual(shared)
    }
  })

  test(`rejects a forged ciphertext implicitly with ${name}`, () => {
    for (const { seed, c, K } of vectors.rejected) {
      const { secretKey } = kem.keyPair(hexToBytes(seed))
      expect(bytesToHex(kem.decapsulate(secretKey, hexToBytes(c))!)).toBe(K)
    }
    for (const { dk, c, K } of vectors.malleable)
      expect(bytesToHex(kem.decapsulate(hexToBytes(dk), hexToBytes(c))!)).toBe(K)
  })

  test(`refuses a public key that is not reduced or has another length with ${name}`, () => {
    const { publicKey } = kem.keyPair(new Uint8Array(64).fill(7))
    const long = new Uint8Array([...publicKey, 0])
    for (const key of [...vectors.unreduced.map(hexToBytes), publicKey.slice(1), long, new Uint8Array(0)]) {
      expect(kem.encapsulate(key, new Uint8Array(32).fill(1))).toBeNull()
      expect(isKemPublicKey(key)).toBe(false)
    }
    expect(isKemPublicKey(publicKey)).toBe(true)
  })

  test(`refuses a ciphertext of another length with ${name}`, () => {
    const { secretKey } = kem.keyPair(new Uint8Array(64).fill(7))
    for (const length of [0, 1, 1087, 1089, 2400]) expect(kem.decapsulate(secretKey, new Uint8Array(length))).toBeNull()
  })

  test(`reports a caller's wrong lengths as a caller's mistake with ${name}`, () => {
    const { publicKey } = kem.keyPair(new Uint8Array(64).fill(7))
    expect(() => kem.keyPair(new Uint8Array(32))).toThrow(KeyAgreementError)
    expect(() => kem.encapsulate(publicKey, new Uint8Array(31))).toThrow(KeyAgreementError)
    expect(() => kem.decapsulate(new Uint8Array(2399), new Uint8Array(1088))).toThrow(KeyAgreementError)
  })
}

test("gives one verdict about every coefficient at and above the modulus", () => {
  const { publicKey } = nobleKem.keyPair(new Uint8Array(64).fill(9))
  for (let coefficient = 0; coefficient < 768; coefficient += 37) {
    for (const value of [3328, 3329, 4095]) {
      const key = publicKey.slice()
      const at = (coefficient >> 1) * 3
      if (coefficient % 2 === 0) {
        key[at] = value & 0xff
        key[at + 1] = (key[at + 1]! & 0xf0) | (value >> 8)
      } else {
        key[at + 1] = (key[at + 1]! & 0x0f) | ((value & 0x0f) << 4)
        key[at + 2] = value >> 4
      }
      expect(isKemPublicKey(key)).toBe(value === 3328)
      expect(sodiumKem.encapsulate(key, new Uint8Array(32)) !== null).toBe(value === 3328)
    }
  }
})

test("libsodium and noble agree for all seeds, keys and ciphertexts", () => {
  fc.assert(
    fc.property(bytes(64), bytes(32), bytes(KEM_PUBLIC_KEY_BYTES), fc.nat(1087), (seed, random, any, at) => {
      const pair = sodiumKem.keyPair(seed)
      expect(nobleKem.keyPair(seed)).toEqual(pair)
      const made = sodiumKem.encapsulate(pair.publicKey, random)!
      expect(nobleKem.encapsulate(pair.publicKey, random)).toEqual(made)
      made.ciphertext[at]! ^= 1
      expect(nobleKem.decapsulate(pair.secretKey, made.ciphertext)).toEqual(
        sodiumKem.decapsulate(pair.secretKey, made.ciphertext),
      )
      expect(sodiumKem.encapsulate(any, random)).toEqual(nobleKem.encapsulate(any, random))
    }),
    { numRuns: 15 },
  )
})

test("libsodium and noble seal alike, and open nothing that was changed", () => {
  const key = crypto.getRandomValues(new Uint8Array(32))
  const secret = crypto.getRandomValues(new Uint8Array(32))
  const expected = chacha20poly1305(key, new Uint8Array(12)).encrypt(secret)
  for (const { kem } of backends) {
    const sealed = kem.seal(key, secret)
    expect(sealed).toEqual(expected)
    expect(kem.open(key, sealed)).toEqual(secret)
    for (const at of sealed.keys()) expect(kem.open(key, sealed.with(at, sealed[at]! ^ 1))).toBeNull()
    for (let length = 0; length < sealed.length; length++) expect(kem.open(key, sealed.subarray(0, length))).toBeNull()
    expect(kem.open(secret, sealed)).toBeNull()
  }
})

test("leaves no secret in WebAssembly's memory", async () => {
  const { HEAPU8 } = await loadSodium<SodiumModule>()
  const seed = crypto.getRandomValues(new Uint8Array(64))
  const random = crypto.getRandomValues(new Uint8Array(32))
  const { publicKey, secretKey } = sodiumKem.keyPair(seed)
  const { ciphertext, shared } = sodiumKem.encapsulate(publicKey, random)!
  sodiumKem.decapsulate(secretKey, ciphertext)
  const [key, sealedSecret] = [crypto.getRandomValues(new Uint8Array(32)), crypto.getRandomValues(new Uint8Array(32))]
  expect(sodiumKem.open(key, sodiumKem.seal(key, sealedSecret))).toEqual(sealedSecret)
  const memory = Buffer.from(HEAPU8.buffer)
  for (const secret of [seed.slice(0, 32), seed.slice(32), random, secretKey.slice(0, 64), shared, key, sealedSecret])
    expect(memory.indexOf(secret)).toBe(-1)
})

test("takes noble where WebAssembly is missing", async () => {
  vi.stubGlobal("WebAssembly", undefined)
  expect(await loadKem()).toBe(nobleKem)
  vi.unstubAllGlobals()
})
