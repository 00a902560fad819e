import * as fc from "fast-check"
import { hexToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { isRejection, KeyAgreementError, loadSodiumGroup, RANDOM_BYTES } from "@keymoot/gke"
import type { Element, PrimeOrderGroup, Scalar } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { isCanonicalScalar } from "../src/group/prime-order-group.ts"
import { nobleGroup } from "../src/group/noble.ts"
import { badEncodings, multiplesOfTheGenerator } from "./vectors/rfc9496.ts"

const sodiumGroup = await loadSodiumGroup()

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n
const scalarOf = (value: bigint): Scalar => {
  const bytes = new Uint8Array(32)
  for (let i = 0; i < 32; i++) bytes[i] = Number((value >> BigInt(8 * i)) & 0xffn)
  return bytes as Scalar
}
const EDGES = [1n, 2n, 8n, 2n ** 64n, (ORDER - 1n) / 2n, ORDER - 2n, ORDER - 1n].map(scalarOf)

const random64 = fc.uint8Array({ minLength: RANDOM_BYTES, maxLength: RANDOM_BYTES })
const randomScalar = random64.filter((b) => b.some((x) => x !== 0)).map((b) => nobleGroup.randomScalar(b))
const scalar: fc.Arbitrary<Scalar> = fc.oneof({ weight: 3, arbitrary: randomScalar }, fc.constantFrom(...EDGES))
const element: fc.Arbitrary<Element> = scalar.map((s) => nobleGroup.multiplyBase(s))

test("libsodium and noble agree on every operation, for random and for extreme inputs", () => {
  const same = (operation: (group: PrimeOrderGroup) => Uint8Array): void => {
    expect(operation(sodiumGroup)).toEqual(operation(nobleGroup))
  }
  const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const property = fc.property(element, element, scalar, scalar, random64, bytes32, (e, f, s, t, bytes, any) => {
    // Any bytes that a peer may send, reduced or not: `isCanonicalScalar` relies on it.
    same((group) => group.addScalars(any as Scalar, scalarOf(0n)))
    same((group) => group.multiplyBase(s))
    same((group) => group.multiply(e, s))
    same((group) => group.multiplyEncoded(e, s) as Element)
    expect(sodiumGroup.multiplyEncoded(e, s)).toEqual(sodiumGroup.multiply(e, s))
    same((group) => group.add(e, f))
    same((group) => group.add(e, e))
    same((group) => group.addEncoded(e, f) as Element)
    same((group) => group.subtract(e, f))
    same((group) => group.subtract(e, e))
    same((group) => group.invert(s))
    same((group) => group.multiplyScalars(s, t))
    same((group) => group.addScalars(s, t))
    same((group) => group.subtractScalars(s, t))
    same((group) => group.hashToScalar(String.fromCodePoint(...any), e))
    same((group) => (bytes.some((x) => x !== 0) ? group.randomScalar(bytes) : bytes))
  })
  fc.assert(property, { numRuns: 60 })
})

test("zero and the identity are values of the group like any other", () => {
  const zero = scalarOf(0n)
  const identity = new Uint8Array(32) as Element
  for (const group of [sodiumGroup, nobleGroup]) {
    const e = group.multiplyBase(EDGES[1]!)
    expect(group.multiplyBase(zero)).toEqual(identity)
    expect(group.multiply(e, zero)).toEqual(identity)
    expect(group.add(e, identity)).toEqual(e)
    expect(group.addEncoded(e, identity)).toEqual(e)
    expect(group.subtract(e, e)).toEqual(identity)
    expect(group.multiply(identity, EDGES[1]!)).toEqual(identity)
    expect(group.addScalars(EDGES.at(-1)!, EDGES[0]!)).toEqual(zero)
    expect(() => group.invert(zero)).toThrow(KeyAgreementError)
  }
})

test("refuses a scalar until it is reduced, under either backend", () => {
  const atOrAbove = [ORDER, ORDER + 1n, 2n * ORDER, 2n ** 253n, 2n ** 255n, 2n ** 256n - 1n].map(scalarOf)
  for (const group of [sodiumGroup, nobleGroup]) {
    for (const s of atOrAbove) expect(isCanonicalScalar(group, s)).toBe(false)
    for (const s of [scalarOf(0n), ...EDGES]) expect(isCanonicalScalar(group, s)).toBe(true)
  }
})

test("RFC 9496, A.1: the small multiples of the generator", () => {
  for (const [i, encoding] of multiplesOfTheGenerator.entries()) {
    for (const group of [sodiumGroup, nobleGroup]) {
      expect(group.multiplyBase(scalarOf(BigInt(i)))).toEqual(hexToBytes(encoding))
      const decoded = group.decode(hexToBytes(encoding))
      if (i === 0) {
        expect(decoded).toEqual({ rejected: "identity" })
        expect(group.multiplyEncoded(hexToBytes(encoding), EDGES[1]!)).toEqual({ rejected: "identity" })
      } else expect(decoded).toEqual(hexToBytes(encoding))
    }
  }
})

test("RFC 9496, A.2: bad encodings are rejected", () => {
  for (const encoding of badEncodings) {
    for (const group of [sodiumGroup, nobleGroup]) {
      expect(group.decode(hexToBytes(encoding))).toEqual({ rejected: "non-canonical" })
      expect(group.addEncoded(group.multiplyBase(EDGES[0]!), hexToBytes(encoding))).toEqual({
        rejected: "non-canonical",
      })
      expect(group.multiplyEncoded(hexToBytes(encoding), EDGES[1]!)).toEqual({ rejected: "non-canonical" })
    }
  }
})

test("libsodium and noble accept and reject the same random and damaged encodings", () => {
  const mutilated = fc.tuple(element, fc.nat(255)).map(([e, bit]) => {
    const bytes = Uint8Array.from(e)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    return bytes
  })
  const bytes = fc.oneof(mutilated, fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 40 }))
  fc.assert(
    fc.property(bytes, (b) => {
      expect(sodiumGroup.decode(b)).toEqual(nobleGroup.decode(b))
      const e = sodiumGroup.multiplyBase(EDGES[1]!)
      expect(sodiumGroup.addEncoded(e, b)).toEqual(nobleGroup.addEncoded(e, b))
      const product = sodiumGroup.multiplyEncoded(b, EDGES[1]!)
      expect(product).toEqual(nobleGroup.multiplyEncoded(b, EDGES[1]!))
      expect(isRejection(product)).toBe(isRejection(sodiumGroup.decode(b)))
    }),
    { numRuns: 300 },
  )
})

