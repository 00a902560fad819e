import { expect, test, vi } from "vitest"
import { PDF_BYTES_MAX, PDF_PAGES_MAX } from "../../src/board/pdf/pdfBounds.ts"
import { drawPdf, type OpenPdf } from "../../src/board/pdf/pdfPages.ts"

function pdfOf(pages: number, draw: (number: number) => Promise<Blob> = async () => new Blob(["page"])) {
  const state = { closed: 0, drawn: [] as number[] }
  const open = async (): Promise<OpenPdf> => ({
    pages,
    draw: (number) => {
      state.drawn.push(number)
      return draw(number)
    },
    close: () => state.closed++,
  })
  return { state, open }
}
const file = new Blob(["%PDF-1.7"])
const taken: string[] = []
const take = (page: File): number => taken.push(page.name)

test("draws every page once, in order, and closes the renderer", async () => {
  const { state, open } = pdfOf(3)
  taken.length = 0
  expect(await drawPdf(file, open, take)).toEqual({ kind: "done", drawn: 3, leftOut: 0 })
  expect(taken).toEqual(["page-1.png", "page-2.png", "page-3.png"])
  expect(state).toEqual({ closed: 1, drawn: [1, 2, 3] })
})

test("draws no more pages than the bound, and tells how many are left out", async () => {
  const { state, open } = pdfOf(10 * PDF_PAGES_MAX)
  expect(await drawPdf(file, open, take)).toEqual({ kind: "done", drawn: PDF_PAGES_MAX, leftOut: 9 * PDF_PAGES_MAX })
  expect(state.drawn).toHaveLength(PDF_PAGES_MAX)
})

test("refuses a file above the bound without opening it", async () => {
  const large = { size: PDF_BYTES_MAX + 1, arrayBuffer: () => Promise.reject(new Error("read")) } as unknown as Blob
  const open = (): Promise<OpenPdf> => Promise.reject(new Error("opened"))
  expect(await drawPdf(large, open, take)).toEqual({ kind: "tooLarge" })
})

test("stops the renderer when a file is never opened", async () => {
  const signals: AbortSignal[] = []
  const never = (_: Uint8Array, signal: AbortSignal): Promise<OpenPdf> => {
    signals.push(signal)
    return new Promise(() => {})
  }
  const timeout = (): Promise<never> => Promise.reject(new Error("timeout"))
  const opened = drawPdf(file, never, take, async (running) => {
    await Promise.race([running, vi.waitFor(() => expect(signals).toHaveLength(1))])
    return timeout()
  })
  expect(await opened).toEqual({ kind: "notAPdf" })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test("stops the renderer when it is done", async () => {
  const { open } = pdfOf(1)
  const signals: AbortSignal[] = []
  await drawPdf(file, (_, signal) => (signals.push(signal), open()), take)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true])
})

test("says that a file is no PDF when it cannot be opened", async () => {
  expect(await drawPdf(file, () => Promise.reject(new Error("damaged")), take)).toEqual({ kind: "notAPdf" })
})

test("keeps the pages before one that never ends, and stops the renderer", async () => {
  const { state, open } = pdfOf(3, (number) => (number < 2 ? Promise.resolve(new Blob(["x"])) : new Promise(() => {})))
  const soon = <T>(running: Promise<T>): Promise<T> =>
    Promise.race([running, new Promise<never>((_, reject) => setTimeout(() => reject(new Error("timeout")), 20))])
  expect(await drawPdf(file, open, take, soon)).toEqual({ kind: "done", drawn: 1, leftOut: 2 })
  expect(state.closed).toBe(1)
})
