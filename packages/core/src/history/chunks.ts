import { bytesToHex, concatBytes, randomBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"

import { assert, decodeOrNull, hexId, versionByte } from "../wire/index.ts"

/** So that what is handed over does not hold up what is being said. */
export const CHUNK_BYTES_MAX = 64 * 1024
/** 32 MiB in all. */
const CHUNKS_MAX = 512

type Chunk = { readonly transfer: string; readonly index: number; readonly count: number; readonly bytes: Uint8Array }

const chunkCoder: P.CoderType<Chunk & { version?: undefined }> = P.struct({
  version: versionByte(1),
  transfer: hexId(16),
  index: P.U16BE,
  count: P.U16BE,
  bytes: P.bytes(null),
})

const CHUNK_HEADER_BYTES = 1 + 16 + 2 + 2
export const CHUNK_CONTENT_BYTES = CHUNK_BYTES_MAX - CHUNK_HEADER_BYTES

/** Cuts what is handed over (1 byte to 32 MiB) into messages of at most 64 KiB, to be sent in this order. */
export function splitIntoChunks(bytes: Uint8Array): Uint8Array[] {
  const count = Math.ceil(bytes.length / CHUNK_CONTENT_BYTES)
  assert(count >= 1 && count <= CHUNKS_MAX, "what is cut into chunks is not empty and has at most 32 MiB")
  const transfer = bytesToHex(randomBytes(16))
  return Array.from({ length: count }, (_, index) => {
    const content = bytes.subarray(index * CHUNK_CONTENT_BYTES, (index + 1) * CHUNK_CONTENT_BYTES)
    return chunkCoder.encode({ transfer, index, count, bytes: content })
  })
}

/** Whether what is handed over is whole with this message. */
export function isOnlyChunk(message: Uint8Array): boolean {
  return decodeOrNull(chunkCoder, message)?.count === 1
}

export type Assembly =
  | { readonly type: "incomplete"; readonly received: number; readonly count: number }
  | { readonly type: "complete"; readonly bytes: Uint8Array }
  | { readonly type: "rejected"; readonly reason: "malformed" | "out-of-order" | "too-large" }

/**
 * Puts together what one member hands over; one assembler for each sender, whose messages come in their order. A new
 * transfer's first chunk replaces an unfinished one, so a sender occupies `bytesMax` here and no more.
 */
export class ChunkAssembler {
  readonly #bytesMax: number
  #transfer = ""
  #count = 0
  #received: Uint8Array[] = []
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  accept(message: Uint8Array): Assembly {
    const chunk = message.length > CHUNK_BYTES_MAX ? null : decodeOrNull(chunkCoder, message)
    if (chunk === null || !isWellFormed(chunk)) return this.#reject("malformed")
    if (chunk.index === 0) this.#begin(chunk)
    if (chunk.transfer !== this.#transfer || chunk.count !== this.#count || chunk.index !== this.#received.length) {
      return this.#reject("out-of-order")
    }
    this.#bytes += chunk.bytes.length
    if (this.#bytes > this.#bytesMax) return this.#reject("too-large")
    this.#received.push(chunk.bytes.slice())
    const received = this.#received.length
    if (received < chunk.count) return { type: "incomplete", received, count: chunk.count }
    const bytes = concatBytes(...this.#received)
    this.#forget()
    return { type: "complete", bytes }
  }

  #begin({ transfer, count }: Chunk): void {
    this.#forget()
    this.#transfer = transfer
    this.#count = count
  }

  #reject(reason: "malformed" | "out-of-order" | "too-large"): Assembly {
    this.#forget()
    return { type: "rejected", reason }
  }

  #forget(): void {
    this.#transfer = ""
    this.#count = 0
    this.#received = []
    this.#bytes = 0
  }
}

/** All chunks but the last are full: one content, one way to cut it, and no flood of empty chunks. */
function isWellFormed({ index, count, bytes }: Chunk): boolean {
  if (count < 1 || count > CHUNKS_MAX || index >= count || bytes.length === 0) return false
  return index === count - 1 || bytes.length === CHUNK_CONTENT_BYTES
}
