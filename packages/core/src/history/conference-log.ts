import { decodeErasure, ERASURE_CHANNEL } from "./erasure.ts"
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
  /** Taken back by their authors, as far as the items say that are here. */
  readonly #erased = new Set<string>()
  readonly #onErased: () => void
  #bytes = 0

  /** `onErased`: something that was here is not any more. */
  constructor(onErased: () => void = () => undefined) {
    this.#onErased = onErased
  }

  get size(): number {
    return this.#items.length
  }

  /**
   * Adds the items that are not here yet, and returns them in their order, less those that fell over the bound at once.
   * What its author has taken back goes, and does not come again as long as the log holds the item that says so: of both
   * the older falls over the bound first.
   * The items must have been verified. The first place an item was seen in stays, so what was delivered here is not moved by
   * what is handed over.
   * @param epochMax the current epoch: an item said to be from a later one is left out, or whoever hands history over
   * could push everything else over the bound with items that are never the oldest.
   */
  merge(items: Iterable<LogItem>, epochMax: number): LogItem[] {
    const added: LogItem[] = []
    for (const item of items) {
      if (item.position.epoch > epochMax || this.#known.has(keyOf(item)) || this.#isErased(item)) continue
      const kept = copyOf(item)
      this.#insert(kept)
      added.push(kept)
      this.#erase(kept)
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
      for (const key of erasedBy(oldest)) this.#erased.delete(key)
    }
  }

  #isErased(item: LogItem): boolean {
    return item.channel !== ERASURE_CHANNEL && this.#erased.has(keyOf(item))
  }

  #erase(said: LogItem): void {
    const keys = new Set(erasedBy(said))
    if (keys.size === 0) return
    for (const key of keys) this.#erased.add(key)
    for (let at = this.#items.length - 1; at >= 0; at--) {
      const item = this.#items[at]!
      // What has been said about being taken back stays said.
      if (item.channel === ERASURE_CHANNEL || !keys.has(keyOf(item))) continue
      this.#items.splice(at, 1)
      this.#known.delete(keyOf(item))
      this.#bytes -= bytesOf(item)
      this.#onErased()
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

/** Only what has the same author: nobody takes back what somebody else said. */
function erasedBy(item: LogItem): string[] {
  const erasure = item.channel === ERASURE_CHANNEL ? decodeErasure(item.payload) : null
  return (erasure?.ids ?? []).map((id) => keyOf({ author: item.author, id }))
}

function bytesOf(item: LogItem): number {
  return item.payload.length + ITEM_OVERHEAD_BYTES
}

/** Decoded items alias the buffer they came in, which would then live as long as its smallest item. */
function copyOf(item: LogItem): LogItem {
  return { ...item, payload: item.payload.slice(), signature: item.signature.slice() }
}
