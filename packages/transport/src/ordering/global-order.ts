import { entryDigest, ORDER_ENTRIES_MAX, sameEntry, type OrderEntry } from "../wire/messages.ts"
import { HashChain } from "./hash-chain.ts"

const ENTRY_BYTES = 38
/** Of all members' SYNCs together, more than half of an INSTALL: the rest is for what each has received, and attaches. */
const ORDERS_BYTES_MAX = 2.5 * 1024 * 1024

/** ORDER entries in a SYNC of a view of so many, whose SYNCs are to fit into one INSTALL (membership/sync-bounds.ts). */
export function syncEntriesMax(memberCount: number): number {
  return Math.min(ORDER_ENTRIES_MAX, Math.floor(ORDERS_BYTES_MAX / (ENTRY_BYTES * memberCount)))
}

/**
 * Entries that not every member is known to have: the sequencer makes no more. Others take twice as many, since they may
 * learn later than it that there is room; and as nobody acknowledges what it has not taken, a cut brings a member at most
 * twice as many again.
 */
export function unstableEntriesMax(memberCount: number): number {
  return Math.floor(syncEntriesMax(memberCount) / 4)
}

/** `place`: among the view's agreed and safe messages, from 1. */
export type NumberedEntry = OrderEntry & { readonly place: number }

/** The sequencer's ORDER of one view, as far as it is known here and not stable. */
export class GlobalOrder {
  #entries: NumberedEntry[] = []
  #first = 0
  readonly chain = new HashChain()
  readonly #unstableMax: number
  /** Per sender: the last sequence number that has an entry, or that needs none. */
  readonly #ordered: number[]
  #firstTurn = 0

  constructor(memberCount: number) {
    this.#ordered = Array.from({ length: memberCount }, () => 0)
    this.#unstableMax = unstableEntriesMax(memberCount)
  }

  /** Entries below are known to every member, and dropped. */
  get first(): number {
    return this.#first
  }

  get length(): number {
    return this.#first + this.#entries.length
  }

  /** Of the sequencer's. */
  get full(): boolean {
    return this.#entries.length >= this.#unstableMax
  }

  /** The entry at a place, counted from 0. */
  at(index: number): NumberedEntry | undefined {
    return this.#entries[index - this.#first]
  }

  from(first: number): OrderEntry[] {
    return this.#entries
      .slice(Math.max(0, first - this.#first))
      .map(({ sender, sequence, digest }) => ({ sender, sequence, digest }))
  }

  /** Sequencer only: up to where a sender's frames have been ordered, or found to need no order. */
  ordered(sender: number): number {
    return this.#ordered[sender]!
  }

  passOver(sender: number, sequence: number): void {
    this.#ordered[sender] = sequence
  }

  /**
   * Sequencer only: the sender that comes first when there is room again. After the one that took the last of it, or who
   * always has something waiting would take all room there ever is, and the senders behind it none.
   */
  get firstTurn(): number {
    return this.#firstTurn
  }

  append(entry: OrderEntry): void {
    this.#ordered[entry.sender] = entry.sequence
    this.chain.append(entryDigest(entry))
    this.#entries.push({ ...entry, place: this.length + 1 })
    if (this.full) this.#firstTurn = (entry.sender + 1) % this.#ordered.length
  }

  /**
   * The sequencer's entries; "gap" when some before `first` are missing or there is no room: they come again by repair.
   * "bad" at the first one that contradicts what is known; those before it are taken.
   */
  add(first: number, entries: readonly OrderEntry[], inCut: boolean): "added" | "gap" | "bad" {
    if (first > this.length) return "gap"
    for (const [i, entry] of entries.entries()) {
      const known = this.at(first + i)
      if (known && !sameEntry(known, entry)) return "bad"
      if (first + i < this.length) continue
      if (!inCut && this.#entries.length >= 2 * this.#unstableMax) return "gap"
      const previous = this.#ordered[entry.sender]
      if (previous === undefined || entry.sequence <= previous) return "bad"
      this.append(entry)
    }
    return "added"
  }

  drop(upTo: number): void {
    const drop = upTo - this.#first
    this.chain.dropBelow(upTo)
    if (drop <= 0) return
    this.#entries.splice(0, drop)
    this.#first += drop
  }

  /** End of the view: of the entries from `index` on only those that `keep` accepts remain; they keep their places. */
  filterFrom(index: number, keep: (entry: OrderEntry) => boolean): void {
    const at = index - this.#first
    this.#entries = [...this.#entries.slice(0, at), ...this.#entries.slice(at).filter(keep)]
  }
}
