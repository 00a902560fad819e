import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { domainSeparated } from "../wire/index.ts"
import type { BlockStore } from "../device/stores/block-store.ts"
import { FILE_ID_BYTES } from "./ticket.ts"
import type { UnfinishedCopies } from "./unfinished-copies.ts"

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
