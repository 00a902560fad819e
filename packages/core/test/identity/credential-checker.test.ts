import { isStrictKey } from "@keymoot/gke"
import { ed25519 } from "@noble/curves/ed25519.js"
import { describe, expect, onTestFinished, test, vi } from "vitest"

import {
  BAD_CREDENTIAL_MS,
  BAD_CREDENTIALS_CACHED_MAX,
  createCredentialChecker,
  CREDENTIALS_CACHED_MAX,
} from "../../src/identity/certificates/credential-checker.ts"
import { LruMap } from "../../src/wire/index.ts"
import { newcomer } from "./people.ts"

const YEAR_MS = 365 * 24 * 60 * 60 * 1000

describe("the checker's memory", () => {
  test("does not outlive a certificate, and accepts it again when the clock is corrected", async () => {
    let nowMs = Date.now()
    const ada = await newcomer("Ada", () => nowMs)
    const checker = createCredentialChecker(() => nowMs)
    expect(await checker.check(ada.certificate)).not.toBeNull()
    nowMs += 21 * YEAR_MS
    expect(await checker.check(ada.certificate)).toBeNull()
    nowMs -= 21 * YEAR_MS
    expect(await checker.check(ada.certificate)).not.toBeNull()
    nowMs -= YEAR_MS
    expect(await checker.check(ada.certificate)).toBeNull()
  })

  test("answers repeats without another check, and detects a reused buffer", async () => {
    const [ada, bob] = [await newcomer("Ada"), await newcomer("Bob")]
    const checker = createCredentialChecker()
    const buffer = ada.certificate.slice()
    const pending = checker.check(buffer)
    buffer.fill(0)
    const first = await pending
    expect(first?.certificate).toEqual(ada.certificate)
    expect(await checker.check(ada.certificate)).toBe(first)
    expect((await checker.check(bob.certificate))?.name).toBe("Bob")
  })

  test("does not hold a spoiled packet against the certificate it names", async () => {
    const ada = await newcomer("Ada")
    const checker = createCredentialChecker()
    expect(await checker.verify(ada.publicKey, Uint8Array.of(1), new Uint8Array(64))).toBe(false)
    expect(await checker.check(ada.certificate)).not.toBeNull()
  })

  test("validates a flood of one bad certificate once, and forgets it in time", async () => {
    const ada = await newcomer("Ada")
    let nowMs = Date.now()
    const checker = createCredentialChecker(() => nowMs)
    const verify = vi.spyOn(crypto.subtle, "verify")
    onTestFinished(() => verify.mockRestore())
    // Well formed, but nobody has signed it.
    const bad = ada.certificate.slice()
    bad[bad.length - 5]! ^= 1
    const verdicts = await Promise.all(Array.from({ length: 200 }, () => checker.check(bad)))
    for (let each = 0; each < 200; each++) verdicts.push(await checker.check(bad))
    expect(new Set(verdicts)).toEqual(new Set([null]))
    expect(verify).toHaveBeenCalledTimes(1)
    nowMs += BAD_CREDENTIAL_MS
    expect(await checker.check(bad)).toBeNull()
    expect(verify).toHaveBeenCalledTimes(2)
  })

  test("keeps its bound: the least recently used goes", () => {
    const map = new LruMap<number, string>(3)
    for (const key of [1, 2, 3]) map.set(key, `${key}`)
    map.get(1)
    map.set(4, "4")
    expect([1, 2, 3, 4].map((key) => map.get(key))).toEqual(["1", undefined, "3", "4"])
    for (let key = 0; key < 1000; key++) map.set(key, "")
    expect(map.size).toBe(3)
  })

  test("holds bad certificates up to its bound, and evicts the longest unseen", async () => {
    const ada = await newcomer("Ada")
    const checker = createCredentialChecker()
    const verify = vi.spyOn(crypto.subtle, "verify")
    onTestFinished(() => verify.mockRestore())
    const bad = ada.certificate.slice()
    bad[bad.length - 5]! ^= 1
    // Others, which are not even worth a validation.
    const flood = async (from: number, count: number): Promise<void> => {
      for (let i = from; i < from + count; i++) await checker.check(Uint8Array.of(0x30, 3, 2, i >> 8, i & 255))
    }
    await checker.check(bad)
    await flood(0, BAD_CREDENTIALS_CACHED_MAX - 1)
    await checker.check(bad)
    expect(verify).toHaveBeenCalledTimes(1)
    await flood(BAD_CREDENTIALS_CACHED_MAX, BAD_CREDENTIALS_CACHED_MAX)
    await checker.check(bad)
    expect(verify).toHaveBeenCalledTimes(2)
  })

  test("survives more bad certificates than it remembers, and still knows the good one", async () => {
    const ada = await newcomer("Ada")
    const checker = createCredentialChecker()
    const good = await checker.check(ada.certificate)
    const flood = Math.max(BAD_CREDENTIALS_CACHED_MAX, CREDENTIALS_CACHED_MAX) + 50
    for (let i = 0; i < flood; i++) expect(await checker.check(Uint8Array.of(0x30, 3, 2, i >> 8, i & 255))).toBeNull()
    expect(await checker.check(ada.certificate)).toBe(good)
  })
})

describe("a signature", () => {
  test("is accepted from its key over its bytes only", async () => {
    const [ada, bob] = [await newcomer("Ada"), await newcomer("Bob")]
    const checker = createCredentialChecker()
    const bytes = new TextEncoder().encode("a frame")
    const signature = await ada.signer.sign(bytes)
    expect(signature).toHaveLength(64)
    expect(await checker.verify(ada.publicKey, bytes, signature)).toBe(true)
    expect(await checker.verify(bob.publicKey, bytes, signature)).toBe(false)
    expect(await checker.verify(ada.publicKey, Uint8Array.of(...bytes, 0), signature)).toBe(false)
  })

  test("is false and no exception when it or its key is malformed", async () => {
    const ada = await newcomer("Ada")
    const checker = createCredentialChecker()
    const bytes = Uint8Array.of(1, 2, 3)
    const signature = await ada.signer.sign(bytes)
    for (const length of [0, 31, 33]) expect(await checker.verify(new Uint8Array(length), bytes, signature)).toBe(false)
    for (const length of [0, 63, 65])
      expect(await checker.verify(ada.publicKey, bytes, new Uint8Array(length))).toBe(false)
    expect(await checker.verify(new Uint8Array(32).fill(0xff), bytes, signature)).toBe(false)
  })
})

test("detects a key of small order in each encoding, and accepts a real one", async () => {
  const torsion = ed25519.Point.fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
  for (let multiple = 1n, point = torsion; multiple <= 8n; multiple++, point = point.add(torsion)) {
    expect(isStrictKey(point.toBytes())).toBe(false)
  }
  expect(isStrictKey((await newcomer("Ada")).publicKey)).toBe(true)
  expect(isStrictKey(ed25519.Point.BASE.toBytes())).toBe(true)
})
