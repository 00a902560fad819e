export type ImageHeader = { readonly type: string; readonly width: number; readonly height: number }

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

function readGif(view: DataView): ImageHeader | null {
  if (text(view, 0) !== "GIF8") return null
  return { type: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) }
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

/** Segment by segment to the frame header, which has the size. */
function readJpeg(view: DataView): ImageHeader | null {
  if (view.getUint16(0) !== 0xffd8) return null
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at)
    if (marker >>> 8 !== 0xff) return null
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
    if (isFrame) return { type: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
  }
}

function text(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}
