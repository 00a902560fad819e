import { PICTURE_BYTES_MAX, PICTURE_SIDE_PX_MAX } from "../elements/limits.ts"

export type DrawnPicture = { readonly content: Blob; readonly width: number; readonly height: number }

const JPEG_QUALITY = 0.88

/**
 * My picture as the others get it: redrawn, so that the metadata of cameras (place, time, name) stays here. A drawing
 * (SVG) becomes pixels. Null if this browser cannot show it as a picture.
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

/** Photographs stay photographs; of other pictures only those that are too large lose quality. */
async function encode(canvas: OffscreenCanvas, isPhotograph: boolean): Promise<Blob | null> {
  const exact = isPhotograph ? null : await canvas.convertToBlob({ type: "image/png" })
  if (exact !== null && exact.size <= PICTURE_BYTES_MAX) return exact
  const small = await canvas.convertToBlob({ type: "image/jpeg", quality: JPEG_QUALITY })
  return small.size <= PICTURE_BYTES_MAX ? small : null
}
