import { readImageHeader } from "./imageHeader.ts"

/** A larger picture is a file like any other, to be saved. */
export const PREVIEW_BYTES_MAX = 8 * 1024 * 1024
/** A small file can hold a picture that takes gigabytes when it is drawn. */
const PREVIEW_PIXELS_MAX = 40_000_000
const HEADER_BYTES = 512 * 1024
/** Twice the width of the drawer, for dense screens. */
const SIDE_PX_MAX = 720

/** Pictures of these types are fetched and shown by themselves. What a file really is its bytes say (`previewOf`). */
export function mayBePicture({ type, sizeBytes }: { readonly type: string; readonly sizeBytes: number }): boolean {
  return ["image/png", "image/jpeg", "image/gif", "image/webp"].includes(type) && sizeBytes <= PREVIEW_BYTES_MAX
}

/**
 * A picture drawn anew, small: none of the sender's bytes reach the page, only colours. Null for whatever is no picture of a
 * known kind, is too large to draw, or does not decode.
 */
export async function previewOf(content: Blob): Promise<Blob | null> {
  const header = readImageHeader(new Uint8Array(await content.slice(0, HEADER_BYTES).arrayBuffer()))
  if (header === null || header.width * header.height > PREVIEW_PIXELS_MAX) return null
  try {
    // As the type that its bytes are of; the frame may differ from the header, so the result is measured again.
    const bitmap = await createImageBitmap(new Blob([content], { type: header.type }))
    const scale = Math.min(1, SIDE_PX_MAX / Math.max(bitmap.width, bitmap.height))
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(bitmap.width * scale)),
      Math.max(1, Math.round(bitmap.height * scale)),
    )
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    bitmap.close()
    return await canvas.convertToBlob({ type: "image/png" })
  } catch {
    return null
  }
}
