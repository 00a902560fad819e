import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { createQueue } from "../identity/store.ts"
import type { BlockStore } from "../device/stores/block-store.ts"

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
