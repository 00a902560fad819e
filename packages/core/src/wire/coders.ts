import { hex } from "@scure/base"
import * as P from "micro-packed"

/**
 * An integer in 8 bytes, big-endian. Values above 2^53 - 1 are rejected, because a number cannot represent all of them.
 */
export const U64: P.CoderType<number> = P.apply(P.U64BE, P.coders.numberBigint)

/** ECMAScript's largest time value. Above it `new Date(value)` is invalid, and formatting it throws. */
export const TIMESTAMP_MS_MAX = 8_640_000_000_000_000

/** Milliseconds since 1970. */
export const timestampMs: P.CoderType<number> = P.validate(U64, (value) => {
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
  return P.bytes(
    P.validate(length, (value) => {
      if (value > bytesMax) throw new RangeError(`longer than ${bytesMax} bytes`)
      return value
    }),
  )
}

/** A list after a 16-bit count, rejected above `itemsMax` before its first item is read. */
export function boundedList<T>(inner: P.CoderType<T>, itemsMax: number): P.CoderType<T[]> {
  return P.array(
    P.validate(P.U16BE, (value) => {
      if (value > itemsMax) throw new RangeError(`more than ${itemsMax} items`)
      return value
    }),
    inner,
  )
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
