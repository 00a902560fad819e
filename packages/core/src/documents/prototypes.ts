/**
 * Values of an update with a prototype of their own. Yjs decodes the key `__proto__` of an object as its prototype. Those
 * who receive the update see its fields. It encodes no such fields, so newcomers do not, and digests do not show it.
 */
import * as Y from "yjs"

type Struct = ReturnType<typeof Y.decodeUpdate>["structs"][number]

/** The key as an update has it, behind its length. */
const KEY = new Uint8Array([9, ...new TextEncoder().encode("__proto__")])

/** Whether the bytes contain the key. Other texts may be equal to it. It is quick, since each stroke passes here. */
export function mayNamePrototype(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(KEY[0]!); at >= 0; at = bytes.indexOf(KEY[0]!, at + 1)) {
    if (KEY.every((byte, i) => bytes[at + i] === byte)) return true
  }
  return false
}

/** Whether a value in the struct has another prototype than a plain object. */
export function hasPrototype(struct: Struct): boolean {
  return struct instanceof Y.Item && struct.content instanceof Y.ContentAny && struct.content.arr.some(isUnusual)
}

function isUnusual(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false
  if (Array.isArray(value)) return value.some(isUnusual)
  return Object.getPrototypeOf(value) !== Object.prototype || Object.values(value).some(isUnusual)
}

/** Whether an object in the value has the key itself, as `JSON.parse` makes it. */
export function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey)
}
