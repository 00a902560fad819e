import { generateNKeysBetween } from "fractional-indexing"
import { type BoardElement, readElement } from "../elements/element.ts"
import { PICTURES_MAX } from "../elements/limits.ts"
import { bindLabels } from "../elements/labels.ts"
import { BOARD_FILE_TYPE, type PictureData } from "../elements/writeBoard.ts"

/** Bytes; larger files are not read. */
export const BOARD_FILE_BYTES_MAX = 32 * 1024 * 1024
/** Fields that refer to another element. */
const REFERENCES = new Set(["id", "frameId", "containerId", "elementId"])

export type ReadBoard = {
  readonly elements: readonly BoardElement[]
  /** Elements of the file that our boards cannot hold. */
  readonly skipped: number
}

/** A board file as read; its content is not validated. */
export type RawBoard = {
  readonly elements: readonly Record<string, unknown>[]
  readonly files: Record<string, unknown>
}

/** Null if this is not a board file. */
export function parseBoardFile(text: string): RawBoard | null {
  try {
    const { type, elements, files } = (JSON.parse(text) ?? {}) as Record<string, unknown>
    if (type !== BOARD_FILE_TYPE || !Array.isArray(elements)) return null
    return {
      elements: elements.filter(
        (element): element is Record<string, unknown> =>
          typeof element === "object" && element !== null && (element as Record<string, unknown>)["isDeleted"] !== true,
      ),
      files: typeof files === "object" && files !== null ? (files as Record<string, unknown>) : {},
    }
  } catch {
    return null
  }
}

/** The pictures on the board as `data:` URLs, by their names in the file. */
export function picturesIn({ elements, files }: RawBoard): ReadonlyMap<string, string> {
  const pictures = new Map<string, string>()
  for (const { type, fileId } of elements) {
    if (type !== "image" || typeof fileId !== "string" || !Object.hasOwn(files, fileId)) continue
    const { dataURL } = (files[fileId] ?? {}) as Partial<PictureData>
    if (typeof dataURL === "string" && pictures.size < PICTURES_MAX) pictures.set(fileId, dataURL)
  }
  return pictures
}

/**
 * Reads a file with the same checks as data of peers. All elements get new ids, so that nothing on the board is
 * overwritten, and a place above the existing ones.
 * @param top the highest index on the board, null for an empty one.
 * @param room how many elements the board can still take.
 * @param shared the names of the file's pictures in this conference; others are left out
 */
export function readBoard(
  { elements: raw }: RawBoard,
  {
    top,
    room,
    newId,
    shared,
  }: { top: string | null; room: number; newId: () => string; shared: ReadonlyMap<string, string> },
): ReadBoard {
  const renamed = new Map<string, string>()
  const rename = (name: string): string => {
    const known = renamed.get(name)
    if (known === undefined) renamed.set(name, newId())
    return known ?? rename(name)
  }
  const indices = generateNKeysBetween(top, null, Math.min(raw.length, room))
  const taken = new Set<string>()
  const elements: BoardElement[] = []
  for (const element of raw) {
    const index = indices[elements.length]
    const id = typeof element["id"] === "string" ? rename(element["id"]) : null
    // Two elements of one id cannot coexist.
    if (index === undefined || id === null || taken.has(id)) continue
    const fileId = shared.get(String(element["fileId"]))
    const read = readElement(id, { ...withNames(element, rename), index, fileId })
    if (read === null) continue
    taken.add(id)
    elements.push(read)
  }
  return { elements: bindLabels(elements), skipped: raw.length - elements.length }
}

/** A copy with new names for all elements and groups; equal names stay equal. */
export function withNames(element: object, rename: (name: string) => string): object {
  return JSON.parse(JSON.stringify(element), (key, value: unknown) => {
    if (REFERENCES.has(key) && typeof value === "string") return rename(value)
    return key === "groupIds" && Array.isArray(value) ? value.map((name) => rename(String(name))) : value
  }) as object
}
