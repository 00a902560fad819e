/** Messages about files between two members, sent as direct messages over their link. */
import * as P from "micro-packed"
import { decodeOrNull, hexId, oneOf, versionByte } from "../wire/index.ts"
import { BLOCK_CHUNKS } from "./layout.ts"
import { FILE_ID_BYTES } from "./ticket.ts"

/** hashes: pieces of the list of the sealed chunks' hashes; data: the sealed chunks. */
export type Part = "hashes" | "data"
/** gone: not offered here (any more); unreadable: the owner's system no longer reads it. */
export type Refusal = "gone" | "unreadable"

export type FileMessage =
  /** To the owner: requests this many pieces from this one on, in order. */
  | { readonly kind: "want"; readonly file: string; readonly part: Part; readonly from: number; readonly count: number }
  | {
      readonly kind: "piece"
      readonly file: string
      readonly part: Part
      readonly index: number
      readonly bytes: Uint8Array
    }
  | { readonly kind: "refusal"; readonly file: string; readonly reason: Refusal }
  /** To the owner: cancels the request. */
  | { readonly kind: "stop"; readonly file: string }

/** Largest number of pieces in one request. */
export const WANTED_MAX = 2 * BLOCK_CHUNKS

const file = hexId(FILE_ID_BYTES)
const part = oneOf<Part>(["hashes", "data"])

const coder = P.struct({
  version: versionByte(1),
  message: P.mappedTag(P.U8, {
    want: [
      1,
      P.struct({
        file,
        part,
        from: P.U32BE,
        count: P.validate(P.U16BE, (count) => {
          if (count < 1 || count > WANTED_MAX) throw new RangeError("the number of requested pieces is out of bounds")
          return count
        }),
      }),
    ],
    piece: [2, P.struct({ file, part, index: P.U32BE, bytes: P.bytes(null) })],
    refusal: [3, P.struct({ file, reason: oneOf<Refusal>(["gone", "unreadable"]) })],
    stop: [4, P.struct({ file })],
  }),
})

export function encodeFileMessage({ kind, ...data }: FileMessage): Uint8Array {
  return coder.encode({ message: { TAG: kind, data } as never })
}

/** Returns `null` unless the message is well-formed. `bytes` of a piece may alias the argument. */
export function decodeFileMessage(bytes: Uint8Array): FileMessage | null {
  const decoded = decodeOrNull(coder, bytes)?.message
  return decoded ? ({ kind: decoded.TAG, ...decoded.data } as FileMessage) : null
}
