import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { createCipheriv } from "node:crypto"

import { type MemberId, ReplayWindow } from "@keymoot/transport"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"

import { BATCH_BYTES_MAX, batchNumber, REPLAY_WINDOW_BATCHES } from "../../src/multicast/batch.ts"
import { type BatchPlace, encodeAssociatedData, EpochCipher } from "../../src/multicast/epoch.ts"
import { eachBitFlipped } from "../identity/people.ts"

const ADA = "a".repeat(32) as MemberId
const BOB = "b".repeat(32) as MemberId
const keyOf = (member: MemberId, incarnation = 1) => ({
  member,
  incarnation,
  key: new Uint8Array(32).fill(member.charCodeAt(0) + incarnation),
})
const adas = () => new EpochCipher(aesGcm, keyOf(ADA), [keyOf(BOB)])
const bobs = () => new EpochCipher(aesGcm, keyOf(BOB), [keyOf(ADA)])

const place: BatchPlace = {
  conferenceId: "0".repeat(32),
  viewId: "1".repeat(64),
  epoch: 5,
  sender: ADA,
  incarnation: 1,
  service: "agreed",
  sequence: 1,
}
const NONCE_BYTES = 12
const TAG_BYTES = 16
const associated = encodeAssociatedData(place)
const plaintext = new TextEncoder().encode("hello")

async function sealed(sequence = 1, cipher = adas()): Promise<Uint8Array> {
  return (await cipher.seal(sequence, associated, plaintext))!
}

describe("a sealed batch", () => {
  test("opens at the others, and at its sender", async () => {
    const ada = adas()
    const ciphertext = await sealed(1, ada)
    expect(await bobs().open(ADA, 1, 1, associated, ciphertext)).toEqual(plaintext)
    expect(await ada.open(ADA, 1, 1, associated, ciphertext)).toEqual(plaintext)
  })

  test("is AES-256-GCM under its salt XORed with its number", async () => {
    const ciphertext = Buffer.from(await sealed(70_000))
    const salt = ciphertext.subarray(0, NONCE_BYTES)
    const nonce = Buffer.from(salt)
    nonce.writeBigUInt64BE(salt.readBigUInt64BE(4) ^ 70_000n, 4)
    const native = createCipheriv("aes-256-gcm", keyOf(ADA).key, nonce).setAAD(associated)
    const expected = Buffer.concat([salt, native.update(plaintext), native.final(), native.getAuthTag()])
    expect(ciphertext).toEqual(expected)
  })

  test.each<[string, Partial<BatchPlace>]>([
    ["conference", { conferenceId: "0".repeat(31) + "1" }],
    ["view", { viewId: "1".repeat(63) + "0" }],
    ["epoch", { epoch: 6 }],
    ["sender", { sender: BOB }],
    ["incarnation", { incarnation: 2 }],
    ["service", { service: "fifo" }],
    ["sequence", { sequence: 2 }],
  ])("moved to another %s does not open", async (_, change) => {
    const moved = encodeAssociatedData({ ...place, ...change })
    expect(moved).toHaveLength(associated.length)
    expect(await bobs().open(ADA, 1, 1, moved, await sealed())).toBeNull()
  })

  test("does not open with any bit of it or its associated data flipped", async () => {
    const [bob, ciphertext] = [bobs(), await sealed()]
    for (const { flipped } of eachBitFlipped(ciphertext))
      expect(await bob.open(ADA, 1, 1, associated, flipped)).toBeNull()
    for (const { flipped } of eachBitFlipped(associated))
      expect(await bob.open(ADA, 1, 1, flipped, ciphertext)).toBeNull()
    expect(await bob.open(ADA, 1, 1, associated, ciphertext)).toEqual(plaintext)
  })

  test("does not open as another sender's or incarnation's, or under another number", async () => {
    const [bob, ciphertext] = [bobs(), await sealed()]
    expect(await bob.open(BOB, 1, 1, associated, ciphertext)).toBeNull()
    expect(await bob.open(ADA, 2, 1, associated, ciphertext)).toBeNull()
    expect(await bob.open("c".repeat(32) as MemberId, 1, 1, associated, ciphertext)).toBeNull()
    for (const sequence of [0, 2, -1, 0.5, Number.NaN, 2 ** 53]) {
      expect(await bob.open(ADA, 1, sequence, associated, ciphertext)).toBeNull()
    }
  })

  test("is refused when its length is impossible", async () => {
    for (const length of [0, 27, BATCH_BYTES_MAX + 29]) {
      expect(await bobs().open(ADA, 1, 1, associated, new Uint8Array(length))).toBeNull()
    }
  })
})

