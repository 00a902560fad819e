import type { DataURL } from "@excalidraw/excalidraw/types"

const BASE64_PICTURE = /^data:(image\/[a-z+.-]{1,40});base64,([A-Za-z\d+/]*={0,2})$/

/** The whiteboard accepts pictures only in this form. */
export function dataUrlOf(content: Blob): Promise<DataURL> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(reader.result as DataURL))
    reader.addEventListener("error", () => reject(reader.error ?? new Error("a picture could not be read")))
    reader.readAsDataURL(content)
  })
}

/** Null if this is not a picture in base64. The page's policy forbids to fetch it. */
export function blobOfDataUrl(url: string): Blob | null {
  const [, type, base64] = BASE64_PICTURE.exec(url) ?? []
  if (type === undefined || base64 === undefined) return null
  try {
    return new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], { type })
  } catch {
    return null
  }
}
