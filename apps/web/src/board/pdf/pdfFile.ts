import { PDFDocument } from "@cantoo/pdf-lib"

/** A page as a picture (JPEG), with its size on the board. */
export type DrawnPage = { readonly jpeg: Uint8Array; readonly width: number; readonly height: number }

/** Points per unit of the board: 72 points and 96 units are an inch. */
const POINTS = 0.75

/** A PDF with one picture a page. It names no author and no time. */
export async function pdfFile(pages: readonly DrawnPage[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  for (const { jpeg, width, height } of pages) {
    const picture = await pdf.embedJpg(jpeg)
    const size = { width: width * POINTS, height: height * POINTS }
    pdf.addPage([size.width, size.height]).drawImage(picture, { x: 0, y: 0, ...size })
  }
  return pdf.save()
}
