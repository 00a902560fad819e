import { expect, it } from "vitest"
import { readBoard } from "../../src/board/file/boardFile.ts"
import { LIBRARY_ITEMS_MAX, parseLibraryFile } from "../../src/board/file/libraryFile.ts"
import { rectangle, text } from "./elements.ts"

const library = (...items: unknown[]) =>
  JSON.stringify({ type: "excalidrawlib", version: 2, libraryItems: items.map((elements) => ({ elements })) })

function read(file: string) {
  let next = 0
  const board = parseLibraryFile(file)
  return board && readBoard(board, { top: null, room: 10_000, newId: () => `new${next++}`, shared: new Map() })
}

it("puts the items of a library beside each other, each as one group", () => {
  const label = text("t", { containerId: "r", index: "a1" })
  const box = rectangle("r", { boundElements: [{ id: "t", type: "text" }] })
  const elements = read(library([box, label], [rectangle("r")]))!.elements
  expect(elements).toHaveLength(3)
  const [first, words, second] = elements as unknown as { id: string; x: number; width: number; groupIds: string[] }[]
  expect(words).toMatchObject({ containerId: first!.id, groupIds: first!.groupIds })
  expect(second!.groupIds).not.toEqual(first!.groupIds)
  expect(second!.x).toBeGreaterThan(first!.x + first!.width)
})

it("reads a library of version 1", () => {
  expect(
    read(JSON.stringify({ type: "excalidrawlib", version: 1, library: [[rectangle("r")]] }))?.elements,
  ).toHaveLength(1)
})

it("puts no more items onto the board than the bound", () => {
  const items = Array.from({ length: 10 * LIBRARY_ITEMS_MAX }, () => [rectangle("r")])
  expect(read(library(...items))?.elements).toHaveLength(LIBRARY_ITEMS_MAX)
})

it("leaves out damaged elements, as a board from a file does", () => {
  const result = read(
    library([{ type: "script", id: "x" }, rectangle("r", { width: Number.NaN }), rectangle("s")], 7, null),
  )
  expect(result).toMatchObject({ elements: [{ type: "rectangle" }] })
})

it.each(["", "{}", "[]", '{"type":"excalidraw","elements":[]}', '{"type":"excalidrawlib"}'])(
  "%j is no library",
  (file) => {
    expect(parseLibraryFile(file)).toBeNull()
  },
)
