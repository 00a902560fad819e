/**
 * Readers of a peer's pointer and of single fields of its elements. Each returns null (or undefined, where null is a
 * value) for an invalid value.
 */
import { COORDINATE_MAX } from "./limits.ts"

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

const SELECTED_MAX = 500

export type Presence = {
  readonly pointer: { readonly x: number; readonly y: number; readonly tool: "pointer" | "laser" } | null
  readonly button: "up" | "down"
  readonly selectedElementIds: Readonly<Record<string, true>>
}

/** A peer's state, or null if it is invalid. */
export function readPresence(state: unknown): Presence | null {
  if (typeof state !== "object" || state === null) return null
  const { pointer, button, selectedElementIds } = state as Record<string, unknown>
  const pressed = readOneOf(button, ["up", "down"])
  const selected = readSelected(selectedElementIds)
  if (pressed === null || selected === null) return null
  if (pointer === null) return { pointer, button: pressed, selectedElementIds: selected }
  if (typeof pointer !== "object") return null
  const { x, y, tool } = pointer as Record<string, unknown>
  const place = { x: readNumber(x, -COORDINATE_MAX, COORDINATE_MAX), y: readNumber(y, -COORDINATE_MAX, COORDINATE_MAX) }
  const kind = readOneOf(tool, ["pointer", "laser"])
  if (place.x === null || place.y === null || kind === null) return null
  return { pointer: { x: place.x, y: place.y, tool: kind }, button: pressed, selectedElementIds: selected }
}

function readSelected(value: unknown): Record<string, true> | null {
  if (typeof value !== "object" || value === null) return null
  const ids = Object.keys(value)
  if (ids.length > SELECTED_MAX || ids.some((id) => readElementId(id) === null)) return null
  return Object.fromEntries(ids.map((id) => [id, true]))
}
