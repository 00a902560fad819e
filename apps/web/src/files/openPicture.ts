import { readImageHeader } from "./imageHeader.ts"

/** A small file can hold a picture that takes gigabytes of memory. */
const PIXELS_MAX = 40_000_000
const HEADER_BYTES = 512 * 1024

/** `bitmap` must be closed. `content`: the same bytes, with their detected type. */
export type OpenPicture = { readonly bitmap: ImageBitmap; readonly content: Blob }

/**
 * Decodes a picture from a peer. Null if it is not of a known kind (`readImageHeader`), whatever type it claims, if it
 * is too large to draw, or if decoding fails.
 */
export async function openPicture(claimed: Blob): Promise<OpenPicture | null> {
  const header = readImageHeader(new Uint8Array(await claimed.slice(0, HEADER_BYTES).arrayBuffer()))
  if (header === null || header.width * header.height > PIXELS_MAX) return null
  const content = new Blob([claimed], { type: header.type })
  try {
    const bitmap = await createImageBitmap(content)
    // The frame may differ from the header.
    if (bitmap.width * bitmap.height <= PIXELS_MAX) return { bitmap, content }
    bitmap.close()
    return null
  } catch {
    return null
  }
}
