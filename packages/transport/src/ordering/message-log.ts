/**
 * The frames of one view: what has been received, ordered, delivered and is stable. It decides what may be delivered
 * next; when, the group core decides.
 */
import { ORDER_ENTRIES_MAX, sameEntry, type GroupMessage, type OrderEntry } from "../wire/messages.ts"
import type { Frame } from "../wire/frame.ts"
import { frameDigest } from "../wire/frame.ts"
import { equalBytes } from "@noble/curves/utils.js"

/** Frames of one sender that may lie beyond a gap or be unstable; more are refused and come again by repair. */
export const FRAMES_PER_SENDER_MAX = 4096
/**
 * Bytes of one sender beyond which a frame behind a gap is refused; the next in order still is taken up to twice as many.
 * An honest sender has a quarter of it on its way (`UNSTABLE_BYTES_MAX`).
 */
export const BYTES_PER_SENDER_MAX = 16 * 1024 * 1024
/**
 * ORDER entries that not every member has; the sequencer orders no more until some are acknowledged. Half of what a
 * SYNC holds: the entries of others can bring a member that has acknowledged little up to twice as many.
 */
export const ORDER_UNSTABLE_MAX = ORDER_ENTRIES_MAX / 2

export type GroupFrame = Frame & { readonly kind: "data" | "agreement"; readonly message: GroupMessage }

/** `globalSequence`: place among the view's agreed frames from 1; 0 for a leftover and for other services. */
export type Delivery = { readonly frame: GroupFrame; readonly globalSequence: number }

/** Up to where delivery may go: per-sender counts, and ORDER entries. */
export type DeliveryLimit = { readonly upTo: readonly number[]; readonly orderUpTo: number }

type NumberedEntry = OrderEntry & { readonly globalSequence: number }

export class MessageLog {
  /** Per sender: frames received without a gap. */
  readonly received: number[]
  /** Per sender: frames delivered. */
  readonly delivered: number[]
  /** ORDER entries delivered. */
  deliveredOrder = 0
  readonly #frames: Map<number, GroupFrame>[]
  /** Per sender: frames dropped from the front because every member holds them. */
  readonly #stable: number[]
  /** Per sender: of all frames held. */
  readonly #bytes: number[]
  #order: NumberedEntry[] = []
  #orderFirst = 0
  /** Per sender: the last sequence number that has an ORDER entry (agreed frames) or needs none. */
  readonly #ordered: number[]
  /**
   * An ORDER entry whose digest is not that of the frame held: sequencer or origin lied. Delivery stops there until the
   * frame that was ordered comes.
   */
  conflict: OrderEntry | null = null
  /** The last ORDER entry for a frame that was delivered without one: sequencer or origin lied, and it is passed over. */
  skipped: OrderEntry | null = null

  constructor(memberCount: number) {
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    this.received = zeros()
    this.delivered = zeros()
    this.#stable = zeros()
    this.#bytes = zeros()
    this.#ordered = zeros()
    this.#frames = Array.from({ length: memberCount }, () => new Map())
  }

  get orderLength(): number {
    return this.#orderFirst + this.#order.length
  }

  frame(sender: number, sequence: number): GroupFrame | undefined {
    return this.#frames[sender]?.get(sequence)
  }

