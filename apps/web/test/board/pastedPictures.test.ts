// @vitest-environment jsdom
import type { ExcalidrawElement } from "@excalidraw/excalidraw/element/types"
import type { BinaryFileData, ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import type { SharedDocument } from "@keymoot/core"
import { expect, it, vi } from "vitest"
import * as Y from "yjs"
import { addBoard } from "../../src/board/file/addBoard.ts"
import { drawnPicture } from "../../src/board/pictures/drawnPicture.ts"
import { PICTURES_MAP, sharePictures } from "../../src/board/pictures/pictures.ts"
import { ELEMENTS_MAX } from "../../src/board/sync/binding.ts"
import { NO_PICTURES } from "../../src/session/pictures.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import { picture } from "./elements.ts"

vi.mock("@excalidraw/excalidraw", () => ({
  CaptureUpdateAction: {},
  newElementWith: (element: object, change: object) => ({ ...element, ...change }),
}))
vi.mock("../../src/board/pictures/drawnPicture.ts")

const content = new Blob(["drawn"], { type: "image/png" })
/** A name of Excalidraw, which is no name of a shared file. */
const CAT = "ca".repeat(20)

/** The board of one person, with a scene in which elements are only pasted and updated. */
function board() {
  let elements: (ExcalidrawElement & { fileId: string })[] = []
  const files: Record<string, BinaryFileData> = {}
  const api = {
    getFiles: () => files,
    addFiles: (added: BinaryFileData[]) => added.forEach((file) => (files[file.id] = file)),
    getSceneElements: () => elements.filter(({ isDeleted }) => !isDeleted),
    getSceneElementsIncludingDeleted: () => elements,
    updateScene: (scene: { elements: typeof elements }) => void (elements = [...scene.elements]),
  } as unknown as ExcalidrawImperativeAPI
  let offers = 0
  const offer = async ({ size }: Blob) => {
    const id = `${++offers}`.padStart(32, "0")
    return { id, ticket: `ticket ${id}`, owner: "me", sizeBytes: size }
  }
  const session = {
    handle: { self: { id: "me" }, files: { offer } },
    view: store({ members: [{ id: "me" }], status: "secured" }),
    pictures: store(NO_PICTURES),
    files: { states: store(new Map()) },
    holdUnsent: () => () => undefined,
  } as unknown as Session
  const doc = new Y.Doc()
  const pictures = sharePictures(session, { doc } as SharedDocument, api)
  const put = (fileId: string): void => {
    elements.push({ id: `${elements.length}`, type: "image", fileId, isDeleted: false } as (typeof elements)[number])
    pictures.sceneChanged()
  }
  const paste = (fileId: string): void => {
    api.addFiles([{ id: fileId, mimeType: "image/png", dataURL: "data:image/png;base64,AAAA" } as BinaryFileData])
    put(fileId)
  }
  const shown = (): string[] => api.getSceneElements().map((element) => (element as { fileId: string }).fileId)
  const deleteAll = (): void => {
    elements = elements.map((element) => ({ ...element, isDeleted: true }))
    pictures.sceneChanged()
  }
  return { api, pictures, paste, put, shown, deleteAll, session, tickets: doc.getMap(PICTURES_MAP) }
}
const id = (number: number): string => `${number}`.padStart(32, "0")

it("shares a picture once when it is pasted twice", async () => {
  vi.mocked(drawnPicture).mockResolvedValue({ content, width: 2, height: 2 })
  const { paste, shown, tickets } = board()
  paste(CAT)
  await expect.poll(shown).toEqual([id(1)])
  paste(CAT)
  await expect.poll(shown).toEqual([id(1), id(1)])
  expect([...tickets.keys()]).toEqual([id(1)])
})

it("shares a picture when it is pasted again after a failure", async () => {
  vi.mocked(drawnPicture).mockResolvedValueOnce(null).mockResolvedValue({ content, width: 2, height: 2 })
  const { paste, shown } = board()
  paste(CAT)
  await expect.poll(shown).toEqual([])
  paste(CAT)
  await expect.poll(shown).toEqual([id(1)])
})

it("shares a picture when it is pasted from another board of Keymoot", async () => {
  vi.mocked(drawnPicture).mockResolvedValue({ content, width: 2, height: 2 })
  const { paste, shown } = board()
  paste(id(77))
  await expect.poll(shown).toEqual([id(1)])
})

it("does not share a picture of this board anew when its ticket is deleted", async () => {
  vi.mocked(drawnPicture).mockResolvedValue({ content, width: 2, height: 2 })
  const { pictures, paste, put, shown, tickets } = board()
  put((await pictures.share(content))!)
  tickets.delete(id(1))
  paste(CAT)
  await expect.poll(shown).toEqual([id(1), id(2)])
})

it("adds a picture when all others that filled the board are deleted", async () => {
  vi.mocked(drawnPicture).mockResolvedValue({ content, width: 2, height: 2 })
  const { pictures, put, deleteAll, session } = board()
  for (let shared = await pictures.share(content); shared !== null; shared = await pictures.share(content)) put(shared)
  expect(session.pictures.get().refused).toBe("tooMany")
  deleteAll()
  expect(await pictures.share(content)).not.toBeNull()
})

it("gives the places of a board file back when there is no room for its elements", async () => {
  vi.mocked(drawnPicture).mockResolvedValue({ content, width: 2, height: 2 })
  const mine = board()
  const full = Array.from({ length: ELEMENTS_MAX }, () => ({ type: "rectangle", index: null }))
  const getSceneElements = vi.spyOn(mine.api, "getSceneElements").mockReturnValue(full as never)
  const files = { cat: { id: "cat", mimeType: "image/png", dataURL: "data:image/png;base64,AAAA" } }
  const file = JSON.stringify({ type: "excalidraw", elements: [picture("p", { fileId: "cat" })], files })
  expect(await addBoard(mine.api, mine.pictures, file)).toMatchObject({ skipped: 1 })
  expect([...mine.tickets.keys()]).toEqual([id(1)])
  getSceneElements.mockRestore()
  expect(await placesOf(mine)).toBe(await placesOf(board()))
})

it("gives the place of a pasted picture back when it is deleted before it is shared", async () => {
  const drawn = { content, width: 2, height: 2 }
  vi.mocked(drawnPicture).mockResolvedValue(drawn)
  let draw!: (picture: typeof drawn) => void
  vi.mocked(drawnPicture).mockReturnValueOnce(new Promise((resolve) => (draw = resolve)))
  const mine = board()
  mine.paste(CAT)
  await expect.poll(() => mine.session.pictures.get().adding).toBe(1)
  mine.deleteAll()
  draw(drawn)
  await expect.poll(() => mine.session.pictures.get().adding).toBe(0)
  expect([...mine.tickets.keys()]).toEqual([id(1)])
  expect(await placesOf(mine)).toBe(await placesOf(board()))
})

/** Fills a board with pictures. Returns how many it takes. */
async function placesOf({ pictures, put }: ReturnType<typeof board>): Promise<number> {
  let count = 0
  for (let shared = await pictures.share(content); shared !== null; shared = await pictures.share(content)) {
    put(shared)
    count++
  }
  return count
}
