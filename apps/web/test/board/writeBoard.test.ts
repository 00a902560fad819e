import { expect, it } from "vitest"
import { Doc } from "yjs"
import { writeBoardFile, writerOfClosed } from "../../src/board/elements/writeBoard.ts"
import { picture, rectangle } from "./elements.ts"

const shown = picture("p")
const file = { id: "0123456789abcdef".repeat(2), dataURL: "data:image/png;base64,AA==", mimeType: "image/png" }
const files = { [file.id]: file }

function closed() {
  const map = new Doc().getMap<unknown>("elements")
  map.set("p", shown)
  return { map, write: writerOfClosed(map, writeBoardFile([shown], files), files) }
}

it("writes a closed whiteboard as it was shown while nobody draws", () => {
  expect(closed().write()).toBe(writeBoardFile([shown], files))
})

it("writes what others drew after the whiteboard has crashed, with its pictures", () => {
  const { map, write } = closed()
  for (const index of ["a1", "a2"]) {
    map.set("r", rectangle("r", { index }))
    expect(JSON.parse(write()!)).toMatchObject({ elements: [shown, rectangle("r", { index })], files })
  }
})
