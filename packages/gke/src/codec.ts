/** What all wire formats of this package share. */
import * as P from "micro-packed"

const VERSION = 1

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

/** The one place where a decoder's exceptions end: null for whatever is not the canonical encoding of a value. */
export function attempt<T>(coder: P.CoderType<T>, bytes: Uint8Array): T | null {
  try {
    return coder.decode(bytes)
  } catch {
    return null
  }
}
