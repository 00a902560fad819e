import { bytesToHex, concatBytes, randomBytes } from "@noble/hashes/utils.js"
import { assert, ByteReader, ByteWriter, decodeOrNull, expectVersion, type Layout } from "../wire/index.ts"

/** Small, so that a transfer does not delay other messages. */
export const CHUNK_BYTES_MAX = 64 * 1024
/** 32 MiB in total. */
const CHUNKS_MAX = 512

type Chunk = { readonly transfer: string; readonly index: number; readonly count: number; readonly bytes: Uint8Array }

const VERSION = 1
const TRANSFER_BYTES = 16

const chunkCoder: Layout<Chunk> = {
  encode: ({ transfer, index, count, bytes }) =>
    new ByteWriter().uint(VERSION, 1).hex(transfer, TRANSFER_BYTES).uint(index, 2).uint(count, 2).bytes(bytes).done(),
  decode(bytes) {
    const reader = new ByteReader(bytes)
    expectVersion(reader, VERSION)
    const [transfer, index, count] = [reader.hex(TRANSFER_BYTES), reader.uint(2), reader.uint(2)]
    return { transfer, index, count, bytes: reader.rest() }
  },
}

const CHUNK_HEADER_BYTES = 1 + TRANSFER_BYTES + 2 + 2
export const CHUNK_CONTENT_BYTES = CHUNK_BYTES_MAX - CHUNK_HEADER_BYTES

/**
 * Splits content (1 byte to 32 MiB) into messages of at most 64 KiB, to be sent in this order.
 * @param transfer its name, 32 hex digits; random by default
 */
export function splitIntoChunks(bytes: Uint8Array, transfer = bytesToHex(randomBytes(16))): Uint8Array[] {
  const count = Math.ceil(bytes.length / CHUNK_CONTENT_BYTES)
  assert(count >= 1 && count <= CHUNKS_MAX, "what is cut into chunks is not empty and has at most 32 MiB")
  return Array.from({ length: count }, (_, index) => {
    const content = bytes.subarray(index * CHUNK_CONTENT_BYTES, (index + 1) * CHUNK_CONTENT_BYTES)
    return chunkCoder.encode({ transfer, index, count, bytes: content })
  })
}

/** Returns null for a malformed chunk. A `count` of 1 means that the message is a whole transfer. */
export function decodeChunk(message: Uint8Array): Chunk | null {
  return message.length > CHUNK_BYTES_MAX ? null : decodeOrNull(chunkCoder, message)
}

export type Assembly =
  | { readonly type: "incomplete"; readonly received: number; readonly count: number }
  | { readonly type: "complete"; readonly bytes: Uint8Array }
  | { readonly type: "rejected"; readonly reason: "malformed" | "out-of-order" | "too-large" }

/**
 * Assembles transfers of one sender, whose messages arrive in order. The first chunk of a new transfer replaces an
 * unfinished one, so a sender occupies at most `bytesMax`.
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
    const chunk = decodeChunk(message)
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

/** All chunks but the last must be full. So each content has one encoding, and a flood of empty chunks is rejected. */
function isWellFormed({ index, count, bytes }: Chunk): boolean {
  if (count < 1 || count > CHUNKS_MAX || index >= count || bytes.length === 0) return false
  return index === count - 1 || bytes.length === CHUNK_CONTENT_BYTES
}
