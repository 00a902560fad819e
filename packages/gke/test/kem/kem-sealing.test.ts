import { expect, test } from "vitest"
import { loadKem } from "@keymoot/gke"
import { KEM_CIPHERTEXT_BYTES } from "../../src/kem/kem.ts"
import { freshSeed, nextSeed, openSeed, sealSeed, SEALED_SEED_BYTES } from "../../src/kem-ckd/kem-sealing.ts"
import { memberNamed } from "../harness.ts"

const kem = await loadKem()
const { publicKey, secretKey } = kem.keyPair(new Uint8Array(64).fill(1))
const random = new Uint8Array(64).fill(2)
const seed = new Uint8Array(32).fill(3)
const channel = { sid: new Uint8Array(32).fill(4), leader: memberNamed("a"), member: memberNamed("b") }
const seal = (where = channel): Uint8Array => sealSeed(kem, publicKey, where, random, seed)!

test("opens a seal in its view, of its leader and for its member only", () => {
  const sealed = seal()
  expect(sealed).toHaveLength(SEALED_SEED_BYTES)
  expect(openSeed(kem, secretKey, channel, sealed)).toEqual(seed)
  const others = [{ sid: new Uint8Array(32) }, { leader: memberNamed("c") }, { member: memberNamed("c") }]
  for (const other of others) expect(openSeed(kem, secretKey, { ...channel, ...other }, sealed)).toBeNull()
})

test("draws a fresh seed from the leader's randomness, and no two views share a seed", () => {
  const { sid } = channel
  const [otherRandom, otherSid] = [new Uint8Array(64), new Uint8Array(32)]
  const seeds = [
    freshSeed(random, sid),
    freshSeed(otherRandom, sid),
    freshSeed(random, otherSid),
    nextSeed(seed, sid),
    nextSeed(seed, otherSid),
    seed,
  ]
  expect(new Set(seeds.map((each) => each.join())).size).toBe(seeds.length)
})

test("refuses a seal that differs in any part", () => {
  for (const at of [0, KEM_CIPHERTEXT_BYTES - 1, KEM_CIPHERTEXT_BYTES, SEALED_SEED_BYTES - 1]) {
    const sealed = seal()
    sealed[at]! ^= 1
    expect(openSeed(kem, secretKey, channel, sealed)).toBeNull()
  }
})

test("encapsulates anew for each member and each view", () => {
  const channels = [channel, { ...channel, member: memberNamed("c") }, { ...channel, sid: new Uint8Array(32) }]
  const ciphertexts = channels.map((each) => seal(each).subarray(0, KEM_CIPHERTEXT_BYTES).join())
  expect(new Set(ciphertexts).size).toBe(channels.length)
})

test("seals nothing under a key that is not reduced", () => {
  expect(sealSeed(kem, new Uint8Array(publicKey.length).fill(0xff), channel, random, seed)).toBeNull()
})
