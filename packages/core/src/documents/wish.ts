import * as Y from "yjs"

/**
 * Request of a member that lacks content. `known`: its clocks by client; `turn`: counts its requests, so that another
 * member answers each.
 */
export type Wish = { readonly turn: number; readonly known: ReadonlyMap<number, number> }

export function encodeWish({ turn, doc }: { readonly turn: number; readonly doc: Y.Doc }): Uint8Array {
  const vector = Y.encodeStateVector(doc)
  const bytes = new Uint8Array(1 + vector.length)
  bytes[0] = turn
  bytes.set(vector, 1)
  return bytes
}

/** Returns null for malformed bytes. */
export function decodeWish(bytes: Uint8Array): Wish | null {
  try {
    return { turn: bytes[0] ?? 0, known: Y.decodeStateVector(bytes.subarray(1)) }
  } catch {
    return null
  }
}
