import { describe, expect, it } from "vitest"
import { readImageHeader } from "../../src/files/imageHeader.ts"

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0))
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)
/** A GIF of the given version: a screen of 16 × 16 with two colours, `between`, and a frame of 800 × 600. */
const gif = (between: readonly number[] = [], flags = 0x80, version = "GIF89a"): number[] => {
  const screen = [...ascii(version), 16, 0, 16, 0, flags, 0, 0, ...zeros(flags === 0 ? 0 : 6)]
  return [...screen, ...between, 0x2c, 0, 0, 0, 0, 0x20, 3, 0x58, 2, 0]
}
/** 800 × 600 each, as their specifications lay it out. */
const PICTURES: Readonly<Record<string, readonly number[]>> = {
  "image/png": [0x89, ...ascii("PNG\r\n\x1a\n"), 0, 0, 0, 13, ...ascii("IHDR"), 0, 0, 3, 0x20, 0, 0, 2, 0x58],
  "image/gif": [...ascii("GIF89a"), 0x20, 3, 0x58, 2, 0, 0, 0, 0x2c, ...zeros(4), 0x20, 3, 0x58, 2, 0],
  // An APP0 segment first, then the frame header of a progressive one.
  "image/jpeg": [0xff, 0xd8, 0xff, 0xe0, 0, 6, ...ascii("JFIF"), 0xff, 0xc2, 0, 17, 8, 2, 0x58, 3, 0x20, 3],
  "image/webp": [...ascii("RIFF"), ...zeros(4), ...ascii("WEBPVP8X"), ...zeros(8), 0x1f, 3, 0, 0x57, 2, 0],
}

describe("what a file is", () => {
  it.each(Object.keys(PICTURES))("%s is recognised by its bytes, with its size", (type) => {
    expect(readImageHeader(Uint8Array.from(PICTURES[type]!))).toEqual({ type, width: 800, height: 600 })
  })

  it("two other forms of WebP are known", () => {
    const lossy = [...ascii("RIFF"), ...zeros(4), ...ascii("WEBPVP8 "), ...zeros(10), 0x20, 3, 0x58, 2]
    expect(readImageHeader(Uint8Array.from(lossy))).toMatchObject({ width: 800, height: 600 })
    const bits = 799 | (599 << 14)
    const lossless = [...ascii("RIFF"), ...zeros(4), ...ascii("WEBPVP8L"), ...zeros(4), 0x2f]
    lossless.push(bits & 255, (bits >>> 8) & 255, (bits >>> 16) & 255, bits >>> 24)
    expect(readImageHeader(Uint8Array.from(lossless))).toMatchObject({ width: 800, height: 600 })
  })

  it.each([0, 1, 2])("skips %i fill bytes before a marker, as decoders do", (count) => {
    const fill = Array.from({ length: count }, () => 0xff)
    // A reader that takes two of the fill bytes for a marker reads 0xffe0 or 0xe000 as the length.
    const jpeg = [0xff, 0xd8, ...fill, 0xff, 0xe0, 0, 4, 0, 0, ...fill, 0xff, 0xc0, 0, 17, 8, 2, 0x58, 3, 0x20]
    expect(readImageHeader(Uint8Array.from(jpeg))).toEqual({ type: "image/jpeg", width: 800, height: 600 })
  })

  it("reads the frame that a decoder finds when a fill byte hides a segment", () => {
    const planted = [0xff, 0xc0, 0, 17, 8, 0, 16, 0, 16]
    // The bytes 0xe1 0xff would be the length of a segment that ends at the planted frame.
    const segment = zeros(0xfff0 - 2)
    segment.splice(0xe1ff + 4 - 7, planted.length, ...planted)
    const jpeg = [0xff, 0xd8, 0xff, 0xff, 0xe1, 0xff, 0xf0, ...segment]
    jpeg.push(0xff, 0xc0, 0, 11, 8, 0x4e, 0x20, 0x4e, 0x20, 1)
    expect(readImageHeader(Uint8Array.from(jpeg))).toMatchObject({ width: 20_000, height: 20_000 })
  })

  it.each([0x00, 0x01, 0x02, 0xc8, 0xd0, 0xd7, 0xd8, 0xd9, 0xda, 0xdc, 0xde, 0xf0])(
    "refuses a JPEG when marker %i precedes its frame header",
    (marker) => {
      const jpeg = [0xff, 0xd8, 0xff, marker, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 2, 0x58, 3, 0x20, 3]
      expect(readImageHeader(Uint8Array.from(jpeg))).toBeNull()
    },
  )

  it.each([
    ["directly", gif()],
    ["in the older version", gif([], 0x80, "GIF87a")],
    ["without a table of colours", gif([], 0)],
    ["behind extensions", gif([0x21, 0xf9, 4, ...zeros(4), 0, 0x21, 0xfe, 2, 0x2c, 0x2c, 1, 0x2c, 0])],
    ["behind an application's data", gif([0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0])],
  ])("takes the size of a GIF from a frame beyond its screen, %s", (_, bytes) => {
    expect(readImageHeader(Uint8Array.from(bytes))).toEqual({ type: "image/gif", width: 800, height: 600 })
  })

  it("counts the place of a frame to the size of a GIF", () => {
    const moved = gif([], 0)
    moved.splice(14, 4, 1, 0, 2, 0)
    expect(readImageHeader(Uint8Array.from(moved))).toMatchObject({ width: 801, height: 602 })
  })

  it.each([
    ["the control block is short", [0x21, 0xf9, 1, 0, 0]],
    ["it ends before a frame", [0x3b]],
    ["an unknown block comes first", [0]],
  ])("refuses a GIF when %s, since decoders differ there", (_, between) => {
    expect(readImageHeader(Uint8Array.from(gif(between)))).toBeNull()
  })

  it("everything else, and every picture that ends within its header, is none", () => {
    for (const text of ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<!doctype html>", "BM      ", "%PDF-1.7"]) {
      expect(readImageHeader(Uint8Array.from(ascii(text)))).toBeNull()
    }
    for (const bytes of Object.values(PICTURES)) {
      for (let length = 0; length < bytes.length - 3; length++) {
        expect(readImageHeader(Uint8Array.from(bytes.slice(0, length)))).toBeNull()
      }
    }
  })
})
