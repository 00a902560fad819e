import { describe, expect, it } from "vitest"
import { parseBoardFile, picturesIn, readBoard } from "../../src/board/file/boardFile.ts"
import { blobOfDataUrl } from "../../src/board/pictures/dataUrl.ts"
import type { BoardElement } from "../../src/board/elements/element.ts"
import { writeBoardFile } from "../../src/board/elements/writeBoard.ts"
import { arrow, picture, rectangle, stroke, text } from "./elements.ts"

const numbered = () => {
  let next = 0
  return () => `new${next++}`
}
const read = (file: string, { top = null as string | null, room = 100, shared = new Map<string, string>() } = {}) => {
  const board = parseBoardFile(file)
  return board && readBoard(board, { top, room, newId: numbered(), shared })
}
const file = (...elements: unknown[]) => JSON.stringify({ type: "excalidraw", version: 2, elements })

it("restores a saved board under new ids that keep their references", () => {
  const label = text("t1", { containerId: "r1", index: "a1" })
  const box = rectangle("r1", {
    groupIds: ["g"],
    boundElements: [
      { id: "t1", type: "text" },
      { id: "p1", type: "arrow" },
    ],
  })
  const pointer = arrow("p1", { groupIds: ["g"], index: "a2" })
  const result = read(writeBoardFile([box, label, pointer, stroke("s1", { isDeleted: true })], {}))
  expect(result?.skipped).toBe(0)
  const [r, t, p] = (result?.elements ?? []) as readonly (BoardElement & Record<string, unknown>)[]
  expect(new Set([r!.id, t!.id, p!.id]).size).toBe(3)
  expect([r!.id, t!.id, p!.id].filter((id) => ["r1", "t1", "p1"].includes(id))).toEqual([])
  expect(t).toMatchObject({ text: "Hello", containerId: r!.id })
  expect(r).toMatchObject({ width: 300, boundElements: [{ id: t!.id }, { id: p!.id }] })
  expect(p).toMatchObject({ startBinding: { elementId: r!.id }, groupIds: r!.groupIds })
  expect(result?.elements).toHaveLength(3)
})

it("lies above what is on the board, in its own order", () => {
  const indices = read(file(rectangle("b"), rectangle("a")), { top: "a5" })?.elements.map(({ index }) => index!)
  expect(indices![0]! > "a5" && indices![1]! > indices![0]!).toBe(true)
})

it("is checked like what peers send: what they may not send is left out and counted", () => {
  const hostile = [
    rectangle("x", { width: 1e12 }),
    { id: "p", type: "image", fileId: "f" },
    { id: "e", type: "embeddable", link: "https://stranger.example/" },
    { id: 7 },
    { id: "__proto__", type: "rectangle" },
  ]
  const result = read(file(rectangle("ok", { link: "javascript:alert(1)" }), ...hostile))
  expect(result?.elements).toMatchObject([{ type: "rectangle", link: null }])
  expect(result?.skipped).toBe(hostile.length)
})

describe("pictures", () => {
  const id = "0123456789abcdef".repeat(2)
  const data = { id, mimeType: "image/png", dataURL: "data:image/png;base64,AAAA", created: 1 }

  it("are saved with the board they are on, and no others", () => {
    const saved = writeBoardFile([picture("p")], { [id]: data, other: { ...data, id: "other" } })
    expect(JSON.parse(saved)).toMatchObject({ files: { [id]: data } })
    expect(Object.keys((JSON.parse(saved) as { files: object }).files)).toEqual([id])
    expect(writeBoardFile([picture("p", { isDeleted: true })], { [id]: data })).not.toContain("base64")
  })

  it("are read under their names in this conference, or left out without one", () => {
    const saved = writeBoardFile([picture("p")], { [id]: data })
    expect(picturesIn(parseBoardFile(saved)!)).toEqual(new Map([[id, data.dataURL]]))
    const here = "f".repeat(32)
    expect(read(saved, { shared: new Map([[id, here]]) })?.elements).toMatchObject([{ type: "image", fileId: here }])
    expect(read(saved)).toMatchObject({ elements: [], skipped: 1 })
  })

  it("are none where the file only says so", () => {
    const hostile = {
      elements: [
        { type: "image", fileId: "__proto__" },
        { type: "image", fileId: "x" },
      ],
      files: { x: 7 },
    }
    expect(picturesIn(parseBoardFile(JSON.stringify({ type: "excalidraw", ...hostile }))!).size).toBe(0)
  })

  it.each([
    "https://stranger.example/a.png",
    "data:text/html;base64,AAAA",
    "data:image/png,AAAA",
    "data:image/svg+xml;base64,A",
    "",
  ])("%s is no picture of a board file", (url) => expect(blobOfDataUrl(url)).toBeNull())

  it("are bytes of a type again", async () => {
    const blob = blobOfDataUrl("data:image/png;base64,AQID")
    expect(blob?.type).toBe("image/png")
    expect([...new Uint8Array(await blob!.arrayBuffer())]).toEqual([1, 2, 3])
  })
})

it("never makes the board larger than it may be, nor one thing two", () => {
  expect(read(file(rectangle("a"), rectangle("b"), rectangle("c")), { room: 2 })).toMatchObject({ skipped: 1 })
  expect(read(file(rectangle("a"), rectangle("a")))).toMatchObject({ skipped: 1 })
})

it.each(["", "{", "null", "[]", '{"type":"excalidrawlib","elements":[]}', '{"type":"excalidraw"}'])(
  "%j is no board file",
  (content) => {
    expect(read(content)).toBeNull()
  },
)
