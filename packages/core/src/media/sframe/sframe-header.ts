/** Header of an SFrame (RFC 9605, section 4.3): one byte of configuration, then key id and counter where they need more. */
export type SFrameHeader = {
  /** A non-negative safe integer, as is `counter`. RFC 9605 allows 64 bits; larger values are refused. */
  readonly keyId: number
  readonly counter: number
}

export const SFRAME_HEADER_BYTES_MAX = 17
/** Values up to this one fit into the configuration byte. */
const INLINE_MAX = 7
const EXTENDED = 8

/** @throws RangeError for a value that is not a non-negative safe integer */
export function encodeSFrameHeader({ keyId, counter }: SFrameHeader): Uint8Array {
  const [keyField, keyBytes] = encodeField(keyId)
  const [counterField, counterBytes] = encodeField(counter)
  return Uint8Array.of((keyField << 4) | counterField, ...keyBytes, ...counterBytes)
}

/**
 * Returns the header at the start of a frame and its length. Returns null for a truncated header, for a value above
 * 2^53 - 1, and for a value in more bytes than it needs.
 */
export function decodeSFrameHeader(
  frame: Uint8Array,
): { readonly header: SFrameHeader; readonly bytes: number } | null {
  const [configuration] = frame
  if (configuration === undefined) return null
  const keyId = decodeField(configuration >> 4, frame, 1)
  const counter = keyId && decodeField(configuration & 15, frame, keyId.end)
  return counter && { header: { keyId: keyId.value, counter: counter.value }, bytes: counter.end }
}

/** Returns the four bits of the configuration byte, and the bytes of an extended value. */
function encodeField(value: number): readonly [number, readonly number[]] {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError("key ids and counters are 0 to 2^53 - 1")
  if (value <= INLINE_MAX) return [value, []]
  const bytes: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [EXTENDED | (bytes.length - 1), bytes]
}

function decodeField(
  field: number,
  frame: Uint8Array,
  at: number,
): { readonly value: number; readonly end: number } | null {
  if ((field & EXTENDED) === 0) return { value: field, end: at }
  const end = at + (field & INLINE_MAX) + 1
  const bytes = frame.subarray(at, end)
  if (end > frame.length || bytes[0] === 0) return null
  const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  return value > INLINE_MAX && Number.isSafeInteger(value) ? { value, end } : null
}
