import { openPicture } from "./openPicture.ts"

/** A larger picture is a file like any other, to be saved. */
export const PREVIEW_BYTES_MAX = 8 * 1024 * 1024
/** Twice the width of the drawer, for dense screens. */
const SIDE_PX_MAX = 720

/** Pictures of these types are fetched and shown by themselves. What a file really is its bytes say (`openPicture`). */
export function mayBePicture({ type, sizeBytes }: { readonly type: string; readonly sizeBytes: number }): boolean {
  return ["image/png", "image/jpeg", "image/gif", "image/webp"].includes(type) && sizeBytes <= PREVIEW_BYTES_MAX
}

/** A picture drawn anew, small: none of the sender's bytes reach the page, only colours. Null for whatever is none. */
export async function previewOf(content: Blob): Promise<Blob | null> {
  const opened = await openPicture(content)
  if (opened === null) return null
  const { bitmap } = opened
  try {
    const scale = Math.min(1, SIDE_PX_MAX / Math.max(bitmap.width, bitmap.height))
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
