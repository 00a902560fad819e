import { describe, expect, it } from "vitest"
import { readImageHeader } from "../../src/files/imageHeader.ts"

const ascii = (text: string): number[] => [...text].map((char) => char.charCodeAt(0))
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0)
/** 800 × 600 each, as their specifications lay it out. */
const PICTURES: Readonly<Record<string, readonly number[]>> = {
  "image/png": [0x89, ...ascii("PNG\r\n\x1a\n"), 0, 0, 0, 13, ...ascii("IHDR"), 0, 0, 3, 0x20, 0, 0, 2, 0x58],
  "image/gif": [...ascii("GIF89a"), 0x20, 3, 0x58, 2],
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
