import * as P from "micro-packed"
import { CERTIFICATE_BYTES_MAX } from "../../bounds/network-bounds.ts"

/** Unsigned, eight bytes, at most 2^53 - 1. */
export const safeInteger: P.CoderType<number> = P.validate(
  P.apply(P.U64BE, {
    encode: (value: bigint) => Number(value),
    decode: (value: number) => BigInt(value),
  }),
  (value) => {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError("not a safe unsigned integer")
    return value
  },
)

export const certificateBytes: P.CoderType<Uint8Array> = P.validate(P.bytes(P.U16BE), (value) => {
  if (value.length === 0 || value.length > CERTIFICATE_BYTES_MAX)
    throw new RangeError("a certificate's length is out of bounds")
  return value
})

/** Decodes a peer's bytes, which may be malformed. Returns `null` where the decoder throws. */
export function decodeOrNull<T>(coder: P.CoderType<T>, bytes: Uint8Array): T | null {
  try {
    return coder.decode(bytes)
  } catch {
    return null
  }
}
