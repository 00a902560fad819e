import * as Y from "yjs"
import { type CheckedUpdate, checkUpdate } from "./checked-update.ts"

/** Clock that marks all of a client as known, so that an update contains none of it. */
const ALL = Number.MAX_SAFE_INTEGER

/** Encodes the document without these clients, and without what is known already: clocks by client. */
export function encodeExcluding(
  doc: Y.Doc,
  clients: Iterable<number>,
  known: ReadonlyMap<number, number> = new Map(),
): Uint8Array {
  const vector = new Map([...known, ...[...clients].map((client) => [client, ALL] as const)])
  return Y.encodeStateAsUpdate(doc, Y.encodeStateVector(vector))
}

/** Encodes what this client has written, from a clock on. */
export function encodeOnly(doc: Y.Doc, client: number, from = 0): Uint8Array {
  const others = [...doc.store.clients.keys()].filter((other) => other !== client)
  return encodeExcluding(doc, others, new Map([[client, from]]))
}

/** Returns the update without the changes of these clients. */
export function exclude(update: CheckedUpdate, clients: ReadonlySet<number>): CheckedUpdate | null {
  if (![...update.ranges.keys()].some((client) => clients.has(client))) return update
  const vector = new Map([...clients].map((client) => [client, ALL]))
  return checkUpdate(Y.diffUpdate(update.bytes, Y.encodeStateVector(vector)))
}
