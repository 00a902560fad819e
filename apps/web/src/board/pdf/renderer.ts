import { getDocument, PDFWorker } from "pdfjs-dist/legacy/build/pdf.mjs"
import type { RenderTask } from "pdfjs-dist"
import { PDF_IMAGE_PIXELS_MAX, PDF_PAGE_PX_MAX } from "./pdfBounds.ts"
import type { OpenPdf } from "./pdfPages.ts"

/**
 * pdf.js in a worker of its own. The file stays on this device. Nothing in it runs: its scripts need a sandbox that is
 * not loaded. Its forms and links are not drawn. Its fonts are drawn as paths and never become fonts of the page.
 */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<OpenPdf> {
  signal.throwIfAborted()
  const port = new Worker(new URL("./pdfWorker.ts", import.meta.url), { type: "module" })
  /** Drawing a page goes on in the page's thread without the worker. */
  let drawing: RenderTask | null = null
  const close = (): void => {
    drawing?.cancel()
    port.terminate()
  }
  signal.addEventListener("abort", close)
  try {
    const pdf = await getDocument({
      data: bytes,
      worker: PDFWorker.create({ port }),
      disableFontFace: true,
      useSystemFonts: false,
      enableXfa: false,
      // They would be fetched from the server, by addresses that the content security policy refuses.
      useWasm: false,
      useWorkerFetch: false,
      maxImageSize: PDF_IMAGE_PIXELS_MAX,
      stopAtErrors: false,
      // No console output: a note reports what is missing.
      verbosity: 0,
    }).promise
    return {
      pages: pdf.numPages,
      async draw(number) {
        const page = await pdf.getPage(number)
        const { width, height } = page.getViewport({ scale: 1 })
        const viewport = page.getViewport({ scale: PDF_PAGE_PX_MAX / Math.max(width, height, 1) })
        const canvas = document.createElement("canvas")
        canvas.width = Math.max(1, Math.round(viewport.width))
        canvas.height = Math.max(1, Math.round(viewport.height))
        // 0: no annotations, so neither forms nor links.
        drawing = page.render({ canvas, viewport, annotationMode: 0, background: "#ffffff" })
        await drawing.promise
        page.cleanup()
        return blobOf(canvas)
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The page has no pixels.")) : resolve(blob)), "image/png")
  })
}
