import { type RawBoard, withNames } from "./boardFile.ts"

/** Excalidraw's file type for libraries. */
const TYPE = "excalidrawlib"
/** Items of a library that are put onto the board; the others are left out. */
export const LIBRARY_ITEMS_MAX = 200
/** Scene units. */
const ROW_WIDTH = 1600
const GAP = 60

type Raw = Readonly<Record<string, unknown>>

/**
 * The items of an Excalidraw library beside each other, in rows, as a board that is not validated. Each item is one
 * group. Null if this is not a library.
 */
export function parseLibraryFile(text: string): RawBoard | null {
  try {
    const { type, libraryItems, library } = (JSON.parse(text) ?? {}) as Raw
    const items = itemsOf(libraryItems) ?? itemsOf(library)
    return type === TYPE && items !== null ? { elements: inRows(items.slice(0, LIBRARY_ITEMS_MAX)), files: {} } : null
  } catch {
    return null
  }
}

/** Version 1 has arrays of elements, version 2 objects with them. */
function itemsOf(value: unknown): readonly (readonly Raw[])[] | null {
  if (!Array.isArray(value)) return null
  return value.map((item: unknown) => {
    const elements = Array.isArray(item) ? item : isObject(item) ? item["elements"] : null
    return Array.isArray(elements) ? elements.filter(isObject).filter(({ isDeleted }) => isDeleted !== true) : []
  })
}

function inRows(items: readonly (readonly Raw[])[]): Record<string, unknown>[] {
  let [x, y, height] = [0, 0, 0]
  return items.flatMap((elements, index) => {
    if (elements.length === 0) return []
    const box = boxOf(elements)
    if (x > 0 && x + box.width > ROW_WIDTH) [x, y, height] = [0, y + height + GAP, 0]
    const [right, down] = [x - box.x, y - box.y]
    x += box.width + GAP
    height = Math.max(height, box.height)
    return elements.map((element) => {
      // Items are made apart from each other, so their names may be the same.
      const own = withNames(element, (name) => `${index} ${name}`) as Raw
      const groups = Array.isArray(own["groupIds"]) ? (own["groupIds"] as unknown[]) : []
      const place = { x: numberOf(own["x"]) + right, y: numberOf(own["y"]) + down }
      return { ...own, ...place, groupIds: [...groups, `item ${index}`] }
    })
  })
}

/** Around the corners of the elements; the exact shape does not matter for the distance between items. */
function boxOf(elements: readonly Raw[]) {
  const [lefts, tops] = [elements.map(({ x }) => numberOf(x)), elements.map(({ y }) => numberOf(y))]
  const rights = elements.map(({ x, width }) => numberOf(x) + Math.abs(numberOf(width)))
  const bottoms = elements.map(({ y, height }) => numberOf(y) + Math.abs(numberOf(height)))
  const [left, top] = [Math.min(...lefts), Math.min(...tops)]
  return { x: left, y: top, width: Math.max(...rights) - left, height: Math.max(...bottoms) - top }
}

function numberOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0
}

function isObject(value: unknown): value is Raw {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
