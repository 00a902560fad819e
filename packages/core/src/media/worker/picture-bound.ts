/**
 * Bounds the pictures that a peer's frames make the decoder of VP9 allocate. Its bytes do not: a few of them describe a
 * picture of 65536 by 65536 points. Section numbers are those of the VP9 bitstream specification.
 */
import { concatBytes } from "@noble/hashes/utils.js"

/** Points of one picture: 24 MiB of memory, of which a decoder keeps about ten. A larger one is neither sent nor decoded. */
export const PICTURE_POINTS_MAX = 2 ** 24

const FRAME_MARKER = 2
/** Marker of an index whose sizes have four bytes, for one frame (Annex B). */
const INDEX_OF_ONE = 0b110_11_000

/**
 * Returns why a frame of video is refused; null if it is not. No sender of a call puts several pictures into a frame.
 * None uses another profile than 0. A decoder refuses a frame without the marker of VP9.
 */
export function pictureFault(frame: Uint8Array): "malformed" | "too-large" | null {
  // Browsers join frames of one moment. An index at the end would then also split the frames before it anew.
  if (((frame.at(-1) ?? 0) & 0b111_00_000) === 0b110_00_000) return "malformed"
  const { bits, isPastEnd } = readerOf(frame)
  if (bits(2) !== FRAME_MARKER) return null
  if (bits(2) !== 0) return "malformed"
  const points = pointsOf(bits)
  // In a joined frame, the bytes behind this one would complete its size.
  if (isPastEnd()) return "malformed"
  return points > PICTURE_POINTS_MAX ? "too-large" : null
}

/**
 * Gives a frame an index with one size. Without an index, a decoder takes bytes behind the picture for another one, whose
 * size nobody has checked.
 */
export function asOnePicture(frame: Uint8Array): Uint8Array {
  const index = Uint8Array.of(INDEX_OF_ONE, 0, 0, 0, 0, INDEX_OF_ONE)
  new DataView(index.buffer).setUint32(1, frame.length, true)
  return concatBytes(frame, index)
}

/** Points of the picture of a header of profile 0 (section 6.2), after the profile; 0 if it has the size of a former one. */
function pointsOf(bits: (count: number) => number): number {
  const has = (): boolean => bits(1) === 1
  const size = (): number => (1 + bits(16)) * (1 + bits(16))
  const showsFormer = has()
  if (showsFormer) return 0
  const isDelta = has()
  const isShown = has()
  const isResilient = has()
  if (!isDelta) {
    bits(24 + 4) // The sync code and the colours.
    return size()
  }
  const isIntra = !isShown && has()
  if (!isResilient) bits(2)
  if (isIntra) {
    bits(24 + 8) // The sync code, and the former pictures that this one replaces.
    return size()
  }
  bits(8 + 12) // Those that it replaces, and those that it builds on.
  return has() || has() || has() ? 0 : size()
}

/** Reads numbers of so many bits, the highest bit first; zeros after the end. Tells whether it has read any of these. */
function readerOf(bytes: Uint8Array): {
  readonly bits: (count: number) => number
  readonly isPastEnd: () => boolean
} {
  let at = 0
  const bits = (count: number): number => {
    let value = 0
    for (const end = at + count; at < end; at++) value = 2 * value + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  return { bits, isPastEnd: () => at > 8 * bytes.length }
}
