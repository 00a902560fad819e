import type { OrderedExcalidrawElement } from "@excalidraw/excalidraw/element/types"
import { readFractionalIndex } from "./fractionalIndex.ts"
import {
  hasId,
  readBoundElements,
  readElementId,
  readIdList,
  readOneOf,
  readRoundness,
  readWhole,
  readNumber,
  readColour,
} from "./fields.ts"
import { FILL_STYLES, readFillStyle } from "./filling.ts"
import { COORDINATE_MAX, LABELLED_EXTENT_MAX, LIVE_VERSION_MAX, SIZE_MAX, VERSION_MAX } from "./limits.ts"
import { extentOf, type Point, readLine } from "./line.ts"
import { readPicture } from "./picture.ts"
import { readText } from "./text.ts"

/** An element as the whiteboard holds it. `index` may be empty here: `reconcile` then assigns a place. */
export type BoardElement = OrderedExcalidrawElement

const SHAPES = ["rectangle", "diamond", "ellipse", "text", "line", "arrow", "freedraw", "frame", "image"] as const
const STROKE_STYLES = ["solid", "dashed", "dotted"] as const

/**
 * Validates a peer's element field by field, and builds a new one from the known fields. An unchecked value freezes or
 * crashes the whiteboard of everybody who draws it. Embedded pages, links and custom data are left out. An element that
 * would take too long to hatch is filled plainly, and a very large arrow loses its label (see `bindLabels`). Returns
 * null for anything else, for a key that differs from the id, and beyond a bound.
 */
export function readElement(key: string, value: unknown): BoardElement | null {
  if (!hasId(value, key)) return null
  const type = readOneOf(value["type"], SHAPES)
  const base = readBase(value)
  const own = type === null ? null : readOwn(type, value)
  if (type === null || base === null || own === null) return null
  const frameId = type === "frame" ? null : base.frameId
  const points = "points" in own ? (own.points as Point[]) : null
  const mayHaveLabel = points === null || extentOf(points) <= LABELLED_EXTENT_MAX
  const boundElements = mayHaveLabel ? base.boundElements : withoutLabel(base.boundElements)
  const element = { id: key, type, ...base, frameId, boundElements, fillStyle: readFillStyle(base, points), ...own }
  return element as unknown as BoardElement
}

function withoutLabel<T extends { readonly type: string }>(bound: readonly T[] | null): readonly T[] | null {
  return bound?.filter(({ type }) => type !== "text") ?? null
}

function readBase(value: Record<string, unknown>) {
  const base = {
    x: readNumber(value["x"], -COORDINATE_MAX, COORDINATE_MAX),
    y: readNumber(value["y"], -COORDINATE_MAX, COORDINATE_MAX),
    width: readNumber(value["width"], -SIZE_MAX, SIZE_MAX),
    height: readNumber(value["height"], -SIZE_MAX, SIZE_MAX),
    angle: readNumber(value["angle"], -100, 100),
    strokeColor: readColour(value["strokeColor"]),
    backgroundColor: readColour(value["backgroundColor"]),
    fillStyle: readOneOf(value["fillStyle"], FILL_STYLES),
    strokeWidth: readNumber(value["strokeWidth"], 0.5, 100),
    strokeStyle: readOneOf(value["strokeStyle"], STROKE_STYLES),
    roughness: readNumber(value["roughness"], 0, 10),
    opacity: readNumber(value["opacity"], 0, 100),
    seed: readWhole(value["seed"], 0, VERSION_MAX),
    version: readWhole(value["version"], 1, value["isDeleted"] === true ? VERSION_MAX : LIVE_VERSION_MAX),
    versionNonce: readWhole(value["versionNonce"], 0, VERSION_MAX),
    updated: readWhole(value["updated"], 0, Number.MAX_SAFE_INTEGER),
    isDeleted: typeof value["isDeleted"] === "boolean" ? value["isDeleted"] : null,
    locked: typeof value["locked"] === "boolean" ? value["locked"] : null,
    groupIds: readIdList(value["groupIds"]),
  }
  if (Object.values(base).includes(null)) return null
  const roundness = readRoundness(value["roundness"])
  const boundElements = readBoundElements(value["boundElements"])
  const frameId = value["frameId"] === null ? null : readElementId(value["frameId"])
  if (roundness === undefined || boundElements === undefined) return null
  if ((frameId === null && value["frameId"] !== null) || frameId === value["id"]) return null
  return { ...base, roundness, boundElements, frameId, index: readFractionalIndex(value["index"]), link: null }
}

function readOwn(type: (typeof SHAPES)[number], value: Record<string, unknown>): object | null {
  switch (type) {
    case "rectangle":
    case "diamond":
    case "ellipse":
      return {}
    case "text":
      return readText(value)
    case "line":
    case "arrow":
    case "freedraw":
      return readLine(type, value)
    case "image":
      return readPicture(value)
    case "frame":
      return value["name"] === null || (typeof value["name"] === "string" && value["name"].length <= 200)
        ? { name: value["name"] }
        : null
  }
}
