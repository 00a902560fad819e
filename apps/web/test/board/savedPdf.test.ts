import { PDFDocument } from "@cantoo/pdf-lib"
import { expect, it } from "vitest"
import { fitted, pagesOf, pixelsOf, saveBoardAsPdf } from "../../src/board/pdf/boardPages.ts"
import { SAVED_PAGES_MAX, SAVED_SIDE_MAX, SAVED_SIDE_PX_MAX } from "../../src/board/pdf/boardPages.ts"
import { pdfFile } from "../../src/board/pdf/pdfFile.ts"

/** A grey JPEG of one pixel. */
const JPEG = Uint8Array.from(
  atob(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==",
  ),
  (char) => char.charCodeAt(0),
)
const shape = (id: string, type = "rectangle", y = 0) => ({ id, type, x: 0, y, height: 100, isDeleted: false })
const page = { jpeg: JPEG, width: 800, height: 600 }
const nowhere = (): Promise<void> => Promise.resolve()

it("takes frames as pages from the top down, and the whole board without frames", () => {
  const [low, high] = [shape("low", "frame", 500), shape("high", "frame")]
  expect(pagesOf([low, shape("box"), high])).toEqual([high, low])
  expect(pagesOf([shape("box"), { ...high, isDeleted: true }])).toEqual([null])
  expect(pagesOf([{ ...shape("box"), isDeleted: true }])).toEqual([])
})

it("writes one page for each, of the size on the board, and nothing about the author", async () => {
  const bytes = await pdfFile([page, { ...page, width: 96, height: 192 }])
  const read = await PDFDocument.load(bytes, { updateMetadata: false })
  expect(read.getPages().map((one) => one.getSize())).toEqual([
    { width: 600, height: 450 },
    { width: 72, height: 144 },
  ])
  expect([read.getAuthor(), read.getCreator(), read.getProducer(), read.getCreationDate()]).toEqual(
    Array.from({ length: 4 }),
  )
})

it("draws no more pages than the bound, and says how many are left out", async () => {
  const frames = Array.from({ length: 10 * SAVED_PAGES_MAX }, (_, at) => shape(`${at}`, "frame", 1000 * at))
  let drawn = 0
  const draw = async () => (drawn++, page)
  const leftOut = 9 * SAVED_PAGES_MAX
  expect(await saveBoardAsPdf(frames, draw, nowhere)).toEqual({ kind: "saved", pages: SAVED_PAGES_MAX, leftOut })
  expect(drawn).toBe(SAVED_PAGES_MAX)
})

it("draws a huge board within the bounds of canvases and pages", () => {
  const { width, height, scale } = pixelsOf(1e6, 1e3)
  expect([width, height, scale]).toEqual([SAVED_SIDE_PX_MAX, 3, 0.003])
  expect(pixelsOf(1e7, 0.1).height).toBe(1)
  expect(fitted(1e6, 1e3).width).toBe(SAVED_SIDE_MAX)
  expect(pixelsOf(100, 50)).toEqual({ width: 200, height: 100, scale: 2 })
})

it("says that the board is empty, or that the file was not saved", async () => {
  const fail = (): Promise<never> => Promise.reject(new Error("no canvas"))
  expect(await saveBoardAsPdf([], fail, nowhere)).toEqual({ kind: "emptyBoard" })
  expect(await saveBoardAsPdf([shape("box")], fail, nowhere)).toEqual({ kind: "notSaved" })
})
