/** ristretto255 over noble: written by other people in another language than libsodium, so it judges our backend. */
import { ristretto255 } from "@noble/curves/ed25519.js"
import { sha512 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Element, PrimeOrderGroup, Scalar } from "@keymoot/gke"

const { Point } = ristretto255
const { Fn } = Point
const point = (e: Element): InstanceType<typeof Point> => Point.fromBytes(e)
const number = (s: Scalar): bigint => Fn.fromBytes(s)
const element = (p: InstanceType<typeof Point>): Element => p.toBytes() as Element
const scalar = (n: bigint): Scalar => Fn.toBytes(Fn.create(n)) as Scalar

function reduceWide(wide: Uint8Array): Scalar {
  return scalar(wide.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n))
}

function lengthPrefixed(bytes: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(0, 0, 0, bytes.length), bytes)
}

export const nobleGroup: PrimeOrderGroup = {
  name: "ristretto255",
  elementBytes: 32,
  scalarBytes: 32,
  randomScalar: reduceWide,
  multiplyBase: (s) => element(number(s) === 0n ? Point.ZERO : Point.BASE.multiply(number(s))),
  multiply: (e, s) => element(number(s) === 0n ? Point.ZERO : point(e).multiply(number(s))),
  add: (a, b) => element(point(a).add(point(b))),
  subtract: (a, b) => element(point(a).subtract(point(b))),
  invert: (s) => scalar(Fn.inv(number(s))),
  multiplyScalars: (a, b) => scalar(number(a) * number(b)),
  addScalars: (a, b) => scalar(number(a) + number(b)),
  subtractScalars: (a, b) => scalar(number(a) - number(b)),
  hashToScalar: (domain, e) => reduceWide(sha512(concatBytes(lengthPrefixed(utf8ToBytes(domain)), lengthPrefixed(e)))),
  decode(bytes) {
    if (bytes.length !== 32) return { rejected: "length" }
    try {
      return Point.fromBytes(bytes).equals(Point.ZERO) ? { rejected: "identity" } : (bytes.slice() as Element)
    } catch {
      return { rejected: "non-canonical" }
    }
  },
}