test("random bytes that are too few, or not random, are the caller's mistake", () => {
  for (const group of [sodiumGroup, nobleGroup, createToyGroup()]) {
    expect(() => group.randomScalar(new Uint8Array(RANDOM_BYTES))).toThrow(KeyAgreementError)
    expect(() => group.randomScalar(new Uint8Array(32).fill(1))).toThrow(KeyAgreementError)
  }
})

test("the toy group obeys the laws that the protocols rest on", () => {
  const group = createToyGroup()
  const scalar = random64.filter((b) => b.some((x) => x !== 0)).map((b) => group.randomScalar(b))
  const laws = fc.property(scalar, scalar, (s, t) => {
    const [S, T] = [group.multiplyBase(s), group.multiplyBase(t)]
    expect(group.multiply(S, t)).toEqual(group.multiply(T, s))
    expect(group.multiply(S, t)).toEqual(group.multiplyBase(group.multiplyScalars(s, t)))
    expect(group.add(S, T)).toEqual(group.multiplyBase(group.addScalars(s, t)))
    expect(group.subtract(S, T)).toEqual(group.multiplyBase(group.subtractScalars(s, t)))
    expect(group.multiply(group.multiply(S, t), group.invert(t))).toEqual(S)
    expect(group.decode(S)).toEqual(S)
    expect(group.multiplyEncoded(S, t)).toEqual(group.multiply(S, t))
    expect(group.addEncoded(S, T)).toEqual(group.add(S, T))
  })
  fc.assert(laws, { numRuns: 50 })
})

test("the toy group rejects the identity, zero, non-squares and excess bytes", () => {
  const group = createToyGroup()
  const word = (value: bigint): Uint8Array => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigUint64(0, value)
    return bytes
  }
  expect(group.decode(word(1n))).toEqual({ rejected: "identity" })
  expect(group.decode(word(0n))).toEqual({ rejected: "non-canonical" })
  expect(group.decode(word(4611686018427377339n + 4n))).toEqual({ rejected: "non-canonical" })
  expect(group.decode(word(4611686018427377339n - 4n))).toEqual({ rejected: "non-canonical" })
  expect(group.decode(new Uint8Array(9))).toEqual({ rejected: "length" })
  expect(isRejection(group.decode(word(4n)))).toBe(false)
  const two = group.addScalars(
    group.randomScalar(new Uint8Array(64).fill(1)),
    group.randomScalar(new Uint8Array(64).fill(2)),
  )
  for (const bytes of [word(0n), word(1n), word(4n), word(5n), new Uint8Array(9)]) {
    expect(isRejection(group.multiplyEncoded(bytes, two))).toBe(isRejection(group.decode(bytes)))
  }
})
