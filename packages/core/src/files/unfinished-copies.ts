import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { createQueue } from "../identity/store.ts"
import type { BlockStore } from "./block-store.ts"

/** In place of a file's id: their ids, one a block. */
const UNFINISHED = "unfinished"

/**
 * Which copies of own files are not whole yet. No ticket leads to these: were a page to end while it makes one, nobody would
 * ever take it away.
 */
export class UnfinishedCopies {
  readonly #blocks: BlockStore
  readonly #shelf: string
  readonly #inOrder = createQueue()
  readonly #files = new Set<string>()
  #listed = 0

  constructor(blocks: BlockStore, shelf: string) {
    this.#blocks = blocks
    this.#shelf = shelf
    // Without a storage there is nothing to be taken away.
    this.#inOrder(() => this.#tidy()).catch(() => undefined)
  }

  add(file: string): Promise<void> {
    return this.#inOrder(async () => {
      this.#files.add(file)
      await this.#blocks.append(this.#shelf, UNFINISHED, this.#listed++, hexToBytes(file))
    })
  }

  /** It is whole, or not there any more. */
  delete(file: string): Promise<void> {
    return this.#inOrder(async () => {
      this.#files.delete(file)
      if (this.#files.size > 0) return
      this.#listed = 0
      await this.#blocks.remove(this.#shelf, UNFINISHED)
    })
  }

  /** Resolves when nothing more is written. */
  idle(): Promise<void> {
    return this.#inOrder(async () => undefined)
  }

  /** What a page has left behind that ended in the middle of an offer. */
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
