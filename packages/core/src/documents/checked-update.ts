import { createDecoder, readVarUint } from "lib0/decoding"
import * as Y from "yjs"
import { isType } from "./nesting.ts"
import { hasPrototype, mayNamePrototype } from "./prototypes.ts"

/** A Yjs update that can be applied as a whole once `needs` are known. */
export type CheckedUpdate = {
  readonly bytes: Uint8Array
  /** Its clocks by client: [`from`, `to`). */
  readonly ranges: ReadonlyMap<number, ClockRange>
  /** Clocks that it depends on and does not contain: of each client, all before this one. */
  readonly needs: ReadonlyMap<number, number>
  /** Whether a type in it may be nested in another one: see `clientsTooDeep`. */
  readonly nests: boolean
}
export type ClockRange = { readonly from: number; readonly to: number }

/**
 * Decodes a whole update before any of it is applied; null if it is malformed. Yjs applies an update while it reads it,
 * so a malformed end would leave the beginning in the document. Yjs also keeps updates with missing predecessors, and
 * merges all of them with each further update: see `WaitingUpdates`.
 *
 * It also rejects lengths of zero, clocks that are no safe integers, and a client that occurs twice. It rejects a
 * struct that depends on itself or a later one of its client, where Yjs throws in the middle. Gaps (`Skip`) are
 * rejected too: no honest sender makes them. So are values with a prototype of their own, which Yjs does not encode again.
 */
export function checkUpdate(bytes: Uint8Array): CheckedUpdate | null {
  try {
    const { structs, ds } = Y.decodeUpdate(bytes)
    const ranges = rangesOf(structs)
    const needs = ranges && needsOf(structs, ds.clients, ranges)
    if (!needs || (mayNamePrototype(bytes) && structs.some(hasPrototype))) return null
    return { bytes, ranges: ranges!, needs, nests: structs.some(isNested) }
  } catch {
    return null
  }
}

/**
 * Whether a well-formed update writes under this client id only. Reads only its beginning, because it is called for
 * every stroke.
 */
export function isOfClient(update: Uint8Array, client: number): boolean {
  const decoder = createDecoder(update)
  const clients = readVarUint(decoder)
  if (clients !== 1) return clients === 0
  readVarUint(decoder)
  return readVarUint(decoder) === client
}

type Struct = ReturnType<typeof Y.decodeUpdate>["structs"][number]
type Deletes = ReturnType<typeof Y.decodeUpdate>["ds"]["clients"]

function isNested(struct: Struct): boolean {
  return isType(struct) && typeof struct.parent !== "string"
}

function rangesOf(structs: readonly Struct[]): Map<number, ClockRange> | null {
  const ranges = new Map<number, ClockRange>()
  let last = NaN
  for (const { id, length, constructor } of structs) {
    const { client, clock } = id
    const known = ranges.get(client)
    if (constructor === Y.Skip || length < 1 || !Number.isSafeInteger(clock + length)) return null
    if (known && (last !== client || known.to !== clock)) return null
    ranges.set(client, { from: known?.from ?? clock, to: clock + length })
    last = client
  }
  return ranges
}

function needsOf(
  structs: readonly Struct[],
  deletes: Deletes,
  ranges: ReadonlyMap<number, ClockRange>,
): Map<number, number> | null {
  const needs = new Map<number, number>()
  const need = (client: number, to: number): void => {
    if (to > (ranges.get(client)?.to ?? 0) && to > (needs.get(client) ?? 0)) needs.set(client, to)
  }
  for (const [client, { from }] of ranges) if (from > 0) needs.set(client, from)
  for (const struct of structs) {
    if (!(struct instanceof Y.Item)) continue
    for (const id of [struct.origin, struct.rightOrigin, struct.parent]) {
      if (!(id instanceof Y.ID)) continue
      if (id.client === struct.id.client && id.clock >= struct.id.clock) return null
      need(id.client, id.clock + 1)
    }
  }
  for (const [client, ranges] of deletes) {
    for (const { clock, len } of ranges) {
      if (len < 1 || !Number.isSafeInteger(clock + len)) return null
      need(client, clock + len)
    }
  }
  return needs
}
