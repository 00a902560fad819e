/**
 * Ed25519 and X25519 at their edges, after the classes of Wycheproof and of "Taming the many EdDSAs" (Chalkias, Garillot,
 * Nikolaenko). Libraries differ about these.
 */
import { ed25519, x25519 } from "@noble/curves/ed25519.js"
import { bytesToNumberLE, numberToBytesLE } from "@noble/curves/utils.js"
import { sha512 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { fixedBytes } from "./fixed-randomness.ts"
import type { VectorFile } from "./vector-file.ts"

const { Point } = ed25519
const { Fn } = Point
const FIELD = 2n ** 255n - 19n
/** Generates the eight points of small order. */
const TORSION = Point.fromHex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
const SMALL = Array.from({ length: 8 }, (_, i) => (i === 0 ? Point.ZERO : TORSION.multiplyUnsafe(BigInt(i))))

const secret = Fn.create(bytesToNumberLE(fixedBytes("scalar of the edge cases")))
const nonce = Fn.create(bytesToNumberLE(fixedBytes("nonce of the edge cases")))
const key = Point.BASE.multiply(secret)
const message = utf8ToBytes("edge")

export type EdgeCase = {
  readonly name: string
  readonly publicKey: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
  /** Whether the encodings may be given to a library at all. */
  readonly strict: boolean
  readonly valid: boolean
}

/** S for these encodings of R and A, as if A were `secret·B` and R `r·B`. */
function responseTo(r: Uint8Array, a: Uint8Array, text: Uint8Array, ofR: bigint = nonce): bigint {
  return Fn.create(ofR + challenge(r, a, text) * secret)
}

function challenge(r: Uint8Array, a: Uint8Array, text: Uint8Array): bigint {
  return Fn.create(bytesToNumberLE(sha512(concatBytes(r, a, text))))
}

function signatureOf(r: Uint8Array, s: bigint): Uint8Array {
  return concatBytes(r, numberToBytesLE(s, 32))
}

/** The first text whose challenge has this remainder modulo 8. A torsion point in A has that multiple in the equation. */
function textWith(r: Uint8Array, a: Uint8Array, holds: (challenge: bigint) => boolean): Uint8Array {
  for (let i = 0; ; i++) {
    const text = utf8ToBytes(`edge ${i}`)
    if (holds(challenge(r, a, text))) return text
  }
}

function ed25519Cases(): EdgeCase[] {
  const [a, r] = [key.toBytes(), Point.BASE.multiply(nonce).toBytes()]
  const s = responseTo(r, a, message)
  const common = { publicKey: a, message }
  const raised = (y: bigint, sign = 0): Uint8Array => numberToBytesLE(y + FIELD + (BigInt(sign) << 255n), 32)
  const plain: EdgeCase[] = [
    { ...common, name: "a valid signature", signature: signatureOf(r, s), strict: true, valid: true },
    {
      ...common,
      name: "another message",
      message: utf8ToBytes("egde"),
      signature: signatureOf(r, s),
      strict: true,
      valid: false,
    },
    { ...common, name: "S above the order", signature: signatureOf(r, s + Fn.ORDER), strict: false, valid: false },
    {
      ...common,
      name: "S with its highest bit",
      signature: signatureOf(r, s | (1n << 255n)),
      strict: false,
      valid: false,
    },
    { ...common, name: "S zero, R = -k·A", signature: zeroResponse(a), strict: true, valid: false },
    { ...common, name: "R with the other sign", signature: signatureOf(flipSign(r), s), strict: true, valid: false },
    {
      ...common,
      name: "A with the other sign",
      publicKey: flipSign(a),
      signature: signatureOf(r, s),
      strict: true,
      valid: false,
    },
    {
      ...common,
      name: "A is no point",
      publicKey: numberToBytesLE(2n, 32),
      signature: signatureOf(r, s),
      strict: true,
      valid: false,
    },
    {
      ...common,
      name: "R is no point",
      signature: signatureOf(numberToBytesLE(2n, 32), s),
      strict: true,
      valid: false,
    },
  ]
  const smallR = SMALL.map((point, order): EdgeCase => {
    const encoded = point.toBytes()
    const signature = signatureOf(encoded, responseTo(encoded, a, message, 0n))
    return { ...common, name: `R is torsion point ${order}`, signature, strict: false, valid: false }
  })
  const otherR = [
    ["R is the identity, not canonical", raised(1n)],
    ["R is the identity with a sign", flipSign(Point.ZERO.toBytes())],
    ["R is a point with y + p", raised(3n)],
  ] as const
  const notCanonical = otherR.map(([name, encoded]): EdgeCase => {
    const signature = signatureOf(encoded, responseTo(encoded, a, message, 0n))
    return { ...common, name, signature, strict: false, valid: false }
  })
  const mixedR = SMALL.slice(1).map((point, i): EdgeCase => {
    const encoded = Point.BASE.multiply(nonce).add(point).toBytes()
    const signature = signatureOf(encoded, responseTo(encoded, a, message))
    return { ...common, name: `R has torsion ${i + 1}`, signature, strict: true, valid: false }
  })
  const smallA = SMALL.map((point, order): EdgeCase => {
    const encoded = point.toBytes()
    const text = textWith(r, encoded, (k) => k % 8n === 0n)
    return {
      name: `A is torsion point ${order}`,
      publicKey: encoded,
      message: text,
      signature: signatureOf(r, nonce),
      strict: false,
      valid: false,
    }
  })
  const smallRaised = [raised(0n), raised(1n), raised(0n, 1), raised(1n, 1)].map((encoded, i): EdgeCase => {
    const text = textWith(r, encoded, (k) => k % 8n === 0n)
    return {
      name: `A is a torsion point, not canonical ${i + 1}`,
      publicKey: encoded,
      message: text,
      signature: signatureOf(r, nonce),
      strict: false,
      valid: false,
    }
  })
  const mixedA = [1n, 4n, 0n].map((remainder): EdgeCase => {
    const encoded = key.add(TORSION).toBytes()
    const text = textWith(r, encoded, (k) => k % 8n === remainder)
    const signature = signatureOf(r, responseTo(r, encoded, text))
    return {
      name: `A has torsion, k = ${remainder} modulo 8`,
      publicKey: encoded,
      message: text,
      signature,
      strict: true,
      valid: remainder === 0n,
    }
  })
  return [...plain, ...smallR, ...notCanonical, ...mixedR, ...smallA, ...smallRaised, ...mixedA]

  function zeroResponse(encoded: Uint8Array): Uint8Array {
    const guess = key
      .negate()
      .multiply(challenge(r, encoded, message))
      .toBytes()
    return signatureOf(guess, 0n)
  }
}

function flipSign(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, i) => (i === 31 ? byte ^ 0x80 : byte))
}

