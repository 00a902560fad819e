/**
 * In place of Excalidraw's font subsetting, which evaluates strings as code (the content security policy refuses that)
 * and weighs 740 kB compressed: an exported SVG carries the fonts that it uses whole.
 */
export const Commands = {}

export function toBase64(font: ArrayBuffer): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener("load", () => resolve(reader.result))
    reader.addEventListener("error", () => reject(reader.error))
    reader.readAsDataURL(new Blob([font], { type: "font/woff2" }))
  })
}

export const subsetToBase64 = toBase64
