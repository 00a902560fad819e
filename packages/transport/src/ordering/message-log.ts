/**
 * The frames of one view: what has been received, ordered, delivered and is stable. It decides what may be delivered
 * next; when, the group core decides.
 */
import type { GroupMessage, OrderEntry } from "../wire/messages.ts"
import type { Frame } from "../wire/frame.ts"
import { frameDigest } from "../wire/frame.ts"
import { equalBytes } from "@noble/curves/utils.js"

/** Frames of one sender that may lie beyond a gap or be unstable; more are refused and come again by repair. */
export const FRAMES_PER_SENDER_MAX = 8192

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
  #order: NumberedEntry[] = []
  #orderFirst = 0
  /** Per sender: the last sequence number that has an ORDER entry (agreed frames) or needs none. */
  readonly #ordered: number[]
  /** An ORDER entry whose digest is not that of the frame held: sequencer or origin lied. Delivery stops there. */
  conflict: { readonly sender: number; readonly sequence: number } | null = null

  constructor(memberCount: number) {
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    this.received = zeros()
    this.delivered = zeros()
    this.#stable = zeros()
    this.#ordered = zeros()
    this.#frames = Array.from({ length: memberCount }, () => new Map())
  }

  get orderLength(): number {
    return this.#orderFirst + this.#order.length
  }

  frame(sender: number, sequence: number): GroupFrame | undefined {
    return this.#frames[sender]?.get(sequence)
  }

  /** False for what is known already or lies too far ahead. */
  add(sender: number, frame: GroupFrame): boolean {
    const frames = this.#frames[sender]
    const received = this.received[sender]
    if (frames === undefined || received === undefined || frame.sequence <= received) return false
    if (frames.has(frame.sequence) || frame.sequence > this.#stable[sender]! + FRAMES_PER_SENDER_MAX) return false
    frames.set(frame.sequence, frame)
    let contiguous = received
    while (frames.has(contiguous + 1)) contiguous++
    this.received[sender] = contiguous
    return true
  }

  /**
   * Sequencer only: entries for agreed frames that have none yet. A frame's agreed past was delivered at its sender,
   * so it was ordered before: taking senders one after another cannot order an effect before its cause. A frame that
   * claims a past which is not here waits, and its sender with it, lest a lie blocks everybody's order.
   */
  orderNew(): { first: number; entries: OrderEntry[] } {
    const first = this.orderLength
    const entries: OrderEntry[] = []
    for (let sender = 0; sender < this.received.length; sender++) {
      while (this.#ordered[sender]! < this.received[sender]!) {
        const sequence = this.#ordered[sender]! + 1
        const frame = this.frame(sender, sequence)!
        if (frame.message.dependencies.some((count, i) => i !== sender && count > this.received[i]!)) break
        this.#ordered[sender] = sequence
        if (frame.service === "agreed") entries.push({ sender, sequence, digest: frameDigest(frame) })
      }
    }
    this.#append(entries)
    return { first, entries }
  }

  /** The sequencer's entries; "gap" when some before `first` are missing, "bad" when they contradict what is known. */
  addOrder(first: number, entries: readonly OrderEntry[]): "added" | "gap" | "bad" {
    if (first > this.orderLength) return "gap"
    const fresh = entries.slice(this.orderLength - first)
    const last = [...this.#ordered]
    for (const entry of fresh) {
      const previous = last[entry.sender]
      if (previous === undefined || entry.sequence <= previous) return "bad"
      last[entry.sender] = entry.sequence
    }
    this.#append(fresh)
    for (const entry of fresh) this.#ordered[entry.sender] = entry.sequence
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
      while (this.#stable[sender]! < upTo) this.#frames[sender]!.delete(++this.#stable[sender]!)
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
        for (let next = this.#deliverable(sender, limit); next; next = this.#deliverable(sender, limit)) {
          out.push(next)
          progress = true
        }
      }
    }
    return out
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
    const entry = this.#order[this.deliveredOrder - this.#orderFirst]
    if (this.deliveredOrder >= (limit?.orderUpTo ?? Infinity)) return null
    if (entry?.sender !== sender || entry.sequence !== sequence) return null
    if (!equalBytes(entry.digest, frameDigest(frame))) {
      this.conflict ??= { sender, sequence }
      return null
    }
    this.delivered[sender] = sequence
    this.deliveredOrder++
    return { frame, globalSequence: entry.globalSequence }
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
