import { randomBytes } from "@noble/hashes/utils.js"
import type { MemberId } from "@keymoot/transport"
import { KeymootError } from "../api/index.ts"
import { FileCipher, type FileScope, hashesOf, isBlockOf, rootOf } from "./cipher.ts"
import {
  BLOCK_BYTES,
  BLOCK_CHUNKS,
  blockCount,
  chunkCount,
  chunksOf,
  FILE_BYTES_MAX,
  HASH_BYTES,
  PIECE_HASHES,
} from "./layout.ts"
import type { FileSource } from "./serving.ts"
import { safeFileName, safeType, type Ticket, ticketOf } from "./ticket.ts"

/**
 * `key`: the file's. Its id is unknown until the whole file is read. `readBytes`: bytes of the content up to and
 * including this block.
 */
export type SealedBlock = {
  readonly key: Uint8Array
  readonly block: number
  readonly sealed: Uint8Array
  readonly readBytes: number
}

/** An offered file. Its content stays on the disk. Memory holds the hashes of its sealed chunks, 2 bytes of 1,000. */
export class OfferedFile implements FileSource {
  readonly ticket: Ticket
  readonly #content: Blob
  readonly #cipher: FileCipher
  readonly #list: Uint8Array

  private constructor(ticket: Ticket, content: Blob, cipher: FileCipher, list: Uint8Array) {
    this.ticket = ticket
    this.#content = content
    this.#cipher = cipher
    this.#list = list
  }

  /**
   * Reads the whole file once, for the hashes.
   * @param onBlock called after each block; throws to stop
   * @throws KeymootError `invalid-argument` (an empty file), `too-large`, `file-unavailable` (it cannot be read)
   */
  static async make(
    content: Blob,
    about: { readonly name: string; readonly type: string; readonly owner: MemberId } & FileScope,
    onBlock: (read: SealedBlock) => Promise<void>,
  ): Promise<OfferedFile> {
    const sizeBytes = content.size
    if (sizeBytes === 0) throw new KeymootError("invalid-argument", "This file is empty. Choose another one.")
    if (sizeBytes > FILE_BYTES_MAX) {
      const message = `A file has at most ${FILE_BYTES_MAX / 1024 / 1024} MiB. Divide it, or share it in another way.`
      throw new KeymootError("too-large", message)
    }
    const key = randomBytes(32)
    const cipher = new FileCipher({ key }, about)
    const list = new Uint8Array(chunkCount(sizeBytes) * HASH_BYTES)
    for (let block = 0; block < blockCount(sizeBytes); block++) {
      const sealed = await cipher.seal(block, await readBlock(content, block))
      list.set(await hashesOf(sealed), block * BLOCK_CHUNKS * HASH_BYTES)
      await onBlock({ key, block, sealed, readBytes: Math.min(sizeBytes, (block + 1) * BLOCK_BYTES) })
    }
    const root = await rootOf(sizeBytes, list)
    const description = { key, root, sizeBytes, name: safeFileName(about.name), type: safeType(about.type) }
    return new OfferedFile(ticketOf(description, about), content, cipher, list)
  }

  get sizeBytes(): number {
    return this.ticket.sizeBytes
  }

  hashes(index: number): Uint8Array {
    const start = index * PIECE_HASHES * HASH_BYTES
    return this.#list.subarray(start, start + PIECE_HASHES * HASH_BYTES)
  }

  /**
   * @throws KeymootError `file-unavailable` if the file has changed or was deleted. Changed content is never sent,
   * because it would be sealed under a used nonce.
   */
  async block(block: number): Promise<Uint8Array[]> {
    const sealed = await this.#cipher.seal(block, await readBlock(this.#content, block))
    if (!(await isBlockOf(this.#list, block, sealed))) throw unreadable()
    return chunksOf(sealed)
  }

  /** Returns a block of the plaintext. @throws KeymootError `file-unavailable` */
  content(block: number): Promise<Uint8Array<ArrayBuffer>> {
    return readBlock(this.#content, block)
  }
}

async function readBlock(content: Blob, block: number): Promise<Uint8Array<ArrayBuffer>> {
  const slice = content.slice(block * BLOCK_BYTES, (block + 1) * BLOCK_BYTES)
  const bytes = await slice.arrayBuffer().catch((cause: unknown) => {
    throw unreadable(cause)
  })
  return new Uint8Array(bytes)
}

function unreadable(cause?: unknown): KeymootError {
  const message = "The file cannot be read: it was moved, changed or removed. Choose it again."
  return new KeymootError("file-unavailable", message, cause === undefined ? undefined : { cause })
}
