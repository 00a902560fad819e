import { readElementId, readNumber, readOneOf, readWhole } from "./fields.ts"
import { CORNERS_MAX, PATH_LENGTH_MAX, SIZE_MAX, STROKE_POINTS_MAX } from "./limits.ts"

/** Scene units that an elbow may be off a right angle: Excalidraw's DEDUP_TRESHOLD. */
const ELBOW_TOLERANCE = 1

/** Excalidraw's PRECISION. */
const ORIGIN_TOLERANCE = 1e-4

const ARROWHEADS = [
  "arrow",
  "bar",
  "dot",
  "circle",
  "circle_outline",
  "triangle",
  "triangle_outline",
  "diamond",
  "diamond_outline",
  "crowfoot_one",
  "crowfoot_many",
  "crowfoot_one_or_many",
] as const

export type Point = [number, number]

export function readLine(type: "line" | "arrow" | "freedraw", value: Record<string, unknown>): object | null {
  const points = readPoints(
    value["points"],
    type === "freedraw" ? 1 : 2,
    type === "freedraw" ? STROKE_POINTS_MAX : CORNERS_MAX,
  )
  const lastCommittedPoint = readOptional(value["lastCommittedPoint"], readPoint)
  if (points === null || lastCommittedPoint === undefined || pathLength(points) > PATH_LENGTH_MAX) return null
  const own = type === "freedraw" ? readStroke(points.length, value) : readLinear(type, points, value)
  return own === null ? null : { points, lastCommittedPoint, ...own }
}

function readStroke(pointCount: number, value: Record<string, unknown>): object | null {
  const { pressures, simulatePressure } = value
  if (!Array.isArray(pressures) || pressures.length > pointCount || typeof simulatePressure !== "boolean") return null
  if (pressures.some((pressure) => readNumber(pressure, 0, 1) === null)) return null
  return { pressures: [...(pressures as number[])], simulatePressure }
}

function readLinear(type: "line" | "arrow", points: Point[], value: Record<string, unknown>): object | null {
  // Excalidraw places a line at its first point, and reports any other place as an error at each edit.
  if (points[0]?.some((coordinate) => Math.abs(coordinate) > ORIGIN_TOLERANCE)) return null
  const elbowed = type === "arrow" && value["elbowed"] === true
  const startArrowhead = readOptional(value["startArrowhead"], (head) => readOneOf(head, ARROWHEADS))
  const endArrowhead = readOptional(value["endArrowhead"], (head) => readOneOf(head, ARROWHEADS))
  const startBinding = readOptional(value["startBinding"], (binding) => readBinding(binding, elbowed))
  const endBinding = readOptional(value["endBinding"], (binding) => readBinding(binding, elbowed))
  if (startArrowhead === undefined || endArrowhead === undefined) return null
  if (startBinding === undefined || endBinding === undefined) return null
  const linear = { startArrowhead, endArrowhead, startBinding, endBinding }
  if (type === "line") return linear
  if (!elbowed) return { ...linear, elbowed }
  const elbow = readElbow(points, value)
  return elbow === null ? null : { ...linear, elbowed, ...elbow }
}

/** Excalidraw throws while editing an elbow arrow whose segments are neither horizontal nor vertical. */
function readElbow(points: Point[], value: Record<string, unknown>): object | null {
  if (!points.slice(1).every((point, i) => isStraight(points[i] ?? point, point))) return null
  const fixedSegments = readOptional(value["fixedSegments"], (segments) => readSegments(segments, points.length))
  if (fixedSegments === undefined) return null
  const startIsSpecial = value["startIsSpecial"] === true ? true : null
  const endIsSpecial = value["endIsSpecial"] === true ? true : null
  return { fixedSegments, startIsSpecial, endIsSpecial }
}

function readSegments(value: unknown, pointCount: number): object[] | null {
  if (!Array.isArray(value) || value.length > pointCount) return null
  const segments = (value as unknown[]).map((item) => {
    if (typeof item !== "object" || item === null) return null
    const { start, end, index } = item as Record<string, unknown>
    const from = readPoint(start)
    const to = readPoint(end)
    const at = readWhole(index, 1, pointCount - 1)
    return from === null || to === null || at === null || !isStraight(from, to)
      ? null
      : { start: from, end: to, index: at }
  })
  return segments.includes(null) ? null : (segments as object[])
}

function readBinding(value: unknown, elbowed: boolean): object | null {
  if (typeof value !== "object" || value === null) return null
  const { elementId, focus, gap, fixedPoint } = value as Record<string, unknown>
  const binding = {
    elementId: readElementId(elementId),
    focus: readNumber(focus, -1000, 1000),
    gap: readNumber(gap, -SIZE_MAX, SIZE_MAX),
  }
  if (Object.values(binding).includes(null)) return null
  if (!elbowed) return binding
  const point = readPoint(fixedPoint)
  return point === null ? null : { ...binding, fixedPoint: point }
}

/** null stays null; undefined means invalid. */
function readOptional<T>(value: unknown, read: (value: unknown) => T | null): T | null | undefined {
  return value === null || value === undefined ? null : (read(value) ?? undefined)
}

function readPoints(value: unknown, countMin: number, countMax: number): Point[] | null {
  if (!Array.isArray(value) || value.length < countMin || value.length > countMax) return null
  const points: Point[] = []
  for (const item of value as unknown[]) {
    const point = readPoint(item)
    if (point === null) return null
    points.push(point)
  }
  return points
}

function readPoint(value: unknown): Point | null {
  if (!Array.isArray(value) || value.length !== 2) return null
  const x = readNumber(value[0], -SIZE_MAX, SIZE_MAX)
  const y = readNumber(value[1], -SIZE_MAX, SIZE_MAX)
  return x === null || y === null ? null : [x, y]
}

export function pathLength(points: readonly Point[]): number {
  let length = 0
  let [x, y] = points[0] ?? [0, 0]
  for (const point of points) {
    length += Math.hypot(point[0] - x, point[1] - y)
    ;[x, y] = point
  }
  return length
}

/** The larger of width and height. */
export function extentOf(points: readonly (readonly [number, number])[]): number {
  const min: Point = [0, 0]
  const max: Point = [0, 0]
  for (const point of points)
    for (const axis of [0, 1] as const) {
      min[axis] = Math.min(min[axis], point[axis])
      max[axis] = Math.max(max[axis], point[axis])
    }
  return Math.max(max[0] - min[0], max[1] - min[1])
}

function isStraight(a: Point, b: Point): boolean {
  return Math.abs(a[0] - b[0]) < ELBOW_TOLERANCE || Math.abs(a[1] - b[1]) < ELBOW_TOLERANCE
}
