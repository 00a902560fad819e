import { generateNKeysBetween } from "fractional-indexing"
import { readElement } from "./element.ts"
import type { BoardElement } from "./element.ts"

/** Excalidraw's own kind of file, so that its other programs open it. */
const TYPE = "excalidraw"
/** Bytes; what is larger is not read. */
export const BOARD_FILE_BYTES_MAX = 32 * 1024 * 1024
/** Fields that name another element. */
const REFERENCES = new Set(["id", "frameId", "containerId", "elementId"])

export type ReadBoard = {
  readonly elements: readonly BoardElement[]
  /** What is in the file and cannot be on our boards. */
  readonly skipped: number
}

export function writeBoardFile(elements: readonly BoardElement[]): string {
  const shown = elements.filter((element) => !element.isDeleted)
  return JSON.stringify(
    { type: TYPE, version: 2, source: "keymoot", elements: shown, appState: {}, files: {} },
    null,
    1,
  )
}

/**
 * Reads a file as strictly as what peers send. Everything gets a new id, so that nothing on the board is overwritten,
 * and a place above what is there.
 * @param top the highest index on the board, null for an empty one
 * @param room how many elements the board can still take
 * @returns null for what is no board file
 */
export function readBoardFile(text: string, top: string | null, room: number, newId: () => string): ReadBoard | null {
  const raw = elementsOf(text)
  if (raw === null) return null
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
    // Two of one id cannot both be there.
    if (index === undefined || id === null || taken.has(id)) continue
    const read = readElement(id, { ...withNames(element, rename), index })
    if (read === null) continue
    taken.add(id)
    elements.push(read)
  }
  return { elements, skipped: raw.length - elements.length }
}

function elementsOf(text: string): Record<string, unknown>[] | null {
  try {
    const { type, elements } = (JSON.parse(text) ?? {}) as Record<string, unknown>
    if (type !== TYPE || !Array.isArray(elements)) return null
    return elements.filter(
      (element): element is Record<string, unknown> =>
        typeof element === "object" && element !== null && (element as Record<string, unknown>)["isDeleted"] !== true,
    )
  } catch {
    return null
  }
}

/** A copy in which every name of an element or a group is a new one; the same name, the same new one. */
function withNames(element: object, rename: (name: string) => string): object {
  return JSON.parse(JSON.stringify(element), (key, value: unknown) => {
    if (REFERENCES.has(key) && typeof value === "string") return rename(value)
    return key === "groupIds" && Array.isArray(value) ? value.map((name) => rename(String(name))) : value
  }) as object
}
