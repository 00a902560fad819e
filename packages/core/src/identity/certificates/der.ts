/**
 * Canonical form of a certificate in DER (X.690) outside of its signature's coverage, where parsers accept several
 * forms.
 */
import { equalBytes } from "../../wire/index.ts"

const [SEQUENCE, BIT_STRING, VERSION] = [0x30, 0x03, 0xa0]

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
