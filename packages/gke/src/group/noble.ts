/**
 * ristretto255 over noble, in plain JavaScript, with the same results as libsodium and some ten times slower. It is for
 * places where WebAssembly is forbidden. In the product only `loadGroup` imports this file, and only there. The time of BigInt
 * arithmetic depends on the values. So, unlike libsodium, this gives no protection against an attacker that can time
 * it.
 */
import { ristretto255 } from "@noble/curves/ed25519.js"
import { bytesToNumberLE } from "@noble/curves/utils.js"
import { isZero } from "../shared/bytes.ts"
import { KeyAgreementError, unreachable } from "../shared/errors.ts"
import { hashToWideScalar } from "./hash-to-scalar.ts"
import { type Element, type PrimeOrderGroup, RANDOM_BYTES, type Rejection, type Scalar } from "./prime-order-group.ts"

const { Point } = ristretto255
type Point = InstanceType<typeof Point>
const { Fn } = Point
const ELEMENT_BYTES = 32
const SCALAR_BYTES = 32

const point = (e: Element): Point => Point.fromBytes(e)
const element = (p: Point): Element => p.toBytes() as Element
/** Reduces what is not reduced, as `isCanonicalScalar` expects. */
const number = (s: Scalar): bigint => Fn.create(bytesToNumberLE(s))
const scalar = (n: bigint): Scalar => Fn.toBytes(Fn.create(n)) as Scalar
/** noble multiplies by no zero. */
const times = (p: Point, n: bigint): Element => element(n === 0n ? Point.ZERO : p.multiply(n))

function decodePoint(bytes: Uint8Array): Point | Rejection {
  if (bytes.length !== ELEMENT_BYTES) return { rejected: "length" }
  try {
    return Point.fromBytes(bytes)
  } catch {
    return { rejected: "non-canonical" }
  }
}

export const nobleGroup: PrimeOrderGroup = {
  name: "ristretto255",
  elementBytes: ELEMENT_BYTES,
  scalarBytes: SCALAR_BYTES,
  randomScalar(random) {
    if (random.length !== RANDOM_BYTES) throw new KeyAgreementError("bad-input", `give ${RANDOM_BYTES} random bytes`)
    const value = Fn.create(bytesToNumberLE(random))
    if (value === 0n) throw new KeyAgreementError("bad-input", "the random bytes are not random")
    return scalar(value)
  },
  multiplyBase: (s) => times(Point.BASE, number(s)),
  multiply: (e, s) => times(point(e), number(s)),
  multiplyEncoded(e, s) {
    const decoded = decodePoint(e)
    if ("rejected" in decoded) return decoded
    return isZero(e) ? { rejected: "identity" } : times(decoded, number(s))
  },
  add: (a, b) => element(point(a).add(point(b))),
  addEncoded(a, b) {
    const decoded = decodePoint(b)
    return "rejected" in decoded ? decoded : element(point(a).add(decoded))
  },
  subtract: (a, b) => element(point(a).subtract(point(b))),
  invert(s) {
    const value = number(s)
    if (value === 0n) throw new KeyAgreementError("bad-input", "zero has no inverse")
    return scalar(Fn.inv(value))
  },
  multiplyScalars: (a, b) => scalar(number(a) * number(b)),
  addScalars: (a, b) => scalar(number(a) + number(b)),
  subtractScalars: (a, b) => scalar(number(a) - number(b)),
  hashToScalar(domain, e) {
    const wide = hashToWideScalar(domain, e)
    const value = Fn.create(bytesToNumberLE(wide))
    wide.fill(0)
    return value === 0n ? unreachable("SHA-512 hit a multiple of the group order") : scalar(value)
  },
  decode(bytes) {
    const decoded = decodePoint(bytes)
    if ("rejected" in decoded) return decoded
    return isZero(bytes) ? { rejected: "identity" } : (bytes.slice() as Element)
  },
}
