import { frameDigest, isOrdered } from "../wire/frame.ts"
import { entryDigest, ORDER_ENTRIES_MAX, sameEntry, type OrderEntry } from "../wire/messages.ts"
import { HashChain, type FrameStore } from "./frame-store.ts"

const ENTRY_BYTES = 38
/**
 * Bytes for all members' SYNCs together, more than half of an INSTALL. The rest is for received counts and attachments.
 */
const ORDERS_BYTES_MAX = 2.5 * 1024 * 1024

/**
 * ORDER entries in a SYNC of a view of this size, whose SYNCs must fit into one INSTALL (membership/sync-bounds.ts).
 */
export function syncEntriesMax(memberCount: number): number {
  return Math.min(ORDER_ENTRIES_MAX, Math.floor(ORDERS_BYTES_MAX / (ENTRY_BYTES * memberCount)))
}

/**
 * Maximum of unstable entries that the sequencer makes. Others accept twice as many, since they may learn of stability
 * later than it. Since no member acknowledges entries that it has not accepted, a cut brings at most twice as many
 * again.
 */
export function unstableEntriesMax(memberCount: number): number {
  return Math.floor(syncEntriesMax(memberCount) / 4)
}

/** `place`: among the view's agreed and safe messages, from 1. */
export type NumberedEntry = OrderEntry & { readonly place: number }

/** The sequencer's ORDER of one view: the part that is known here and not stable. */
export class GlobalOrder {
  readonly #frames: FrameStore
  #entries: NumberedEntry[] = []
  #first = 0
  readonly chain = new HashChain()
  readonly #unstableMax: number
  /** Per sender: the last sequence number that has an entry, or needs none. */
  readonly #ordered: number[]
  /**
   * The sender that gets the sequencer's first entry when there is room again. It is the one after the sender of the
   * last entry. Otherwise a sender that always has frames waiting would take all room, and the senders behind it none.
   */
  #firstTurn = 0
  #fullUpTo = 0

  constructor(frames: FrameStore) {
    this.#frames = frames
    this.#ordered = frames.received.map(() => 0)
    this.#unstableMax = unstableEntriesMax(this.#ordered.length)
  }

  /** Entries below are known to every member, and dropped. */
  get first(): number {
    return this.#first
  }

  get length(): number {
    return this.#first + this.#entries.length
  }

  /** Whether the sequencer must wait for stability. */
  get full(): boolean {
    return this.#entries.length >= this.#unstableMax
  }

  /** Its length when it was full for the last time, or 0. */
  get fullUpTo(): number {
    return this.#fullUpTo
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

  /**
   * Sequencer only. Appends and returns entries for agreed and safe frames that have none yet, each after its whole
   * causal past. A frame whose stated past is not here waits, together with its sender and all frames that depend on it.
   * A place that cannot be delivered would block the order of all members. A frame without room in the ORDER waits too.
   */
  orderNew(): { first: number; entries: OrderEntry[] } {
    const [first, firstTurn, count] = [this.length, this.#firstTurn, this.#ordered.length]
    for (let again = true; again;) {
      again = false
      for (let turn = 0; turn < count; turn++) if (this.#orderOf((firstTurn + turn) % count)) again = true
    }
    return { first, entries: this.from(first) }
  }

  /** True if a frame of that sender was ordered, or needs no order. Others may have waited for it. */
  #orderOf(sender: number): boolean {
    const before = this.#ordered[sender]!
    for (let sequence = before + 1; sequence <= this.#frames.received[sender]!; sequence++) {
      const frame = this.#frames.frame(sender, sequence)!
      if (isOrdered(frame.service) && this.full) break
      if (frame.message.dependencies.some(({ member, count }) => count > this.#ordered[member]!)) break
      if (isOrdered(frame.service)) this.append({ sender, sequence, digest: frameDigest(frame) })
      else this.#ordered[sender] = sequence
    }
    return this.#ordered[sender]! > before
  }

  append(entry: OrderEntry): void {
    this.#ordered[entry.sender] = entry.sequence
    this.chain.append(entryDigest(entry))
    this.#entries.push({ ...entry, place: this.length + 1 })
    if (!this.full) return
    this.#firstTurn = (entry.sender + 1) % this.#ordered.length
    this.#fullUpTo = this.length
  }

  /**
   * Adds the sequencer's entries. "gap": entries before `first` are missing or there is no room, and repair retransmits
   * them. "bad": an entry contradicts a known one. Entries before that one are accepted.
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

  /** End of the view: keeps only those entries from `index` on that `keep` accepts. They keep their places. */
  filterFrom(index: number, keep: (entry: OrderEntry) => boolean): void {
    const at = index - this.#first
    this.#entries = [...this.#entries.slice(0, at), ...this.#entries.slice(at).filter(keep)]
  }
}
