import type { BlockStore } from "./block-store.ts"
import type { UnfinishedCopies } from "./unfinished-copies.ts"

/** A file up to this size (a pasted picture) is kept wherever there is room at all, in memory too. */
export const SMALL_BYTES_MAX = 8 * 1024 * 1024
/** A larger one is kept if it takes no more than this part of the room that is left: the rest is for what others share. */
export const ROOM_PART = 1 / 2

type OwnCopyConfig = {
  readonly blocks: BlockStore
  readonly shelf: string
  readonly unfinished: UnfinishedCopies
}

/**
 * A copy of a file that this member offers, written while the file is read: a page that is reloaded cannot read the original
 * again. Without room, or where the storage fails, there is none; the offer goes on, and lasts as long as the page.
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

  /** The next block. Resolves when the one before it is written: of more there is no hurry, nor memory. */
  async append(file: string, block: number, sealed: Uint8Array): Promise<void> {
    await this.#writing
    this.#writing = this.#write(file, block, sealed)
  }

  /** All of it has been given. */
  async finish(): Promise<void> {
    await this.#writing
    if (this.#file !== null) await this.#config.unfinished.delete(this.#file).catch(() => undefined)
  }

  /** It is not offered after all. */
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
