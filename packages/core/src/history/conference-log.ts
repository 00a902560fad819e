import { decodeErasure, ERASURE_CHANNEL } from "./erasure.ts"
import type { LogItem, Position } from "./log-item.ts"
import { comparePositions, compareText } from "./order.ts"

/** Bound on items. At either bound the first items of the order are dropped, but the last erasures stay. */
export const LOG_ITEMS_MAX = 2000
/** Bound on the bytes of payloads and overhead. */
export const LOG_BYTES_MAX = 2 * 1024 * 1024
/** The last erasures outlast older items. Otherwise an item could return from a member that missed its erasure. */
export const ERASURES_KEPT = 256
/** Bound on the keys of erased items whose erasure was dropped. At the bound the first one is forgotten. */
export const ERASED_KEYS_MAX = 65_536
/** Signature, ids, position and channel name. */
const ITEM_OVERHEAD_BYTES = 320

/** Bounded log of a conference in order. */
export class ConferenceLog implements Iterable<LogItem> {
  /** Sorted by position. */
  readonly #items: LogItem[] = []
  readonly #known = new Map<string, Position>()
  /** Keys of items that authors have erased, with the number of their erasures in the log. */
  readonly #erased = new Map<string, number>()
  /** Keys of the erasures that were dropped. */
  readonly #formerlyErased = new Set<string>()
  readonly #onErased: () => void
  #bytes = 0
  #erasures = 0

  /** `onErased`: an item was removed from the log. */
  constructor(onErased: () => void = () => undefined) {
    this.#onErased = onErased
  }

  get size(): number {
    return this.#items.length
  }

  /**
   * Adds new items and returns them in order, except those that a bound drops at once. The items must be verified.
   *
   * An erased item is removed and cannot return. The first known position of an item stays, so a transfer moves no
   * delivered item.
   *
   * Members that a partition separates can give the last messages of their view different positions. An item that
   * came behind such a message stays behind it here too.
   * @param epochMax the current epoch. An item from a later one is dropped. Otherwise a transferring member could push
   * all others over the bound with items that are never the oldest.
   */
  merge(items: Iterable<LogItem>, epochMax: number): LogItem[] {
    const added: LogItem[] = []
    let moved: Position | null = null
    for (const item of [...items].sort(compareItems)) {
      const known = this.#known.get(keyOf(item))
      if (known) moved = laterOf(moved, known, item.position)
      if (known || item.position.epoch > epochMax || this.#isErased(item) || isMalformed(item)) continue
      const position = behind(item.position, moved)
      if (position !== item.position) moved = position
      const kept = { ...copyOf(item), position }
      this.#insert(kept)
      added.push(kept)
      this.#erase(kept)
      this.#dropOverBound()
    }
    return added.filter((item) => this.#known.has(keyOf(item))).sort(compareItems)
  }

  /**
   * Removes an item that was transferred in the view in which it is now delivered. Only a delivery proves its position.
   * An item of an earlier view stays: its author repeats it.
   */
  dropTransferred(delivered: LogItem): void {
    if (!this.has(delivered)) return
    const key = keyOf(delivered)
    const at = this.#items.findIndex((each) => keyOf(each) === key)
    if (this.#items[at]!.transferredIn === delivered.position.view) this.#remove(at)
  }

  has(item: Pick<LogItem, "author" | "id">): boolean {
    return this.#known.has(keyOf(item))
  }

  /** Sorted by position. */
  [Symbol.iterator](): IterableIterator<LogItem> {
    return this.#items.values()
  }

  #insert(item: LogItem): void {
    // Searches from the end, because the item is nearly always the newest.
    let at = this.#items.length
    while (at > 0 && compareItems(this.#items[at - 1]!, item) > 0) at -= 1
    this.#items.splice(at, 0, item)
    this.#known.set(keyOf(item), item.position)
    this.#bytes += bytesOf(item)
    if (!isErasure(item)) return
    this.#erasures++
    for (const key of erasedBy(item)) this.#erased.set(key, 1 + (this.#erased.get(key) ?? 0))
  }

  #dropOverBound(): void {
    while (this.#items.length > LOG_ITEMS_MAX || this.#bytes > LOG_BYTES_MAX) {
      const first = this.#erasures > ERASURES_KEPT ? 0 : this.#items.findIndex((item) => !isErasure(item))
      this.#take(first)
    }
  }

  #isErased(item: LogItem): boolean {
    const key = keyOf(item)
    return !isErasure(item) && (this.#erased.has(key) || this.#formerlyErased.has(key))
  }

  #erase(said: LogItem): void {
    const keys = new Set(erasedBy(said))
    if (keys.size === 0) return
    for (let at = this.#items.length - 1; at >= 0; at--) {
      const item = this.#items[at]!
      // Erasures themselves cannot be erased.
      if (isErasure(item) || !keys.has(keyOf(item))) continue
      this.#remove(at)
    }
  }

  #remove(at: number): void {
    this.#take(at)
    this.#onErased()
  }

  #take(at: number): void {
    const item = this.#items.splice(at, 1)[0]!
    this.#known.delete(keyOf(item))
    this.#bytes -= bytesOf(item)
    if (!isErasure(item)) return
    this.#erasures--
    for (const key of erasedBy(item)) this.#remember(key)
  }

