/**
 * The frames of one view: what has been received, ordered, acknowledged, delivered and is stable. It decides what may
 * be delivered next; when, the group core decides.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { frameDigest } from "../wire/frame.ts"
import type { Acknowledgement, Dependency, OrderEntry } from "../wire/messages.ts"
import { CausalPast } from "./causal-past.ts"
import { FrameStore, type GroupFrame } from "./frame-store.ts"
import { GlobalOrder, type NumberedEntry } from "./global-order.ts"
import { MissingPasts } from "./missing-pasts.ts"
import { isOrdered } from "./services.ts"

/** `globalSequence`: place among the view's agreed and safe frames from 1; 0 for a leftover and for other services. */
export type Delivery = { readonly frame: GroupFrame; readonly globalSequence: number }

/** Up to where delivery may go: per-sender counts, and ORDER entries. */
export type DeliveryLimit = { readonly upTo: readonly number[]; readonly orderUpTo: number }

export class MessageLog {
  /** Per sender: frames delivered. */
  readonly delivered: number[]
  /** ORDER entries delivered. */
  deliveredOrder = 0
  readonly #frames: FrameStore
  readonly #order: GlobalOrder
  readonly #past: CausalPast
  /**
   * Senders, in order, whose next frame is here, is not delivered, and is not known to wait for its place in the ORDER:
   * of those who do it is one's turn, and in a large view most of the others say nothing.
   */
  #waiting: number[] = []
  /** Per sender: a frame that is known to wait for its place in the ORDER. */
  readonly #awaitsOrder: number[]
  readonly #missing = new MissingPasts()
  /** ORDER entries that every other member has acknowledged. */
  #acknowledgedByOthers = 0
  /**
   * An ORDER entry whose digest is not that of the frame held: sequencer or origin lied. Delivery stops there until the
   * frame that was ordered comes.
   */
  conflict: OrderEntry | null = null
  /** The last ORDER entry for a frame that was delivered without one: sequencer or origin lied, and it is passed over. */
  skipped: OrderEntry | null = null

  constructor(memberCount: number) {
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    this.delivered = zeros()
    this.#awaitsOrder = zeros()
    this.#frames = new FrameStore(memberCount)
    this.#order = new GlobalOrder(memberCount)
    this.#past = new CausalPast(this.#frames, this.#order)
    if (memberCount === 1) this.#acknowledgedByOthers = Infinity
  }

  /** Per sender: frames received without a gap. */
  get received(): readonly number[] {
    return this.#frames.received
  }

  /** The same, as a list that stays as it is. */
  get receivedSnapshot(): readonly number[] {
    return this.#frames.snapshot
  }

  get orderLength(): number {
    return this.#order.length
  }

  get orderFirst(): number {
    return this.#order.first
  }

  orderFrom(first: number): OrderEntry[] {
    return this.#order.from(first)
  }

  frame(sender: number, sequence: number): GroupFrame | undefined {
    return this.#frames.frame(sender, sequence)
  }

  held(sender: number): { readonly frames: number; readonly bytes: number } {
    return this.#frames.held(sender)
  }

  /** What is held of those senders of whom `from` counts fewer than `to`. */
  heldBytes(from: readonly number[], to: readonly number[]): number {
    return to.reduce((sum, count, sender) => (from[sender]! < count ? sum + this.held(sender).bytes : sum), 0)
  }

  /** What was received of each sender, and the ORDER, as hashes. */
  get chains(): { readonly frameChains: Uint8Array; readonly orderChain: Uint8Array } {
    return {
      frameChains: this.#frames.chains,
      orderChain: this.#order.chain.shown,
    }
  }

  /** Commits to the first so many frames of each sender; null where they have not all come, or everybody is past them. */
  digestOf(counts: readonly number[]): Uint8Array | null {
    return this.#frames.digestOf(counts)
  }

  /** Where a member holds other things under the same numbers: of which senders, and whether in the ORDER. */
  differences(acknowledgement: Acknowledgement): { readonly senders: readonly number[]; readonly order: boolean } {
    const { received, frameChains, orderLength, orderChain } = acknowledgement
    return {
      senders: this.#frames.differing(received, frameChains),
      order: this.#order.chain.differsFrom(orderLength, orderChain),
    }
  }

