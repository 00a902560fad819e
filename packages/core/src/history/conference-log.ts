import type { LogItem, Position } from "./log-item.ts"

/** At either bound the items that come first in the order are dropped. */
export const LOG_ITEMS_MAX = 2000
/** Of payloads and what an item costs beside. */
export const LOG_BYTES_MAX = 2 * 1024 * 1024
/** Signature, ids, position and channel name. */
const ITEM_OVERHEAD_BYTES = 320

/** What has been said in a conference, in its order, as far as the bounds go. */
export class ConferenceLog implements Iterable<LogItem> {
  /** In the order of positions. */
  readonly #items: LogItem[] = []
  readonly #known = new Set<string>()
  #bytes = 0

  get size(): number {
    return this.#items.length
  }

  /**
   * Adds the items that are not here yet, and returns them in their order, less those that fell over the bound at once.
   * The items must have been verified. The first place an item was seen in stays, so what was delivered here is not moved by
   * what is handed over.
   * @param epochMax the current epoch: an item said to be from a later one is left out, or whoever hands history over
   * could push everything else over the bound with items that are never the oldest.
   */
  merge(items: Iterable<LogItem>, epochMax: number): LogItem[] {
    const added: LogItem[] = []
    for (const item of items) {
      if (item.position.epoch > epochMax || this.#known.has(keyOf(item))) continue
      const kept = copyOf(item)
      this.#insert(kept)
      added.push(kept)
      this.#dropOverBound()
    }
    return added.filter((item) => this.#known.has(keyOf(item))).sort(compareItems)
  }

  has(item: Pick<LogItem, "author" | "id">): boolean {
    return this.#known.has(keyOf(item))
  }

  /** In the order of positions. */
  [Symbol.iterator](): IterableIterator<LogItem> {
    return this.#items.values()
  }

  #insert(item: LogItem): void {
    // From behind: nearly always it is the newest.
    let at = this.#items.length
    while (at > 0 && compareItems(this.#items[at - 1]!, item) > 0) at -= 1
    this.#items.splice(at, 0, item)
    this.#known.add(keyOf(item))
    this.#bytes += bytesOf(item)
  }

  #dropOverBound(): void {
    while (this.#items.length > LOG_ITEMS_MAX || this.#bytes > LOG_BYTES_MAX) {
      const oldest = this.#items.shift()!
      this.#known.delete(keyOf(oldest))
      this.#bytes -= bytesOf(oldest)
    }
  }
}

/** By epoch, view, sequence: one order at all members. */
export function comparePositions(a: Position, b: Position): number {
  return a.epoch - b.epoch || compareText(a.view, b.view) || a.sequence - b.sequence
}

/** Items that claim one place (a liar's, or several of one batch) stand by their ids, so the order is total. */
function compareItems(a: LogItem, b: LogItem): number {
  return comparePositions(a.position, b.position) || compareText(keyOf(a), keyOf(b))
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The author belongs to it: an id alone could be taken by another author first, and would keep the honest item out. */
function keyOf({ author, id }: Pick<LogItem, "author" | "id">): string {
  return `${author}/${id}`
}

function bytesOf(item: LogItem): number {
  return item.payload.length + ITEM_OVERHEAD_BYTES
}

/** Decoded items alias the buffer they came in, which would then live as long as its smallest item. */
function copyOf(item: LogItem): LogItem {
  return { ...item, payload: item.payload.slice(), signature: item.signature.slice() }
}
