import { concatBytes } from "@noble/hashes/utils.js"
import { equalBytes } from "../wire/index.ts"
import { hashesOf, rootOf } from "./cipher.ts"
import { blockCount, chunksOf, HASH_BYTES, PIECE_HASHES } from "./layout.ts"
import type { FileSource } from "./serving.ts"
import type { Ticket } from "./ticket.ts"

/** A file that this device holds completely, so that it can serve others while the owner is away. */
export class HeldFile implements FileSource {
  readonly sizeBytes: number
  readonly #list: Uint8Array
  readonly #read: (block: number) => Promise<Uint8Array | null>

  private constructor(sizeBytes: number, list: Uint8Array, read: (block: number) => Promise<Uint8Array | null>) {
    this.sizeBytes = sizeBytes
    this.#list = list
    this.#read = read
  }

  /** Reads the whole file once, for the hashes. Returns null if it is incomplete or does not match the ticket. */
  static async find(
    { sizeBytes, root }: Ticket,
    read: (block: number) => Promise<Uint8Array | null>,
  ): Promise<HeldFile | null> {
    const hashes: Uint8Array[] = []
    // From the end, so that one look detects an incomplete file.
    for (let block = blockCount(sizeBytes) - 1; block >= 0; block--) {
      const sealed = await read(block)
      if (!sealed) return null
      hashes.unshift(await hashesOf(sealed))
    }
    const list = concatBytes(...hashes)
    return equalBytes(await rootOf(sizeBytes, list), root) ? new HeldFile(sizeBytes, list, read) : null
  }

  hashes(index: number): Uint8Array {
    const start = index * PIECE_HASHES * HASH_BYTES
    return this.#list.subarray(start, start + PIECE_HASHES * HASH_BYTES)
  }

  async block(block: number): Promise<Uint8Array[]> {
    const sealed = await this.#read(block)
    if (!sealed) throw new Error("the block is no longer stored")
    return chunksOf(sealed)
  }
}