  /** The causal past of a frame that `own` sends now: what it has delivered of the others. */
  dependencies(own: number): Dependency[] {
    return this.delivered.flatMap((count, member) => (count > 0 && member !== own ? [{ member, count }] : []))
  }

  /** False for what is known already or over a bound. */
  add(sender: number, frame: GroupFrame, inCut = false): boolean {
    const { conflict } = this
    if (conflict?.sender === sender && conflict.sequence === frame.sequence) {
      if (!this.#frames.replace(sender, frame, conflict.digest)) return false
      this.conflict = null
      this.#awaitsOrder[sender] = 0
      this.#missing.forget(sender)
      this.#past.replaced(sender)
      return true
    }
    const received = this.received[sender]
    if (!this.#frames.add(sender, frame, inCut)) return false
    this.#past.changed()
    if (this.delivered[sender] === received && this.received[sender] !== received) this.#wait(sender)
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
    return this.#order.add(first, entries, inCut)
  }

  /**
   * Sequencer only: entries for agreed and safe frames that have none yet, each after all that it names as its past. A frame
   * that claims a past which is not here waits, and its sender with it, and whoever builds upon it: a place that cannot be
   * delivered would block everybody's order. So does one for which there is no room.
   */
  orderNew(): { first: number; entries: OrderEntry[] } {
    const [first, count] = [this.orderLength, this.received.length]
    const { firstTurn } = this.#order
    this.#past.changed()
    for (let again = true; again;) {
      again = false
      for (let turn = 0; turn < count; turn++) if (this.#orderOf((firstTurn + turn) % count)) again = true
    }
    return { first, entries: this.orderFrom(first) }
  }

  /** True if something of that sender was ordered, or needs no order: others may have waited for it. */
  #orderOf(sender: number): boolean {
    const before = this.#order.ordered(sender)
    for (let sequence = before + 1; sequence <= this.received[sender]!; sequence++) {
      const frame = this.frame(sender, sequence)!
      if (isOrdered(frame.service) && this.#order.full) break
      if (frame.message.dependencies.some(({ member, count }) => count > this.#order.ordered(member))) break
      if (isOrdered(frame.service)) this.#order.append({ sender, sequence, digest: frameDigest(frame) })
      else this.#order.passOver(sender, sequence)
    }
    return this.#order.ordered(sender) > before
  }

  /** g: see `CausalPast`. */
  acknowledge(): number {
    return this.#past.acknowledge(this)
  }

  /** The place of the last safe message that was acknowledged: others wait to hear of it. */
  get acknowledgedSafe(): number {
    return this.#past.acknowledgedSafe
  }

  /** Every other member has acknowledged the ORDER up to there: what is safe in it may be delivered. */
  acknowledgedByOthers(upTo: number): void {
    this.#acknowledgedByOthers = Math.max(this.#acknowledgedByOthers, upTo)
  }

  /** Drops what every member holds and this one has delivered: nobody can ask for it any more. */
  dropStable(stable: readonly number[], orderLength: number): void {
    for (let sender = 0; sender < this.delivered.length; sender++) {
      this.#frames.drop(sender, Math.min(stable[sender] ?? 0, this.delivered[sender]!))
    }
    this.#order.drop(Math.min(orderLength, this.deliveredOrder))
  }

  /** Takes whatever may be delivered now, in delivery order. */
  deliver(limit: DeliveryLimit | null = null): Delivery[] {
    const out: Delivery[] = []
    for (let before = -1; before < out.length;) {
      before = out.length
      for (const sender of this.#waiting) this.#deliverFrom(sender, limit, out)
      this.#waiting = this.#waiting.filter((sender) => this.#waits(sender))
      for (let turn = this.#turn(limit); turn !== undefined; turn = this.#turn(limit)) {
        if (!this.#deliverFrom(turn, limit, out)) break
        if (this.#waits(turn)) this.#wait(turn)
      }
    }
    return out
  }

  /** False if nothing of that sender can be delivered now. */
  #deliverFrom(sender: number, limit: DeliveryLimit | null, out: Delivery[]): boolean {
    const before = out.length
    for (let next = this.#deliverable(sender, limit); next; next = this.#deliverable(sender, limit)) out.push(next)
    return out.length > before
  }

  /** See `#waiting`. */
  #waits(sender: number): boolean {
    const delivered = this.delivered[sender]!
    return delivered < this.received[sender]! && this.#awaitsOrder[sender] !== delivered + 1
  }

  /** The sender of what is next in the ORDER. */
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
    return this.#order.at(this.deliveredOrder)
  }

  /** Every service waits for what its sender sent before it: the delivered part of a sender's frames has no gaps. */
  #deliverable(sender: number, limit: DeliveryLimit | null): Delivery | null {
    const sequence = this.delivered[sender]! + 1
    if (sequence > this.received[sender]! || sequence > (limit?.upTo[sender] ?? sequence)) return null
    const frame = this.frame(sender, sequence)
    if (!frame) return null
    if (!isOrdered(frame.service)) {
      if (!this.#isPastDelivered(sender, frame)) return null
      this.delivered[sender] = sequence
      this.#past.changed()
      return { frame, globalSequence: 0 }
    }
    this.#awaitsOrder[sender] = sequence
    if (this.deliveredOrder >= (limit?.orderUpTo ?? Infinity)) return null
    // The turn first: of many that wait one has it. The past last: it is long where many speak.
    const entry = this.#nextEntry
    if (entry?.sender !== sender || entry.sequence !== sequence) return null
    if (!equalBytes(entry.digest, frameDigest(frame))) {
      this.conflict ??= entry
      return null
    }
    // A view change ends the wait: whoever moves along holds it, and up to g* somebody has delivered already.
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

  /** Something is here that only the sequencer keeps from being delivered: by ordering nothing, or what cannot be. */
  get waitsForOrder(): boolean {
    const next = this.#nextEntry
    if (next) return next.place <= this.#acknowledgedByOthers || this.#frames.named(next)?.service !== "safe"
    return this.received.some((count, sender) => {
      const frame = this.delivered[sender]! < count ? this.frame(sender, this.delivered[sender]! + 1) : undefined
      return frame !== undefined && this.#isPastDelivered(sender, frame)
    })
  }

  /** Of the first `upTo` of each sender nothing is left that only the sequencer keeps back: the rest lacks a past that is not here. */
  isServed(upTo: readonly number[]): boolean {
    if (upTo.every((count, sender) => this.delivered[sender]! >= count)) return true
    const blocked = this.#blocked()
    return upTo.every((count, sender) => this.delivered[sender]! >= count || blocked.has(sender))
  }

  /** Senders without a next frame, or whose next names a past that is not here, or one behind such a frame: nobody can order it. */
  #blocked(): ReadonlySet<number> {
    const blocked = new Set<number>()
    const isPresent = ({ member, count }: Dependency): boolean =>
      count <= (blocked.has(member) ? this.delivered : this.received)[member]!
    for (let before = -1; before < blocked.size;) {
      before = blocked.size
      for (let sender = 0; sender < this.delivered.length; sender++) {
        if (blocked.has(sender)) continue
        const next = this.frame(sender, this.delivered[sender]! + 1)
        if (!next?.message.dependencies.every(isPresent)) blocked.add(sender)
      }
    }
    return blocked
  }

  /** The part of `bound` of which everything is held together with its causal past; the same at all who hold `bound`. */
  causalClosure(bound: readonly number[]): number[] {
    return this.#past.closure(this.delivered, bound)
  }

  /**
   * End of the view, after everything up to g* was delivered: the rest of the ORDER without entries outside the cut,
   * then leftovers (frames without an entry) by sender among those whose past is delivered.
   */
  deliverRemainder(upTo: readonly number[]): Delivery[] {
    this.#order.filterFrom(this.deliveredOrder, (entry) => entry.sequence <= upTo[entry.sender]!)
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
      if (frame && this.#isPastDelivered(sender, frame)) {
        this.delivered[sender] = sequence
        if (this.#waits(sender)) this.#wait(sender)
        return { frame, globalSequence: 0 }
      }
    }
    return null
  }
}
