import { openPicture } from "./openPicture.ts"

/** A larger picture is an ordinary file, to be saved. */
export const PREVIEW_BYTES_MAX = 8 * 1024 * 1024
/** Twice the width of the drawer, for dense screens. */
const PREVIEW_SIDE_PX_MAX = 720
/** As wide as large screens are; its pixels take 64 MB while it is drawn. */
const LARGE_SIDE_PX_MAX = 4096

/** Pictures of these types are fetched and shown automatically. The bytes decide the actual type (`openPicture`). */
export function mayBePicture({ type, sizeBytes }: { readonly type: string; readonly sizeBytes: number }): boolean {
  return ["image/png", "image/jpeg", "image/gif", "image/webp"].includes(type) && sizeBytes <= PREVIEW_BYTES_MAX
}

/** A small redrawn picture: none of the sender's bytes reach the page, only colours. Null if it is not a picture. */
export function previewOf(content: Blob): Promise<Blob | null> {
  return redrawn(content, PREVIEW_SIDE_PX_MAX)
}

/** The same for the whole window. */
export function largeOf(content: Blob): Promise<Blob | null> {
  return redrawn(content, LARGE_SIDE_PX_MAX)
}

async function redrawn(content: Blob, sidePxMax: number): Promise<Blob | null> {
  const opened = await openPicture(content)
  if (opened === null) return null
  const { bitmap } = opened
  try {
    const scale = Math.min(1, sidePxMax / Math.max(bitmap.width, bitmap.height))
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(bitmap.width * scale)),
      Math.max(1, Math.round(bitmap.height * scale)),
    )
    canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    return await canvas.convertToBlob({ type: "image/png" })
  } catch {
    return null
  } finally {
    bitmap.close()
  }
}
