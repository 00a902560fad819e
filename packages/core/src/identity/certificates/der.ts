/**
 * Canonical form (DER, X.690) of certificates and ECDSA signatures. Parsers also accept other forms, and differ about
 * them. Outside of a signature's coverage anybody could change the form, and so make another certificate of a valid one.
 */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { equalBytes } from "../../wire/index.ts"

const [SEQUENCE, INTEGER, BIT_STRING, VERSION] = [0x30, 0x02, 0x03, 0xa0]

/** One value: its tag, and the start and end of its content. */
type Value = { readonly tag: number; readonly start: number; readonly end: number }

/**
 * Whether these bytes are the canonical form of their certificate: three parts with shortest lengths, nothing after
 * them, and a signature of whole bytes. The algorithm outside must equal the signed one inside.
 */
export function isStrictCertificate(der: Uint8Array): boolean {
  const outer = valueAt(der, 0, der.length)
  if (outer?.tag !== SEQUENCE || outer.end !== der.length) return false
  const [signed, algorithm, signature, ...more] = valuesIn(der, outer) ?? []
  if (!signed || !algorithm || !signature || more.length > 0) return false
  if (signed.tag !== SEQUENCE || signature.tag !== BIT_STRING || der[signature.start] !== 0) return false
  // version, serial number, algorithm (RFC 5280, section 4.1)
  const inner = valuesIn(der, signed)
  if (inner?.[0]?.tag !== VERSION || !inner[2]) return false
  const said = der.subarray(signed.end, algorithm.end)
  return equalBytes(said, der.subarray(inner[1]!.end, inner[2].end))
}

/**
 * Returns WebCrypto's form of an ECDSA signature (RFC 3279, section 2.2.3): r and s in fixed length, one behind the
 * other. Null unless it is a SEQUENCE of exactly two INTEGERs in DER, both from 1 to `order` - 1.
 */
export function ecdsaHalves(der: Uint8Array, order: bigint): Uint8Array | null {
  const outer = valueAt(der, 0, der.length)
  if (outer?.tag !== SEQUENCE || outer.end !== der.length) return null
  const integers = valuesIn(der, outer)
  if (integers?.length !== 2) return null
  const digits = 2 * Math.ceil(order.toString(16).length / 2)
  const halves = integers.map((value) => {
    const integer = positiveInteger(der, value)
    return integer !== null && integer < order ? integer.toString(16).padStart(digits, "0") : null
  })
  return halves.includes(null) ? null : hexToBytes(halves.join(""))
}

/** Null for a zero or negative INTEGER, or one with a zero byte that its sign does not need. */
function positiveInteger(der: Uint8Array, { tag, start, end }: Value): bigint | null {
  const [first = 0x80, second = 0] = der.subarray(start, end)
  if (tag !== INTEGER || first >= 0x80 || (first === 0 && second < 0x80)) return null
  return BigInt(`0x${bytesToHex(der.subarray(start, end))}`)
}

/** Returns null unless the values fill the range. */
function valuesIn(der: Uint8Array, { start, end }: Value): Value[] | null {
  const values: Value[] = []
  for (let at = start; at < end; at = values.at(-1)!.end) {
    const value = valueAt(der, at, end)
    if (value === null) return null
    values.push(value)
  }
  return values
}

/** Reads a value up to 64 KiB; null for a length that is not in its shortest form or exceeds `end`. */
function valueAt(der: Uint8Array, at: number, end: number): Value | null {
  const [tag = 0, first = 0x80, second = 0, third = 0] = der.subarray(at, at + 4)
  const [header, length] =
    first < 0x80 ? [2, first] : first === 0x81 ? [3, second] : first === 0x82 ? [4, second * 256 + third] : [0, 0]
  const isShortest = first < 0x80 || length > (first === 0x81 ? 0x7f : 0xff)
  const start = at + header
  return header === 0 || !isShortest || start + length > end ? null : { tag, start, end: start + length }
}