export function signatureFile(): VectorFile {
  return {
    name: "ed25519",
    about: "Signatures at the edges: strict says whether a library may be asked at all, valid is the verdict",
    see: "Signatures",
    vectors: ed25519Cases(),
  }
}

/** u coordinates of small order, also those that are not reduced; then ordinary ones in other encodings. */
const U_EDGES: readonly (readonly [name: string, u: bigint])[] = [
  ["zero", 0n],
  ["order 1", 1n],
  ["order 8", 325606250916557431795983626356110631294008115727848805560023387167927233504n],
  ["order 8, the other", 39382357235489614581723060781553021112529911719440698176882885853963445705823n],
  ["order 2", FIELD - 1n],
  ["zero, not reduced", FIELD],
  ["order 1, not reduced", FIELD + 1n],
  ["u = 3, not reduced", FIELD + 3n],
  ["u = 9 with the highest bit", 9n + (1n << 255n)],
  ["u = 9", 9n],
  ["the largest encoding", 2n ** 256n - 1n],
]

export function diffieHellmanFile(): VectorFile {
  const own = fixedBytes("X25519 secret")
  return {
    name: "x25519",
    about: "Diffie-Hellman at the edges: shared is null if the result is zero, which every caller refuses",
    see: "Signatures",
    vectors: U_EDGES.map(([name, u]) => {
      const publicKey = numberToBytesLE(u, 32)
      return { name, secret: own, publicKey, shared: sharedOrNull(own, publicKey) }
    }),
  }
}

function sharedOrNull(own: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  try {
    return x25519.getSharedSecret(own, publicKey)
  } catch {
    return null
  }
}
