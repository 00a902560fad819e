/**
 * P-256 over noble, to compare it with ristretto255. Conferences do not offer it. WebCrypto has P-256, but gives x-coordinates
 * of products only, which no module here can go on with.
 */
import { p256 } from "@noble/curves/nist.js"
import { bytesToNumberBE } from "@noble/curves/utils.js"
import { type Element, type PrimeOrderGroup, RANDOM_BYTES, type Rejection, type Scalar } from "@keymoot/gke"
import { sha512 } from "@noble/hashes/sha2.js"

const { Point } = p256
type Point = InstanceType<typeof Point>
const { Fn } = Point
const ELEMENT_BYTES = 33
const SCALAR_BYTES = 32
/** noble has no compressed encoding of it. */
const IDENTITY = new Uint8Array(ELEMENT_BYTES)

const isIdentity = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)
const point = (bytes: Uint8Array): Point => (isIdentity(bytes) ? Point.ZERO : Point.fromBytes(bytes))
const element = (p: Point): Element => (p.is0() ? IDENTITY.slice() : p.toBytes()) as Element
const number = (s: Uint8Array): bigint => Fn.create(bytesToNumberBE(s))
const scalar = (n: bigint): Scalar => Fn.toBytes(Fn.create(n)) as Scalar
const times = (p: Point, n: bigint): Element => element(n === 0n ? Point.ZERO : p.multiply(n))

function decodePoint(bytes: Uint8Array): Point | Rejection {
  if (bytes.length !== ELEMENT_BYTES) return { rejected: "length" }
  try {
    return point(bytes)
  } catch {
    return { rejected: "non-canonical" }
  }
}

export const p256Group: PrimeOrderGroup = {
  name: "P-256",
  elementBytes: ELEMENT_BYTES,
  scalarBytes: SCALAR_BYTES,
  randomScalar(random) {
    if (random.length !== RANDOM_BYTES) throw new RangeError(`give ${RANDOM_BYTES} random bytes`)
    return scalar(number(random))
  },
  multiplyBase: (s) => times(Point.BASE, number(s)),
  multiply: (e, s) => times(point(e), number(s)),
  multiplyEncoded(e, s) {
    const decoded = p256Group.decode(e)
    return "rejected" in decoded ? decoded : times(point(decoded), number(s))
  },
  add: (a, b) => element(point(a).add(point(b))),
  addEncoded(a, b) {
    const decoded = decodePoint(b)
    return "rejected" in decoded ? decoded : element(point(a).add(decoded))
  },
  subtract: (a, b) => element(point(a).subtract(point(b))),
  invert: (s) => scalar(Fn.inv(number(s))),
  multiplyScalars: (a, b) => scalar(number(a) * number(b)),
  addScalars: (a, b) => scalar(number(a) + number(b)),
  subtractScalars: (a, b) => scalar(number(a) - number(b)),
  hashToScalar(domain, e) {
    const encoded = new TextEncoder().encode(domain)
    const input = new Uint8Array(1 + encoded.length + e.length)
    input[0] = encoded.length
    input.set(encoded, 1)
    input.set(e, 1 + encoded.length)
    return scalar(number(sha512(input)))
  },
  decode(bytes) {
    if (isIdentity(bytes)) return { rejected: "identity" }
    const decoded = decodePoint(bytes)
    return "rejected" in decoded ? decoded : (bytes.slice() as Element)
  },
}
