import { bounded, safeInteger } from "@keymoot/transport"
import { hex } from "@scure/base"
import * as P from "micro-packed"

/** ECMAScript's largest time value. Above it `new Date(value)` is invalid, and formatting it throws. */
export const TIMESTAMP_MS_MAX = 8_640_000_000_000_000

/** Milliseconds since 1970. */
export const timestampMs: P.CoderType<number> = P.validate(safeInteger, (value) => {
  if (value > TIMESTAMP_MS_MAX) throw new RangeError("a time beyond what a Date can hold")
  return value
})

/** `length` bytes, in memory as lower-case hex. */
export function hexId(length: number): P.CoderType<string> {
  const digits = new RegExp(`^[0-9a-f]{${2 * length}}$`)
  return P.validate(P.apply(P.bytes(length), hex), (value) => {
    if (!digits.test(value)) throw new RangeError(`expected ${2 * length} lower-case hex digits`)
    return value
  })
}

/** Bytes after a 16- or 32-bit length, rejected above `bytesMax` before they are copied. */
export function boundedBytes(length: P.CoderType<number>, bytesMax: number): P.CoderType<Uint8Array> {
  return P.bytes(bounded(length, bytesMax))
}

/** A list after a 16-bit count, rejected above `itemsMax` before its first item is read. */
export function boundedList<T>(inner: P.CoderType<T>, itemsMax: number): P.CoderType<T[]> {
  return P.array(bounded(P.U16BE, itemsMax), inner)
}

/** One byte with this value. Another value is an unsupported version of the format. */
export function versionByte(version: number): P.CoderType<undefined> {
  return P.magic(P.U8, version)
}

/** One byte for one of the names. Their order is part of the format. */
export function oneOf<Name extends string>(names: readonly Name[]): P.CoderType<Name> {
  const codes = Object.fromEntries(names.map((name, index) => [name, index + 1]))
  return P.map(P.U8, codes) as unknown as P.CoderType<Name>
}
