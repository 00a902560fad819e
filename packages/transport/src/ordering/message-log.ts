/**
 * The frames of one view: received, ordered, acknowledged, delivered and stable. It decides what may be delivered next.
 * The group core decides when.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { frameDigest, isOrdered } from "../wire/frame.ts"
import type { Acknowledgement, Dependency, OrderEntry } from "../wire/messages.ts"
import { blockedSenders, CausalPast, MissingPasts } from "./causal-past.ts"
import { FrameStore, type GroupFrame } from "./frame-store.ts"
import { GlobalOrder, type NumberedEntry } from "./global-order.ts"

/** `globalSequence`: place among the view's agreed and safe frames from 1. 0 for a leftover and for other services. */
export type Delivery = { readonly frame: GroupFrame; readonly globalSequence: number }

/** Limit of delivery: per-sender counts, and ORDER entries. */
export type DeliveryLimit = { readonly upTo: readonly number[]; readonly orderUpTo: number }

export class MessageLog {
  /** Per sender: frames delivered. */
  readonly delivered: number[]
  /** ORDER entries delivered. */
  deliveredOrder = 0
  /** Changed only here. */
  readonly frames: FrameStore
  /** Changed only here. */
  readonly order: GlobalOrder
  readonly #past: CausalPast
  /**
   * Senders, in order, whose next frame is here, is undelivered and is not known to wait for its place in the ORDER.
   * Among those that wait for the ORDER only one has its turn, and in a large view most others send nothing.
   */
  #waiting: number[] = []
  /** Per sender: a frame that is known to wait for its place in the ORDER. */
  readonly #awaitsOrder: number[]
  readonly #missing = new MissingPasts()
  /** Senders whose delivery is paused, because the layer above has a backlog of them. */
  readonly #heldBack = new Set<number>()
  /** ORDER entries that every other member has acknowledged. */
  #acknowledgedByOthers = 0
  /**
   * An ORDER entry whose digest differs from the frame held: sequencer or origin lied. Delivery stops there until the
   * ordered frame comes.
   */
  conflict: OrderEntry | null = null
  /**
   * The last ORDER entry for a frame that was delivered without one: sequencer or origin lied. The entry is skipped.
   */
  skipped: OrderEntry | null = null

  constructor(memberCount: number) {
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    this.delivered = zeros()
    this.#awaitsOrder = zeros()
    this.frames = new FrameStore(memberCount)
    this.order = new GlobalOrder(this.frames)
    this.#past = new CausalPast(this.frames, this.order)
    if (memberCount === 1) this.#acknowledgedByOthers = Infinity
  }

  /** The end of the view delivers frames of held senders all the same. */
  hold(sender: number, held: boolean): void {
    if (held) this.#heldBack.add(sender)
    else this.#heldBack.delete(sender)
  }

  /** Bytes held of those senders for which `from` is lower than `to`. */
  heldBytes(from: readonly number[], to: readonly number[]): number {
    return to.reduce((sum, count, sender) => (from[sender]! < count ? sum + this.frames.held(sender).bytes : sum), 0)
  }

  /** Hash chains over the frames received of each sender, and over the ORDER. */
  get chains(): { readonly frameChains: Uint8Array; readonly orderChain: Uint8Array } {
    return { frameChains: this.frames.chains, orderChain: this.order.chain.shown }
  }

  /**
   * Compares with a member's acknowledgement: the senders of which it holds other frames, and whether its ORDER
   * differs.
   */
  differences(acknowledgement: Acknowledgement): { readonly senders: readonly number[]; readonly order: boolean } {
    const { received, frameChains, orderLength, orderChain } = acknowledgement
    return {
      senders: this.frames.differing(received, frameChains),
      order: this.order.chain.differsFrom(orderLength, orderChain),
    }
  }

  /** The causal past of a frame that `own` sends now: what it has delivered of the others. */
  dependencies(own: number): Dependency[] {
    return this.delivered.flatMap((count, member) => (count > 0 && member !== own ? [{ member, count }] : []))
  }