  /** What is held of a sender, because not every member has acknowledged it or it is not delivered here. */
  held(sender: number): { readonly frames: number; readonly bytes: number } {
    return { frames: this.received[sender]! - this.#stable[sender]!, bytes: this.#bytes[sender]! }
  }

  /**
   * False for what is known already or over a bound. `inCut`: the frame completes a cut, and its holders may be one bound
   * further than this member.
   */
  add(sender: number, frame: GroupFrame, inCut = false): boolean {
    const frames = this.#frames[sender]
    const received = this.received[sender]
    if (frames === undefined || received === undefined) return false
    if (this.conflict?.sender === sender && this.conflict.sequence === frame.sequence)
      return this.#replace(sender, frame)
    if (frame.sequence <= received) return false
    const bounds = inCut ? 2 : 1
    const ahead = frame.sequence - this.#stable[sender]!
    if (frames.has(frame.sequence) || ahead > bounds * FRAMES_PER_SENDER_MAX) return false
    const bytesMax = bounds * BYTES_PER_SENDER_MAX * (frame.sequence === received + 1 ? 2 : 1)
    if (this.#bytes[sender]! + frame.bytes.length > bytesMax) return false
    frames.set(frame.sequence, frame)
    this.#bytes[sender]! += frame.bytes.length
    let contiguous = received
    while (frames.has(contiguous + 1)) contiguous++
    this.received[sender] = contiguous
    return true
  }

  #replace(sender: number, frame: GroupFrame): boolean {
    if (!equalBytes(this.conflict!.digest, frameDigest(frame))) return false
    this.#bytes[sender]! += frame.bytes.length - this.frame(sender, frame.sequence)!.bytes.length
    this.#frames[sender]!.set(frame.sequence, frame)
    this.conflict = null
    return true
  }

  /**
   * Sequencer only: entries for agreed frames that have none yet. A frame's agreed past was delivered at its sender,
   * so it was ordered before: taking senders one after another cannot order an effect before its cause. A frame that
   * claims a past which is not here waits, and its sender with it, lest a lie blocks everybody's order. So does an
   * agreed frame for which there is no room in the ORDER.
   */
  orderNew(): { first: number; entries: OrderEntry[] } {
    const first = this.orderLength
    const entries: OrderEntry[] = []
    for (let sender = 0; sender < this.received.length; sender++) {
      while (this.#ordered[sender]! < this.received[sender]!) {
        const sequence = this.#ordered[sender]! + 1
        const frame = this.frame(sender, sequence)!
        if (frame.service === "agreed" && this.#order.length + entries.length >= ORDER_UNSTABLE_MAX) break
        if (frame.message.dependencies.some((count, i) => i !== sender && count > this.received[i]!)) break
        this.#ordered[sender] = sequence
        if (frame.service === "agreed") entries.push({ sender, sequence, digest: frameDigest(frame) })
      }
    }
    this.#append(entries)
    return { first, entries }
  }

  /**
   * The sequencer's entries; "gap" when some before `first` are missing or there is no room: they come again by repair.
   * "bad" at the first one that contradicts what is known; those before it are taken.
   */
  addOrder(first: number, entries: readonly OrderEntry[], inCut = false): "added" | "gap" | "bad" {
    if (first > this.orderLength) return "gap"
    for (const [i, entry] of entries.entries()) {
      const known = this.#order[first + i - this.#orderFirst]
      if (known && !sameEntry(known, entry)) return "bad"
      if (first + i < this.orderLength) continue
      if (!inCut && this.#order.length >= ORDER_UNSTABLE_MAX) return "gap"
      const previous = this.#ordered[entry.sender]
      if (previous === undefined || entry.sequence <= previous) return "bad"
      this.#append([entry])
      this.#ordered[entry.sender] = entry.sequence
    }
    return "added"
  }

  #append(entries: readonly OrderEntry[]): void {
    for (const entry of entries) this.#order.push({ ...entry, globalSequence: this.orderLength + 1 })
  }

  orderFrom(first: number): OrderEntry[] {
    return this.#order
      .slice(Math.max(0, first - this.#orderFirst))
      .map(({ sender, sequence, digest }) => ({ sender, sequence, digest }))
  }

  get orderFirst(): number {
    return this.#orderFirst
  }

  /** Drops what every member holds and this one has delivered: nobody can ask for it any more. */
  dropStable(stable: readonly number[], orderLength: number): void {
    for (let sender = 0; sender < this.#frames.length; sender++) {
      const upTo = Math.min(stable[sender] ?? 0, this.delivered[sender]!)
      while (this.#stable[sender]! < upTo) {
        const sequence = ++this.#stable[sender]!
        this.#bytes[sender]! -= this.frame(sender, sequence)!.bytes.length
        this.#frames[sender]!.delete(sequence)
      }
    }
    const drop = Math.min(orderLength, this.deliveredOrder) - this.#orderFirst
    if (drop > 0) {
      this.#order.splice(0, drop)
      this.#orderFirst += drop
    }
  }

  /** Takes whatever may be delivered now, in delivery order. */
  deliver(limit: DeliveryLimit | null = null): Delivery[] {
    const out: Delivery[] = []
    for (let progress = true; progress;) {
      progress = false
      for (let sender = 0; sender < this.received.length; sender++) {
        this.#skipDelivered(limit)
        for (let next = this.#deliverable(sender, limit); next; next = this.#deliverable(sender, limit)) {
          out.push(next)
          progress = true
        }
      }
    }
    return out
  }

  #skipDelivered(limit: DeliveryLimit | null): void {
    for (
      let entry = this.#nextEntry;
      entry && entry.sequence <= this.delivered[entry.sender]!;
      entry = this.#nextEntry
    ) {
      if (this.deliveredOrder >= (limit?.orderUpTo ?? Infinity)) return
      this.skipped = entry
      this.deliveredOrder++
    }
  }

  get #nextEntry(): NumberedEntry | undefined {
    return this.#order[this.deliveredOrder - this.#orderFirst]
  }

  #deliverable(sender: number, limit: DeliveryLimit | null): Delivery | null {
    const sequence = this.delivered[sender]! + 1
    const frame = this.frame(sender, sequence)
    if (!frame || sequence > this.received[sender]! || sequence > (limit?.upTo[sender] ?? sequence)) return null
    if (!this.#pastDelivered(frame, sender)) return null
    if (frame.service !== "agreed") {
      this.delivered[sender] = sequence
      return { frame, globalSequence: 0 }
    }
    const entry = this.#nextEntry
    if (this.deliveredOrder >= (limit?.orderUpTo ?? Infinity)) return null
    if (entry?.sender !== sender || entry.sequence !== sequence) return null
    if (!equalBytes(entry.digest, frameDigest(frame))) {
      this.conflict ??= entry
      return null
    }
    this.delivered[sender] = sequence
    this.deliveredOrder++
    return { frame, globalSequence: entry.globalSequence }
  }

  /** Something is here that only the sequencer keeps from being delivered: by ordering nothing, or what cannot be. */
  get waitsForOrder(): boolean {
    if (this.deliveredOrder < this.orderLength) return true
    return this.received.some((count, sender) => {
      const next = this.delivered[sender]! + 1
      const frame = next <= count ? this.frame(sender, next) : undefined
      return frame !== undefined && this.#pastDelivered(frame, sender)
    })
  }

  #pastDelivered(frame: GroupFrame, sender: number): boolean {
    if (frame.service !== "agreed") return true
    return frame.message.dependencies.every((count, i) => i === sender || count <= this.delivered[i]!)
  }

  /** The largest part of `bound` in which every frame is held together with its causal past; the same at all who hold `bound`. */
  causalClosure(bound: readonly number[]): number[] {
    const closed = bound.map((count, i) => Math.min(count, this.received[i]!))
    for (let shrunk = true; shrunk;) {
      shrunk = false
      for (let sender = 0; sender < closed.length; sender++) {
        for (let sequence = this.delivered[sender]! + 1; sequence <= closed[sender]!; sequence++) {
          const frame = this.frame(sender, sequence)
          const past = frame?.service === "agreed" ? frame.message.dependencies : []
          if (!frame || past.some((count, i) => i !== sender && count > closed[i]!)) {
            closed[sender] = sequence - 1
            shrunk = true
            break
          }
        }
      }
    }
    return closed
  }

  /**
   * End of the view, after everything up to g* was delivered: the rest of the ORDER without entries outside the cut,
   * then leftovers (agreed frames without an entry) by sender among those whose past is delivered.
   */
  deliverRemainder(upTo: readonly number[]): Delivery[] {
    const keep = this.deliveredOrder - this.#orderFirst
    const rest = this.#order.slice(keep).filter((entry) => entry.sequence <= upTo[entry.sender]!)
    this.#order = [...this.#order.slice(0, keep), ...rest]
    const limit = { upTo, orderUpTo: Infinity }
    const out = this.deliver(limit)
    for (let leftover = this.#leftover(upTo); leftover; leftover = this.#leftover(upTo)) {
      out.push(leftover, ...this.deliver(limit))
    }
    return out
  }

  #leftover(upTo: readonly number[]): Delivery | null {
    for (let sender = 0; sender < this.received.length; sender++) {
      const sequence = this.delivered[sender]! + 1
      const frame = sequence <= upTo[sender]! ? this.frame(sender, sequence) : undefined
      if (frame && this.#pastDelivered(frame, sender)) {
        this.delivered[sender] = sequence
        return { frame, globalSequence: 0 }
      }
    }
    return null
  }
}