describe("two copies of one device, which know the same and count alike", () => {
  const xor = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((byte, at) => byte ^ b[at]!)
  const texts = ["attack at dawn", "retreat to sea"].map((text) => new TextEncoder().encode(text)) as [
    Uint8Array,
    Uint8Array,
  ]

  test("do not give a listener the difference of what they say", async () => {
    const [one, other] = [(await adas().seal(1, associated, texts[0]))!, (await adas().seal(1, associated, texts[1]))!]
    const body = ({ length }: Uint8Array): number => length - texts[0].length - TAG_BYTES
    expect(body(one)).toBe(body(other))
    const heard = xor(one.subarray(body(one)), other.subarray(body(other))).subarray(0, texts[0].length)
    // Under one key and nonce this is all that it takes: one text is the difference and the other one.
    expect(xor(heard, texts[0])).not.toEqual(texts[1])
  })

  test("never seal under one key and nonce", async () => {
    const nonces = new Set<string>()
    for (let copy = 0; copy < 200; copy++) {
      const ciphertext = (await adas().seal(1, associated, texts[0]))!
      nonces.add(Buffer.from(ciphertext.subarray(0, NONCE_BYTES)).toString("hex"))
    }
    expect(nonces.size).toBe(200)
  })
})

describe("a number", () => {
  test("is never used twice: sealing under one not above the last is our bug, and stops", async () => {
    const ada = adas()
    await sealed(5, ada)
    for (const sequence of [5, 4, 0, -1, 5.5, Number.NaN, 2 ** 53]) {
      await expect(ada.seal(sequence, associated, plaintext)).rejects.toThrow("invariant")
    }
    await expect(ada.seal(6, associated, plaintext)).resolves.not.toBeNull()
  })

  test("is not used twice by two calls at once", async () => {
    const ada = adas()
    const results = await Promise.allSettled([ada.seal(1, associated, plaintext), ada.seal(1, associated, plaintext)])
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected"])
  })
})

describe("a replay", () => {
  test("is refused, also when both come at once", async () => {
    const [bob, ciphertext] = [bobs(), await sealed()]
    const both = await Promise.all([
      bob.open(ADA, 1, 1, associated, ciphertext),
      bob.open(ADA, 1, 1, associated, ciphertext),
    ])
    expect(both.filter((opened) => opened !== null)).toHaveLength(1)
    expect(await bob.open(ADA, 1, 1, associated, ciphertext)).toBeNull()
  })

  test("is distinguished from a batch that another service overtook", async () => {
    const [ada, bob] = [adas(), bobs()]
    const [first, second] = [await sealed(1, ada), await sealed(2, ada)]
    expect(await bob.open(ADA, 1, 2, associated, second)).toEqual(plaintext)
    expect(await bob.open(ADA, 1, 1, associated, first)).toEqual(plaintext)
  })

  test("counts separately in the unreliable service, under nonces of its own", async () => {
    const [ada, bob] = [adas(), bobs()]
    const unreliable = batchNumber("unreliable", 1)
    const ciphertexts = [await sealed(unreliable, ada), await sealed(1, ada), await sealed(unreliable + 9000, ada)]
    expect(new Set(ciphertexts.map((ciphertext) => ciphertext.join())).size).toBe(3)
    expect(await bob.open(ADA, 1, unreliable + 9000, associated, ciphertexts[2]!)).toEqual(plaintext)
    expect(await bob.open(ADA, 1, 1, associated, ciphertexts[1]!)).toEqual(plaintext)
    expect(await bob.open(ADA, 1, unreliable, associated, ciphertexts[0]!)).toBeNull()
    await expect(ada.seal(unreliable, associated, plaintext)).rejects.toThrow("invariant")
  })

  test("is found by the window exactly where a list of everything seen would find it", () => {
    const jump = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -9000, max: 9000 }))
    fc.assert(
      fc.property(fc.array(jump, { maxLength: 200 }), (jumps) => {
        const [window, seen] = [new ReplayWindow(REPLAY_WINDOW_BATCHES), new Set<number>()]
        let [sequence, highest] = [10_000, -1]
        for (const jump of jumps) {
          sequence = Math.max(0, sequence + jump)
          const fresh = !seen.has(sequence) && sequence > highest - REPLAY_WINDOW_BATCHES
          expect(window.isFresh(sequence)).toBe(fresh)
          if (!fresh) continue
          window.accept(sequence)
          seen.add(sequence)
          highest = Math.max(highest, sequence)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe("the keys of an epoch", () => {
  test("are overwritten when they have been imported, and the rest when the epoch ends", async () => {
    const [self, other] = [keyOf(ADA), keyOf(BOB)]
    const cipher = new EpochCipher(aesGcm, self, [other])
    expect(self.key.some((byte) => byte !== 0)).toBe(true)
    await sealed(1, cipher)
    expect(self.key).toEqual(new Uint8Array(32))
    expect(other.key.some((byte) => byte !== 0)).toBe(true)
    cipher.erase()
    expect(other.key).toEqual(new Uint8Array(32))
  })

  test("open nothing after it ended, not even what was being opened", async () => {
    const [ada, bob] = [adas(), bobs()]
    const ciphertext = await sealed(1, ada)
    const pending = bob.open(ADA, 1, 1, associated, ciphertext)
    bob.erase()
    expect(await pending).toBeNull()
    expect(await bob.open(ADA, 1, 1, associated, ciphertext)).toBeNull()
    expect(await bob.seal(1, associated, plaintext)).toBeNull()
  })

  test("are one for each sender: two for the same one stop", () => {
    expect(() => new EpochCipher(aesGcm, keyOf(ADA), [keyOf(ADA)])).toThrow("invariant")
    expect(() => new EpochCipher(aesGcm, { ...keyOf(ADA), key: new Uint8Array(16) }, [])).toThrow("invariant")
  })
})
