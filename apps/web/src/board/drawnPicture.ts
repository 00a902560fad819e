import { PICTURE_BYTES_MAX, PICTURE_SIDE_PX_MAX } from "./limits.ts"

export type DrawnPicture = { readonly content: Blob; readonly width: number; readonly height: number }

const JPEG_QUALITY = 0.88

/**
 * A picture of mine as the others get it: drawn anew, so that the place, the time and the name that cameras write beside it
 * stay here, and a drawing (SVG) becomes dots. Null for what this browser cannot show as a picture.
 */
export async function drawnPicture(source: Blob): Promise<DrawnPicture | null> {
  const url = URL.createObjectURL(source)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const scale = Math.min(1, PICTURE_SIDE_PX_MAX / Math.max(image.naturalWidth, image.naturalHeight))
    const [width, height] = [image.naturalWidth, image.naturalHeight].map((side) => Math.round(side * scale))
    if (!width || !height) return null
    const canvas = new OffscreenCanvas(width, height)
    canvas.getContext("2d")?.drawImage(image, 0, 0, width, height)
    const content = await encode(canvas, source.type === "image/jpeg")
    return content && { content, width, height }
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** Photographs stay photographs; of the rest only what is too large loses anything. */
async function encode(canvas: OffscreenCanvas, isPhotograph: boolean): Promise<Blob | null> {
  const exact = isPhotograph ? null : await canvas.convertToBlob({ type: "image/png" })
  if (exact !== null && exact.size <= PICTURE_BYTES_MAX) return exact
  const small = await canvas.convertToBlob({ type: "image/jpeg", quality: JPEG_QUALITY })
  return small.size <= PICTURE_BYTES_MAX ? small : null
}