  /** Returns false for a frame that is known or exceeds a bound. */
  add(sender: number, frame: GroupFrame, inCut = false): boolean {
    const { conflict } = this
    if (conflict?.sender === sender && conflict.sequence === frame.sequence) {
      if (!this.frames.replace(sender, frame, conflict.digest)) return false
      this.conflict = null
      this.#awaitsOrder[sender] = 0
      this.#missing.forget(sender)
      this.#past.replaced(sender)
      return true
    }
    const received = this.frames.received[sender]
    if (!this.frames.add(sender, frame, inCut)) return false
    this.#past.changed()
    if (this.delivered[sender] === received && this.frames.received[sender] !== received) this.#wait(sender)
    return true
  }

  #wait(sender: number): void {
    const at = this.#waiting.findIndex((other) => other >= sender)
    if (this.#waiting[at] === sender) return
    if (at < 0) this.#waiting.push(sender)
    else this.#waiting.splice(at, 0, sender)
  }

  addOrder(first: number, entries: readonly OrderEntry[], inCut = false): "added" | "gap" | "bad" {
    this.#past.changed()
    return this.order.add(first, entries, inCut)
  }

  /** Sequencer only: see `GlobalOrder`. */
  orderNew(): { first: number; entries: OrderEntry[] } {
    this.#past.changed()
    return this.order.orderNew()
  }

  /** g: see `CausalPast`. */
  acknowledge(): number {
    return this.#past.acknowledge(this)
  }

  /** The place of the last safe message that was acknowledged. Others wait for it. */
  get acknowledgedSafe(): number {
    return this.#past.acknowledgedSafe
  }

  /** Every other member has acknowledged the ORDER up to there. Safe messages in it may be delivered. */
  acknowledgedByOthers(upTo: number): void {
    this.#acknowledgedByOthers = Math.max(this.#acknowledgedByOthers, upTo)
  }

  /** Drops frames that every member holds and this one has delivered. No member can request them any more. */
  dropStable(stable: readonly number[], orderLength: number): void {
    for (let sender = 0; sender < this.delivered.length; sender++) {
      this.frames.drop(sender, Math.min(stable[sender] ?? 0, this.delivered[sender]!))
    }
    this.order.drop(Math.min(orderLength, this.deliveredOrder))
  }

  /** Takes everything that may be delivered now, in delivery order. */
  deliver(limit: DeliveryLimit | null = null): Delivery[] {
    this.#deliver(limit)
    return this.#takeDue()
  }

  /** Counted as delivered, but not returned yet. If a delivery throws, the rest stays here for the next call. */
  #due: Delivery[] = []

