import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { domainSeparated } from "../wire/index.ts"
import { createQueue } from "../queues/action-queue.ts"
import type { BlockStore } from "../device/stores/block-store.ts"
import { FILE_ID_BYTES } from "./ticket.ts"

/** Files up to this size (a pasted picture) are copied if there is any room, in memory too. */
export const SMALL_BYTES_MAX = 8 * 1024 * 1024
/** Larger files are copied if they take at most this part of the room that is left. The rest is for files of others. */
export const ROOM_PART = 1 / 2

/**
 * Name of the copy's blocks. It replaces the file's id, which depends on the hashes of all blocks and is unknown while
 * they are written. For own files only: a malicious owner could use one key for several files.
 */
export function ownCopyName(key: Uint8Array): string {
  return bytesToHex(sha256(domainSeparated("keymoot v1 own copy", key)).subarray(0, FILE_ID_BYTES))
}

type OwnCopyConfig = {
  readonly blocks: BlockStore
  readonly shelf: string
  readonly unfinished: UnfinishedCopies
}

/**
 * Copy of an offered file, written while the file is read, because a reloaded page cannot read the original again.
 * Without room, or if the storage fails, there is no copy. The offer then lasts as long as the page.
 */
export class OwnCopy {
  readonly #config: OwnCopyConfig
  #wanted: boolean
  #file: string | null = null
  #writing: Promise<void> = Promise.resolve()

  private constructor(config: OwnCopyConfig, wanted: boolean) {
    this.#config = config
    this.#wanted = wanted
  }

  static async begin(config: OwnCopyConfig, sizeBytes: number): Promise<OwnCopy> {
    const room = sizeBytes <= SMALL_BYTES_MAX ? Infinity : await config.blocks.room(config.shelf).catch(() => 0)
    return new OwnCopy(config, sizeBytes <= room * ROOM_PART)
  }

  /** Appends the next block. Resolves when the previous one is written, which bounds the memory. */
  async append(file: string, block: number, sealed: Uint8Array): Promise<void> {
    await this.#writing
    this.#writing = this.#write(file, block, sealed)
  }

  /** Completes the copy. */
  async finish(): Promise<void> {
    await this.#writing
    if (this.#file !== null) await this.#config.unfinished.delete(this.#file).catch(() => undefined)
  }

  /** Deletes the copy of a cancelled offer. */
  async discard(): Promise<void> {
    await this.#writing
    await this.#giveUp()
    await this.finish()
  }

  async #write(file: string, block: number, sealed: Uint8Array): Promise<void> {
    if (!this.#wanted) return
    const { blocks, shelf, unfinished } = this.#config
    try {
      if (block === 0) {
        this.#file = file
        await unfinished.add(file)
      }
      await blocks.append(shelf, file, block, sealed)
    } catch {
      await this.#giveUp()
    }
  }

  async #giveUp(): Promise<void> {
    const { blocks, shelf } = this.#config
    this.#wanted = false
    if (this.#file !== null) await blocks.remove(shelf, this.#file).catch(() => undefined)
  }
}

/** Pseudo file id whose blocks hold the ids of unfinished copies, one per block. */
const UNFINISHED = "unfinished"

/**
 * List of unfinished copies of own files. No ticket leads to these, so a page that ends during an offer would leave
 * them forever.
 */
export class UnfinishedCopies {
  readonly #blocks: BlockStore
  readonly #shelf: string
  readonly #inOrder = createQueue()
  /** As stored, in this order. */
  readonly #files = new Set<string>()

  constructor(blocks: BlockStore, shelf: string) {
    this.#blocks = blocks
    this.#shelf = shelf
    // Without a storage there is nothing to delete.
    this.#inOrder(() => this.#tidy()).catch(() => undefined)
  }

  add(file: string): Promise<void> {
    return this.#inOrder(async () => {
      await this.#blocks.append(this.#shelf, UNFINISHED, this.#files.size, hexToBytes(file))
      this.#files.add(file)
    })
  }

  /** The copy is complete or deleted. The list is written anew without it. */
  delete(file: string): Promise<void> {
    return this.#inOrder(async () => {
      this.#files.delete(file)
      await this.#blocks.remove(this.#shelf, UNFINISHED)
      let listed = 0
      for (const other of this.#files) {
        await this.#blocks.append(this.#shelf, UNFINISHED, listed++, hexToBytes(other))
      }
    })
  }

  /** Resolves when all writing has ended. */
  idle(): Promise<void> {
    return this.#inOrder(async () => undefined)
  }

  /** Deletes copies of a page that ended during an offer. */
  async #tidy(): Promise<void> {
    const count = await this.#blocks.count(this.#shelf, UNFINISHED)
    if (count === 0) return
    for (let i = 0; i < count; i++) {
      const file = await this.#blocks.read(this.#shelf, UNFINISHED, i)
      if (file) await this.#blocks.remove(this.#shelf, bytesToHex(file))
    }
    await this.#blocks.remove(this.#shelf, UNFINISHED)
  }
}
