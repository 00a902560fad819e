export type Point = readonly [x: number, y: number]
export type Stroke = readonly Point[]

/** The strokes among what peers wrote. Anybody may write anything, and an unchecked value makes rendering throw. */
export function strokesIn(values: readonly unknown[]): Stroke[] {
  return values.filter(isStroke)
}

function isStroke(value: unknown): value is Stroke {
  return Array.isArray(value) && value.length > 0 && value.every(isPoint)
}

function isPoint(value: unknown): value is Point {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite)
}
