/**
 * Payload of a piece of a message that is not a plain multicast. Such a message is for some members only, exceeds one
 * message, or is a request or its answer. The kind of the batch's message tells which.
 */
import type { MemberId } from "@keymoot/transport"
import { concatBytes } from "@noble/hashes/utils.js"
import { CHUNK_CONTENT_BYTES, splitIntoChunks } from "../history/chunks.ts"
import { ByteReader, ByteWriter, decodeOrNull, type Layout } from "../wire/index.ts"

/** Largest number of other members in a conference. */
export const TARGETS_MAX = 127
/** Larger content is a file. */
export const MESSAGE_BYTES_MAX = 8 * 1024 * 1024
/** Subject of a message that is neither a request nor an answer: 16 bytes in hex. */
export const NO_SUBJECT = "00".repeat(16)

/** First byte of the content. So the content is never empty, and other formats can be added. */
const CONTENT_VERSION = 1
/** Includes the version byte. */
export const CONTENT_BYTES_MAX = MESSAGE_BYTES_MAX + 1

export type Piece = {
  /** In ascending order; empty means all members. */
  readonly targets: readonly MemberId[]
  /** 16 bytes in hex: identifies the request or the answered request. */
  readonly subject: string
  readonly chunk: Uint8Array
}

type Fields = { targets: string[]; subject: string; chunk: Uint8Array }

const ID_BYTES = 16

const pieceCoder: Layout<Fields> = {
  encode({ targets, subject, chunk }) {
    const writer = new ByteWriter().uint(boundedCount(targets.length), 2)
    for (const target of targets) writer.hex(target, ID_BYTES)
    return writer.hex(subject, ID_BYTES).bytes(chunk).done()
  },
  decode(bytes) {
    const reader = new ByteReader(bytes)
    const targets = Array.from({ length: boundedCount(reader.uint(2)) }, () => reader.hex(ID_BYTES))
    return { targets, subject: reader.hex(ID_BYTES), chunk: reader.rest() }
  },
}

/** @throws RangeError above `TARGETS_MAX` */
function boundedCount(count: number): number {
  if (count > TARGETS_MAX) throw new RangeError(`more than ${TARGETS_MAX} targets`)
  return count
}

/** Larger content goes in several pieces. */
export const PIECE_BYTES_MAX = CHUNK_CONTENT_BYTES - 1

/** Returns the payloads that carry `data` (at most `MESSAGE_BYTES_MAX`), to be sent in this order. */
export function cutIntoPieces(data: Uint8Array, targets: readonly MemberId[], subject: string): Uint8Array[] {
  const sorted = [...new Set(targets)].sort()
  return splitIntoChunks(concatBytes(Uint8Array.of(CONTENT_VERSION), data)).map((chunk) =>
    pieceCoder.encode({ targets: sorted, subject, chunk }),
  )
}

/** Returns null unless the piece is well-formed. The chunk aliases `bytes`. */
export function decodePiece(bytes: Uint8Array): Piece | null {
  const piece = decodeOrNull(pieceCoder, bytes)
  if (!piece || !piece.targets.every((id, i) => i === 0 || piece.targets[i - 1]! < id)) return null
  return { ...piece, targets: piece.targets as MemberId[] }
}

/** Returns the content of the assembled pieces; null for another version. */
export function openContent(bytes: Uint8Array): Uint8Array | null {
  return bytes[0] === CONTENT_VERSION ? bytes.slice(1) : null
}
