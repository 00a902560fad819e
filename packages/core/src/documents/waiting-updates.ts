import type { MemberId, Sink } from "@keymoot/transport"
import * as Y from "yjs"
import type { CheckedUpdate } from "./checked-update.ts"
import { clientsTooDeep } from "./nesting.ts"

/**
 * Bound on one sender's changes with missing predecessors. Beyond either bound all are dropped: see `takeChange`.
 */
export const WAITING_UPDATES_MAX = 4096
export const WAITING_BYTES_MAX = 4 * 1024 * 1024
/** Bound on one sender's transferred parts with missing predecessors. Beyond either bound the oldest are dropped. */
export const WAITING_TRANSFERS_MAX = 4
export const WAITING_TRANSFER_BYTES_MAX = 96 * 1024 * 1024

/**
 * Passes over all waiting updates that search for a set that depends only on itself. Updates that they do not find keep
 * waiting.
 */
const ROUNDS_MAX = 64

export type WaitingConfig = {
  readonly doc: Y.Doc
  /** Takes an update whose predecessors are all in the document, and applies it to the document at once. */
  readonly updates: Sink<Uint8Array>
  /** Takes the sender of an update that is refused, since it nests types too deeply. */
  readonly refused: Sink<MemberId>
}

type Entry = { readonly sender: MemberId; readonly update: CheckedUpdate; readonly applied: () => void }
type Queue = { changes: Entry[]; changesBytes: number; transfers: Entry[] }

/**
 * Updates with missing predecessors, bounded for each sender. They are usual at a merge: each member of the other side
 * transfers its own part, and each part depends on the others'. Yjs never gets an update with missing predecessors, so
 * it stores none itself.
 *
 * The work for a change is proportional to its size: after others are applied, only the first change of each sender is
 * checked again. Only a transfer, which is rare, causes a check of all.
 */
export class WaitingUpdates {
  readonly #config: WaitingConfig
  readonly #queues = new Map<MemberId, Queue>()

  constructor(config: WaitingConfig) {
    this.#config = config
  }

  /** Takes a change of its author. Returns false if its waiting changes were dropped: request them again. */
  takeChange(sender: MemberId, update: CheckedUpdate): boolean {
    const applied = (): void => undefined
    if (this.#isMet(update)) {
      this.#applyNow({ sender, update, applied })
      return true
    }
    const queue = this.#queue(sender)
    queue.changes.push({ sender, update, applied })
    queue.changesBytes += update.bytes.length
    if (queue.changes.length <= WAITING_UPDATES_MAX && queue.changesBytes <= WAITING_BYTES_MAX) return true
    queue.changes = []
    queue.changesBytes = 0
    return false
  }

