/** Coders that all wire formats of this package share. */
import * as P from "micro-packed"
import { ByteReader } from "./byte-layout.ts"
import { MEMBERS_MAX } from "./limits.ts"

/** The first byte of everything. */
export const VERSION = 1

/** `inner` behind the version byte. */
export function versioned<T>(inner: P.CoderType<T>): P.CoderType<T> {
  return P.wrap({
    encodeStream(writer, value: T) {
      writer.byte(VERSION)
      inner.encodeStream(writer, value)
    },
    decodeStream(reader) {
      if (reader.byte() !== VERSION) throw reader.err("unknown version")
      return inner.decodeStream(reader)
    },
  })
}

/** Catches a decoder's exceptions: null for bytes that are not the canonical encoding of a value. */
export function attempt<T>(coder: P.CoderType<T>, bytes: Uint8Array): T | null {
  try {
    return coder.decode(bytes)
  } catch {
    return null
  }
}

/** The same for what is read by hand: `read` gets what follows the version byte, and must leave nothing. It throws RangeError. */
export function attemptRead<T>(bytes: Uint8Array, read: (reader: ByteReader) => T): T | null {
  try {
    const reader = new ByteReader(bytes)
    if (reader.u8() !== VERSION) return null
    const value = read(reader)
    reader.end()
    return value
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** An entry for each other member of a view, of which there is one at least. */
export function forOthers<T>(entry: P.CoderType<T>): P.CoderType<T[]> {
  return P.validate(P.array(P.U16BE, entry), (list) => {
    if (list.length === 0 || list.length >= MEMBERS_MAX) throw new RangeError("the number of members is out of bounds")
    return list
  })
}
