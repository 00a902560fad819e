import { CaptureUpdateAction, newElementWith } from "@excalidraw/excalidraw"
import type { ExcalidrawElement, FileId } from "@excalidraw/excalidraw/element/types"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import { ELEMENTS_MAX } from "../sync/binding.ts"
import { blobOfDataUrl } from "../pictures/dataUrl.ts"
import type { Pictures } from "../pictures/pictures.ts"
import { parseBoardFile, picturesIn, readBoard } from "./boardFile.ts"
import { parseLibraryFile } from "./libraryFile.ts"
import { boxAround } from "./boxes.ts"
import { freePlace } from "./placing.ts"

export type Added = { readonly ids: ReadonlySet<string>; readonly skipped: number }

/**
 * Adds the elements of a board file, or the items of a library, where they cover nothing, and selects and shows them.
 * It is my own work: others get it, and I can undo it. Null if the text is neither.
 */
export async function addBoard(api: ExcalidrawImperativeAPI, pictures: Pictures, text: string): Promise<Added | null> {
  const board = parseBoardFile(text) ?? parseLibraryFile(text)
  if (board === null) return null
  const shared = new Map<string, string>()
  for (const [name, url] of picturesIn(board)) {
    const source = blobOfDataUrl(url)
    const id = source && (await pictures.share(source))
    if (id) shared.set(name, id)
  }
  const scene = api.getSceneElementsIncludingDeleted()
  const top = scene.at(-1)?.index ?? null
  const room = ELEMENTS_MAX - api.getSceneElements().length
  const { elements, skipped } = readBoard(board, { top, room, newId: () => crypto.randomUUID(), shared })
  const shown = new Set(elements.flatMap((element) => (element.type === "image" ? element.fileId : [])))
  for (const id of shared.values()) if (!shown.has(id as FileId)) pictures.giveUp(id)
  return { ids: addApart(api, elements as readonly ExcalidrawElement[]), skipped }
}

/** Adds elements where they cover nothing, selects and shows them. Returns their ids. */
export function addApart(api: ExcalidrawImperativeAPI, elements: readonly ExcalidrawElement[]): ReadonlySet<string> {
  const placed = apartFrom(api.getSceneElements(), elements)
  api.updateScene({
    elements: [...api.getSceneElementsIncludingDeleted(), ...placed],
    appState: { selectedElementIds: Object.fromEntries(placed.map(({ id }) => [id, true as const])) },
    captureUpdate: CaptureUpdateAction.IMMEDIATELY,
  })
  if (placed.length > 0) api.scrollToContent(placed, { fitToContent: true })
  return new Set(placed.map(({ id }) => id))
}

/** Deletes what was added. It is my own work again, and leaves everything else as it is. */
export function removeAdded(api: ExcalidrawImperativeAPI, { ids }: Added): void {
  const elements = api
    .getSceneElementsIncludingDeleted()
    .map((element) => (ids.has(element.id) ? newElementWith(element, { isDeleted: true }) : element))
  api.updateScene({ elements, captureUpdate: CaptureUpdateAction.IMMEDIATELY })
}

function apartFrom(
  present: readonly ExcalidrawElement[],
  elements: readonly ExcalidrawElement[],
): readonly ExcalidrawElement[] {
  if (elements.length === 0 || present.length === 0) return elements
  const box = boxAround(elements)
  const place = freePlace(
    box,
    present.map((element) => boxAround([element])),
  )
  const [right, down] = [place.x - box.x, place.y - box.y]
  return elements.map((element) => ({ ...element, x: element.x + right, y: element.y + down }))
}
