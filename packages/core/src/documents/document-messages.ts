/** Codecs of messages about a document: requests of missing content, and transfers of it. */
import { concatBytes } from "@noble/hashes/utils.js"
import * as Y from "yjs"

/**
 * Request of a member that lacks content. `known`: its clocks by client; `turn`: counts its requests, so that another
 * member answers each.
 */
export type Wish = { readonly turn: number; readonly known: ReadonlyMap<number, number> }

export function encodeWish({ turn, doc }: { readonly turn: number; readonly doc: Y.Doc }): Uint8Array {
  return concatBytes(Uint8Array.of(turn), Y.encodeStateVector(doc))
}

/** Returns null for malformed bytes. */
export function decodeWish(bytes: Uint8Array): Wish | null {
  try {
    return { turn: bytes[0] ?? 0, known: Y.decodeStateVector(bytes.subarray(1)) }
  } catch {
    return null
  }
}

/**
 * Content of a transfer in pieces, before compression. own: only changes of the sender; whole: the sender's content of
 * absent members, former incarnations and itself.
 */
export type TransferKind = "own" | "whole"
export type Transfer = { readonly kind: TransferKind; readonly update: Uint8Array }

const TAGS: Readonly<Record<TransferKind, number>> = { own: 1, whole: 2 }

export function encodeTransfer({ kind, update }: Transfer): Uint8Array {
  return concatBytes(Uint8Array.of(TAGS[kind]), update)
}

/** Returns null for an unknown tag. The update aliases the argument and is not decoded. */
export function decodeTransfer(bytes: Uint8Array): Transfer | null {
  const kind = (["own", "whole"] as const).find((each) => TAGS[each] === bytes[0])
  return kind ? { kind, update: bytes.subarray(1) } : null
}
