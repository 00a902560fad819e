import type { Map as YMap } from "yjs"
import { type BoardElement, readElement } from "./element.ts"
import { bindLabels } from "./labels.ts"

/** Excalidraw's file type, so that its other programs open it. */
export const BOARD_FILE_TYPE = "excalidraw"

/** As Excalidraw holds a picture. */
export type PictureData = { readonly id: string; readonly dataURL: string; readonly mimeType: string }

type PictureFiles = Readonly<Record<string, PictureData>>

/** With the pictures that are visible on it. */
export function writeBoardFile(elements: readonly BoardElement[], pictures: PictureFiles): string {
  const shown = elements.filter((element) => !element.isDeleted)
  const used = shown.flatMap((element) => (element.type === "image" ? (pictures[element.fileId ?? ""] ?? []) : []))
  const files = Object.fromEntries(used.map((picture) => [picture.id, picture]))
  const board = { type: BOARD_FILE_TYPE, version: 2, source: "keymoot", elements: shown, appState: {}, files }
  return JSON.stringify(board, null, 1)
}

/** The shared elements as a file, while no whiteboard shows them. Null if nothing is drawn. */
export function writeSharedBoard(map: YMap<unknown>, pictures: PictureFiles = {}): string | null {
  const elements = bindLabels([...map].flatMap(([id, value]) => readElement(id, value) ?? []).sort(inDrawingOrder))
  return elements.some(isDrawn) ? writeBoardFile(elements, pictures) : null
}

/**
 * Writes a whiteboard that was closed, perhaps by a crash: as last shown, until the shared elements change; those from
 * then on.
 */
export function writerOfClosed(
  map: YMap<unknown>,
  lastShown: string | null,
  pictures: PictureFiles,
): () => string | null {
  let isStale = false
  map.observe(function noteChange() {
    isStale = true
    map.unobserve(noteChange)
  })
  return () => (isStale ? writeSharedBoard(map, pictures) : lastShown)
}

export function hasDrawing(map: YMap<unknown>): boolean {
  for (const [id, value] of map) if (isDrawn(readElement(id, value))) return true
  return false
}

function isDrawn(element: BoardElement | null): boolean {
  return element !== null && !element.isDeleted
}

/** By index, then by id. Elements without an index are on top. */
function inDrawingOrder(a: BoardElement, b: BoardElement): number {
  if (a.index === b.index) return a.id < b.id ? -1 : 1
  if (a.index === null || b.index === null) return a.index === null ? 1 : -1
  return a.index < b.index ? -1 : 1
}