  /** An erasure of this item was dropped. */
  #remember(erased: string): void {
    const others = this.#erased.get(erased)! - 1
    if (others > 0) return void this.#erased.set(erased, others)
    this.#erased.delete(erased)
    this.#formerlyErased.add(erased)
    const [first] = this.#formerlyErased
    if (this.#formerlyErased.size > ERASED_KEYS_MAX) this.#formerlyErased.delete(first!)
  }
}

/** A large payload that is no erasure would fill the places of erasures, which outlast messages. */
function isMalformed(item: LogItem): boolean {
  return isErasure(item) && !decodeErasure(item.payload)
}

function isErasure({ channel }: LogItem): boolean {
  return channel === ERASURE_CHANNEL
}

/** Items with equal positions (forged, or several of one batch) are ordered by id, so the order is total. */
function compareItems(a: LogItem, b: LogItem): number {
  return comparePositions(a.position, b.position) || compareText(keyOf(a), keyOf(b))
}

/** Returns the later position of `moved` and of an item that is at `known` here, and at `theirs` elsewhere. */
function laterOf(moved: Position | null, known: Position, theirs: Position): Position | null {
  if (!isSameView(known, theirs) || known.sequence <= theirs.sequence) return moved
  return moved && comparePositions(moved, known) > 0 ? moved : known
}

function behind(position: Position, moved: Position | null): Position {
  if (!moved || !isSameView(moved, position) || position.sequence > moved.sequence) return position
  return { ...position, sequence: Math.min(moved.sequence + 1, Number.MAX_SAFE_INTEGER) }
}

function isSameView(a: Position, b: Position): boolean {
  return a.epoch === b.epoch && a.view === b.view
}

/** Includes the author. Otherwise another author could use an id first, and keep the honest item out. */
function keyOf({ author, id }: Pick<LogItem, "author" | "id">): string {
  return `${author}/${id}`
}

/** Only items of the same author: no member can erase another's. */
function erasedBy(item: LogItem): string[] {
  const erasure = isErasure(item) ? decodeErasure(item.payload) : null
  return (erasure?.ids ?? []).map((id) => keyOf({ author: item.author, id }))
}

function bytesOf(item: LogItem): number {
  return item.payload.length + ITEM_OVERHEAD_BYTES
}

/** Copied, because a decoded item aliases its buffer, and the smallest item would keep all of it in memory. */
function copyOf(item: LogItem): LogItem {
  return { ...item, payload: item.payload.slice(), signature: item.signature.slice() }
}