  /** Takes a transferred part of a document. */
  takeTransfer(sender: MemberId, update: CheckedUpdate, applied: () => void): void {
    if (this.#isMet(update)) return this.#applyNow({ sender, update, applied })
    const queue = this.#queue(sender)
    queue.transfers.push({ sender, update, applied })
    while (queue.transfers.length > WAITING_TRANSFERS_MAX || bytesOf(queue.transfers) > WAITING_TRANSFER_BYTES_MAX) {
      queue.transfers.shift()
    }
    this.#applyTogether()
  }

  /** The document has changed in another way. */
  retry(): void {
    if (this.#queues.size > 0) this.#drain()
  }

  forgetAbsent(present: ReadonlySet<MemberId>): void {
    for (const sender of this.#queues.keys()) if (!present.has(sender)) this.#queues.delete(sender)
  }

  /** Waiting updates and their bytes. */
  get size(): { readonly updates: number; readonly bytes: number } {
    const entries = this.#entries()
    return { updates: entries.length, bytes: bytesOf(entries) }
  }

  #queue(sender: MemberId): Queue {
    const queue = this.#queues.get(sender) ?? { changes: [], changesBytes: 0, transfers: [] }
    this.#queues.set(sender, queue)
    return queue
  }

  #entries(): Entry[] {
    return [...this.#queues.values()].flatMap(({ transfers, changes }) => [...transfers, ...changes])
  }

  /** Returns the clock of this client in the document. */
  #known(client: number): number {
    return Y.getState(this.#config.doc.store, client)
  }

  #isMet({ needs }: CheckedUpdate): boolean {
    for (const [client, clock] of needs) if (this.#known(client) < clock) return false
    return true
  }

  #applyNow(entry: Entry): void {
    this.#apply(entry)
    this.retry()
  }

  #drain(): void {
    for (let again = true; again;) {
      again = false
      for (const queue of this.#queues.values()) {
        for (const transfer of queue.transfers.filter(({ update }) => this.#isMet(update))) {
          queue.transfers = queue.transfers.filter((other) => other !== transfer)
          this.#apply(transfer)
          again = true
        }
        again = this.#drainChanges(queue) || again
      }
    }
    for (const [sender, { changes, transfers }] of this.#queues) {
      if (changes.length + transfers.length === 0) this.#queues.delete(sender)
    }
  }

  /** Applies changes from the first on as long as their predecessors are known. */
  #drainChanges(queue: Queue): boolean {
    let met = 0
    for (let entry = queue.changes[met]; entry && this.#isMet(entry.update); entry = queue.changes[++met]) {
      queue.changesBytes -= entry.update.bytes.length
      this.#apply(entry)
    }
    queue.changes.splice(0, met)
    return met > 0
  }

  #apply({ sender, update, applied }: Entry): void {
    const { doc, updates, refused } = this.#config
    if (update.nests && clientsTooDeep(doc, update.bytes).size > 0) return refused.take(sender)
    updates.take(update.bytes)
    applied()
  }

  /** Applies the largest set that depends only on the document and itself. */
  #applyTogether(): void {
    let entries = this.#entries()
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const reach = this.#reachOf(entries)
      const left = entries.filter(({ update }) => isWithin(update, reach))
      if (left.length === entries.length) break
      entries = left
    }
    const reach = this.#reachOf(entries)
    if (entries.length === 0 || !entries.every(({ update }) => isWithin(update, reach))) return
    const merged = Y.mergeUpdates(entries.map(({ update }) => update.bytes))
    const deep = entries.some(({ update }) => update.nests)
      ? clientsTooDeep(this.#config.doc, merged)
      : new Set<number>()
    if (deep.size > 0) return this.#refuse(entries.filter(({ update }) => writesUnder(update, deep)))
    this.#remove(new Set(entries))
    this.#config.updates.take(merged)
    for (const { applied } of entries) applied()
    this.#drain()
  }

  /** The others may be applied without these. */
  #refuse(entries: readonly Entry[]): void {
    this.#remove(new Set(entries))
    for (const { sender } of entries) this.#config.refused.take(sender)
    this.#applyTogether()
  }

  /** Returns each client's clock, without a gap, after all of these are applied. */
  #reachOf(entries: readonly Entry[]): (client: number) => number {
    const reach = new Map<number, number>()
    const of = (client: number): number => reach.get(client) ?? this.#known(client)
    const ranges = entries.flatMap(({ update }) => [...update.ranges]).sort(([, a], [, b]) => a.from - b.from)
    for (const [client, { from, to }] of ranges) if (from <= of(client)) reach.set(client, Math.max(of(client), to))
    return of
  }

  #remove(entries: ReadonlySet<Entry>): void {
    for (const queue of this.#queues.values()) {
      queue.transfers = queue.transfers.filter((entry) => !entries.has(entry))
      queue.changes = queue.changes.filter((entry) => !entries.has(entry))
      queue.changesBytes = bytesOf(queue.changes)
    }
  }
}

function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { update }) => sum + update.bytes.length, 0)
}

function writesUnder({ ranges }: CheckedUpdate, clients: ReadonlySet<number>): boolean {
  return [...ranges.keys()].some((client) => clients.has(client))
}

function isWithin({ needs }: CheckedUpdate, reach: (client: number) => number): boolean {
  for (const [client, clock] of needs) if (reach(client) < clock) return false
  return true
}
