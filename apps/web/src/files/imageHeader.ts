export type ImageHeader = { readonly type: string; readonly width: number; readonly height: number }
type Quad = [number, number, number, number]

/** Markers of tables, of the restart interval and of comments: segments before the frame header of a JPEG. */
const JPEG_TABLES = [0xc4, 0xcc, 0xdb, 0xdd, 0xfe]

/**
 * Reads type and size of a picture from its first bytes, whatever its name and type claim. Null for anything but PNG,
 * JPEG, GIF or WebP. SVG is not among them, and is never shown, since it can contain scripts.
 */
export function readImageHeader(bytes: Uint8Array): ImageHeader | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return readPng(view) ?? readGif(view) ?? readWebp(view) ?? readJpeg(view)
  } catch {
    return null // Shorter than its own header.
  }
}

function readPng(view: DataView): ImageHeader | null {
  if (view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || text(view, 12) !== "IHDR") return null
  return { type: "image/png", width: view.getUint32(16), height: view.getUint32(20) }
}

/** Covers the first frame: decoders enlarge the screen for a frame that exceeds it. */
function readGif(view: DataView): ImageHeader | null {
  if (text(view, 0) !== "GIF8") return null
  const flags = view.getUint8(10)
  const at = afterExtensions(view, 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0))
  if (at === null || view.getUint8(at) !== 0x2c) return null
  const [screenWidth, screenHeight] = [view.getUint16(6, true), view.getUint16(8, true)]
  const [x, y, width, height] = [1, 3, 5, 7].map((offset) => view.getUint16(at + offset, true)) as Quad
  return { type: "image/gif", width: Math.max(screenWidth, x + width), height: Math.max(screenHeight, y + height) }
}

/** Null for a control block of another length than 4. Decoders differ in the place of its end. */
function afterExtensions(view: DataView, start: number): number | null {
  let at = start
  while (view.getUint8(at) === 0x21) {
    if (view.getUint8(at + 1) === 0xf9 && view.getUint8(at + 2) !== 4) return null
    at += 2
    while (view.getUint8(at) > 0) at += 1 + view.getUint8(at)
    at += 1
  }
  return at
}

function readWebp(view: DataView): ImageHeader | null {
  if (text(view, 0) !== "RIFF" || text(view, 8) !== "WEBP") return null
  const type = "image/webp"
  switch (text(view, 12)) {
    case "VP8 ":
      return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case "VP8L": {
      const bits = view.getUint32(21, true)
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case "VP8X":
      return { type, width: (view.getUint32(24, true) & 0xffffff) + 1, height: (view.getUint32(26, true) >>> 8) + 1 }
    default:
      return null
  }
}

/**
 * Segment by segment to the frame header, which has the size. A decoder has to find the same one. So fill bytes before a
 * marker are skipped, and only segments with a length may precede the frame header.
 */
function readJpeg(view: DataView): ImageHeader | null {
  if (view.getUint16(0) !== 0xffd8) return null
  for (let at = 2; view.getUint8(at) === 0xff; at += 1 + view.getUint16(at + 1)) {
    while (view.getUint8(at) === 0xff) at += 1
    const marker = view.getUint8(at)
    if ((marker >= 0xe0 && marker <= 0xef) || JPEG_TABLES.includes(marker)) continue
    if (marker < 0xc0 || marker > 0xcf || marker === 0xc8) return null
    return { type: "image/jpeg", width: view.getUint16(at + 6), height: view.getUint16(at + 4) }
  }
  return null
}

function text(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}