  #takeDue(): Delivery[] {
    const due = this.#due
    this.#due = []
    return due
  }

  #deliver(limit: DeliveryLimit | null): void {
    const due = this.#due
    for (let before = -1; before < due.length;) {
      before = due.length
      for (const sender of this.#waiting) this.#deliverFrom(sender, limit)
      this.#waiting = this.#waiting.filter((sender) => this.#waits(sender))
      for (let turn = this.#turn(limit); turn !== undefined; turn = this.#turn(limit)) {
        if (!this.#deliverFrom(turn, limit)) break
        if (this.#waits(turn)) this.#wait(turn)
      }
    }
  }

  /** Returns false if no frame of that sender can be delivered now. */
  #deliverFrom(sender: number, limit: DeliveryLimit | null): boolean {
    const before = this.#due.length
    for (let next = this.#deliverable(sender, limit); next; next = this.#deliverable(sender, limit)) {
      this.#due.push(next)
    }
    return this.#due.length > before
  }

  /** See `#waiting`. */
  #waits(sender: number): boolean {
    const delivered = this.delivered[sender]!
    return delivered < this.frames.received[sender]! && this.#awaitsOrder[sender] !== delivered + 1
  }

  /** The sender of the next ORDER entry. */
  #turn(limit: DeliveryLimit | null): number | undefined {
    this.#skipDelivered(limit)
    return this.#nextEntry?.sender
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
      this.#past.changed()
    }
  }

  get #nextEntry(): NumberedEntry | undefined {
    return this.order.at(this.deliveredOrder)
  }

  /** Every service waits for its sender's earlier frames, so the delivered frames of a sender have no gaps. */
  #deliverable(sender: number, limit: DeliveryLimit | null): Delivery | null {
    const sequence = this.delivered[sender]! + 1
    if (!limit && this.#heldBack.has(sender)) return null
    if (sequence > this.frames.received[sender]! || sequence > (limit?.upTo[sender] ?? sequence)) return null
    const frame = this.frames.frame(sender, sequence)
    if (!frame) return null
    if (!isOrdered(frame.service)) {
      if (!this.#isPastDelivered(sender, frame)) return null
      this.delivered[sender] = sequence
      this.#past.changed()
      return { frame, globalSequence: 0 }
    }
    this.#awaitsOrder[sender] = sequence
    if (this.deliveredOrder >= (limit?.orderUpTo ?? Infinity)) return null
    // Checks the turn first, since only one of the waiting senders has it. Checks the past last, since it is long with
    // many senders.
    const entry = this.#nextEntry
    if (entry?.sender !== sender || entry.sequence !== sequence) return null
    if (!equalBytes(entry.digest, frameDigest(frame))) {
      this.conflict ??= entry
      return null
    }
    // A view change ends the wait. Every member of the transitional set holds the frame, and some member has delivered
    // everything up to g*.
    if (frame.service === "safe" && !limit && entry.place > this.#acknowledgedByOthers) return null
    if (!this.#isPastDelivered(sender, frame)) return null
    this.delivered[sender] = sequence
    this.deliveredOrder++
    this.#past.changed()
    return { frame, globalSequence: entry.place }
  }

  /** `frame`: the sender's next. */
  #isPastDelivered(sender: number, frame: GroupFrame): boolean {
    return this.#missing.isWithin(sender, frame.message.dependencies, this.delivered)
  }

  /**
   * True if only the sequencer prevents the delivery of a frame: by ordering nothing, or frames that cannot be
   * delivered.
   */
  get waitsForOrder(): boolean {
    const next = this.#nextEntry
    if (next && this.#waitsForHeldBack(next.sender)) return false
    if (next) return next.place <= this.#acknowledgedByOthers || this.frames.named(next)?.service !== "safe"
    return this.frames.received.some((count, sender) => {
      const frame = this.delivered[sender]! < count ? this.frames.frame(sender, this.delivered[sender]! + 1) : undefined
      return frame !== undefined && !this.#heldBack.has(sender) && this.#isPastDelivered(sender, frame)
    })
  }

  /** True if delivery of that sender is paused, or its next frame lacks nothing but a past whose delivery is paused. */
  #waitsForHeldBack(sender: number): boolean {
    if (this.#heldBack.has(sender)) return true
    if (this.#heldBack.size === 0) return false
    const isBlocked = (paused: ReadonlySet<number>): boolean =>
      blockedSenders(this.frames, this.delivered, paused).has(sender)
    return isBlocked(this.#heldBack) && !isBlocked(new Set())
  }

  /** True if no frame up to `upTo` waits only for the sequencer. The remaining ones lack a past that is not here. */
  isServed(upTo: readonly number[]): boolean {
    if (upTo.every((count, sender) => this.delivered[sender]! >= count)) return true
    const blocked = blockedSenders(this.frames, this.delivered, this.#heldBack)
    return upTo.every((count, sender) => this.delivered[sender]! >= count || blocked.has(sender))
  }

  /** The part of `bound` that is held with its whole causal past. Equal at all members that hold `bound`. */
  causalClosure(bound: readonly number[]): number[] {
    return this.#past.closure(this.delivered, bound)
  }

  /**
   * End of the view, after everything up to g* was delivered. First the rest of the ORDER without entries outside the
   * cut. Then the leftovers (frames without an entry) by sender, among those whose past is delivered.
   */
  deliverRemainder(upTo: readonly number[]): Delivery[] {
    this.order.filterFrom(this.deliveredOrder, (entry) => entry.sequence <= upTo[entry.sender]!)
    const limit = { upTo, orderUpTo: Infinity }
    this.#deliver(limit)
    for (let leftover = this.#leftover(upTo); leftover; leftover = this.#leftover(upTo)) {
      this.#due.push(leftover)
      this.#deliver(limit)
    }
    return this.#takeDue()
  }

  #leftover(upTo: readonly number[]): Delivery | null {
    for (let sender = 0; sender < this.frames.received.length; sender++) {
      const sequence = this.delivered[sender]! + 1
      const frame = sequence <= upTo[sender]! ? this.frames.frame(sender, sequence) : undefined
      if (frame && this.#isPastDelivered(sender, frame)) {
        this.delivered[sender] = sequence
        if (this.#waits(sender)) this.#wait(sender)
        return { frame, globalSequence: 0 }
      }
    }
    return null
  }
}
