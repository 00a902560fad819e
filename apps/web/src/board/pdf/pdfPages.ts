import { PDF_BYTES_MAX, PDF_PAGE_MS_MAX, PDF_PAGES_MAX } from "./pdfBounds.ts"

/** A PDF that has been opened, as far as it is needed here. */
export type OpenPdf = {
  readonly pages: number
  /** @param number from 1 */
  draw(number: number): Promise<Blob>
  close(): void
}

export type PdfOutcome =
  | { readonly kind: "done"; readonly drawn: number; readonly leftOut: number }
  | { readonly kind: "tooLarge" | "notAPdf" }

/** The timeout of a page; replaced in tests. */
type Within = <T>(running: Promise<T>, ms: number) => Promise<T>

/**
 * Draws the pages of a PDF one after the other, each as a picture, and passes each on as soon as it is drawn. A page
 * that cannot be drawn, or not in time, ends it: what was drawn stays.
 * @param open stops the renderer when the signal aborts, also while the file is being opened
 */
export async function drawPdf(
  file: Blob,
  open: (bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<OpenPdf>,
  take: (page: File) => void,
  within: Within = withTimeout,
): Promise<PdfOutcome> {
  if (file.size > PDF_BYTES_MAX) return { kind: "tooLarge" }
  const ended = new AbortController()
  const pdf = await within(
    file.arrayBuffer().then(async (bytes) => open(new Uint8Array(bytes), ended.signal)),
    PDF_PAGE_MS_MAX,
  ).catch(() => null)
  if (pdf === null) {
    ended.abort()
    return { kind: "notAPdf" }
  }
  let drawn = 0
  try {
    while (drawn < Math.min(pdf.pages, PDF_PAGES_MAX)) {
      const page = await within(pdf.draw(drawn + 1), PDF_PAGE_MS_MAX)
      drawn++
      take(new File([page], `page-${drawn}.png`, { type: "image/png" }))
    }
  } catch {
    // Told by the number of pages left out.
  } finally {
    pdf.close()
    ended.abort()
  }
  return { kind: "done", drawn, leftOut: Math.max(0, pdf.pages - drawn) }
}

function withTimeout<T>(running: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("The page took too long.")), ms)
  })
  return Promise.race([running, late]).finally(() => clearTimeout(timer))
}
