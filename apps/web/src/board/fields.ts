/**
 * Readers of single fields of a peer's element. Each returns null (or undefined, where null is a value) for an invalid
 * value.
 */

const ID = /^[\w-]{1,64}$/
const HEX_OR_NAME = /^(#[\da-f]{3,8}|[a-z]{3,24})$/i
const FUNCTION = /^(rgb|hsl)a?\([\d\s.,%/]{1,48}\)$/i
const GROUPS_MAX = 50
const BOUND_ELEMENTS_MAX = 1000

export function hasId(value: unknown, id: string): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false
  return (value as Record<string, unknown>)["id"] === id && readElementId(id) !== null
}

/** Excalidraw uses ids as keys of plain objects: a property name that every object has would match without an entry. */
export function readElementId(value: unknown): string | null {
  return typeof value === "string" && ID.test(value) && !(value in Object.prototype) ? value : null
}

export function readNumber(value: unknown, min: number, max: number): number | null {
  return typeof value === "number" && value >= min && value <= max ? value : null
}

export function readWhole(value: unknown, min: number, max: number): number | null {
  return Number.isInteger(value) ? readNumber(value, min, max) : null
}

export function readString(value: unknown, lengthMax: number): string | null {
  return typeof value === "string" && value.length <= lengthMax ? value : null
}

export function readOneOf<T extends string>(value: unknown, allowed: readonly T[]): T | null {
  return allowed.find((candidate) => candidate === value) ?? null
}

export function readColour(value: unknown): string | null {
  return typeof value === "string" && (HEX_OR_NAME.test(value) || FUNCTION.test(value)) ? value : null
}

export function readIdList(value: unknown): string[] | null {
  if (!Array.isArray(value) || value.length > GROUPS_MAX) return null
  const ids = value.map(readElementId)
  return ids.includes(null) ? null : (ids as string[])
}

export function readRoundness(value: unknown): { type: number; value?: number } | null | undefined {
  if (value === null) return null
  if (typeof value !== "object") return undefined
  const { type, value: radius } = value as Record<string, unknown>
  const kind = readWhole(type, 1, 3)
  if (kind === null) return undefined
  if (radius === undefined) return { type: kind }
  const size = readNumber(radius, 0, 10_000)
  return size === null ? undefined : { type: kind, value: size }
}

export function readBoundElements(value: unknown): { id: string; type: "arrow" | "text" }[] | null | undefined {
  if (value === null) return null
  if (!Array.isArray(value) || value.length > BOUND_ELEMENTS_MAX) return undefined
  const bound: { id: string; type: "arrow" | "text" }[] = []
  for (const item of value as unknown[]) {
    if (typeof item !== "object" || item === null) return undefined
    const id = readElementId((item as Record<string, unknown>)["id"])
    const type = readOneOf((item as Record<string, unknown>)["type"], ["arrow", "text"])
    if (id === null || type === null) return undefined
    bound.push({ id, type })
  }
  return bound
}
