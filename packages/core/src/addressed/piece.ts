/**
 * A message that does not simply go to all in one piece: it is for some members only, too large for one message, a request,
 * or the answer to one. The kind of the batch's message says which; this is what the payload of each piece is.
 */
import type { MemberId } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { CHUNK_CONTENT_BYTES, splitIntoChunks } from "../history/index.ts"
import { boundedList, decodeOrNull, hexId } from "../wire/index.ts"

/** As many as there can be others in a conference. */
export const TARGETS_MAX = 127
/** What is larger is a file. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024
/** 16 bytes in hex, of a message that is neither a request nor an answer. */
export const NO_SUBJECT = "00".repeat(16)

/** The first byte of the whole: there is always something to cut, and room for another form. */
const CONTENT_VERSION = 1
/** With its version. */
export const CONTENT_BYTES_MAX = MESSAGE_BYTES_MAX + 1

export type Piece = {
  /** In ascending order; nobody stands for everybody. */
  readonly targets: readonly MemberId[]
  /** 16 bytes in hex: which request it is, or is about. */
  readonly subject: string
  readonly chunk: Uint8Array
}

type Fields = { targets: string[]; subject: string; chunk: Uint8Array }

const pieceCoder: P.CoderType<Fields> = P.struct({
  targets: boundedList(hexId(16), TARGETS_MAX),
  subject: hexId(16),
  chunk: P.bytes(null),
})

/** What is larger goes in several. */
export const PIECE_BYTES_MAX = CHUNK_CONTENT_BYTES - 1

/** The payloads that carry `data` (at most `MESSAGE_BYTES_MAX`), to be sent in this order. */
export function cutIntoPieces(data: Uint8Array, targets: readonly MemberId[], subject: string): Uint8Array[] {
  const sorted = [...new Set(targets)].sort()
  return splitIntoChunks(concatBytes(Uint8Array.of(CONTENT_VERSION), data)).map((chunk) =>
    pieceCoder.encode({ targets: sorted, subject, chunk }),
  )
}

/** Null for anything but one well-formed piece. The chunk aliases `bytes`. */
export function decodePiece(bytes: Uint8Array): Piece | null {
  const piece = decodeOrNull(pieceCoder, bytes)
  if (!piece || !piece.targets.every((id, i) => i === 0 || piece.targets[i - 1]! < id)) return null
  return { ...piece, targets: piece.targets as MemberId[] }
}

/** Of what the pieces make together; null for another version. */
export function openContent(bytes: Uint8Array): Uint8Array | null {
  return bytes[0] === CONTENT_VERSION ? bytes.slice(1) : null
}
