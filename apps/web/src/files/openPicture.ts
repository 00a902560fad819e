import { readImageHeader } from "./imageHeader.ts"

/** A small file can hold a picture that takes gigabytes of memory. */
const PIXELS_MAX = 40_000_000
const HEADER_BYTES = 512 * 1024
/** Then the next picture begins too: a member's slow one must not hold up those of all others. */
export const TURN_MAX_MS = 5_000

/** `bitmap` must be closed. `content`: the same bytes, with their detected type. */
export type OpenPicture = { readonly bitmap: ImageBitmap; readonly content: Blob }

let last: Promise<unknown> = Promise.resolve()

/** Draws pictures one after another, while none takes longer than its turn. Each takes up to 4 × `PIXELS_MAX` bytes. */
export function inTurn<T>(draw: () => Promise<T>): Promise<T> {
  const drawn = last.then(draw)
  const isOver = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, TURN_MAX_MS)
      void drawn
        .catch(() => undefined)
        .then(() => {
          clearTimeout(timer)
          resolve()
        })
    })
  last = last.then(isOver)
  return drawn
}

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
