/**
 * The frames of one view: what has been received, ordered, acknowledged, delivered and is stable. It decides what may
 * be delivered next; when, the group core decides.
 */
import { equalBytes } from "@noble/curves/utils.js"
import { frameDigest, type Service } from "../wire/frame.ts"
import type { Acknowledgement, Dependency, OrderEntry } from "../wire/messages.ts"
import { FrameStore, type GroupFrame } from "./frame-store.ts"
import { GlobalOrder, type NumberedEntry } from "./global-order.ts"

/** `globalSequence`: place among the view's agreed and safe frames from 1; 0 for a leftover and for other services. */
export type Delivery = { readonly frame: GroupFrame; readonly globalSequence: number }

/** Up to where delivery may go: per-sender counts, and ORDER entries. */
export type DeliveryLimit = { readonly upTo: readonly number[]; readonly orderUpTo: number }

/** Services whose frames have an entry in the ORDER. */
export function isOrdered(service: Service): boolean {
  return service === "agreed" || service === "safe"
}

/** Services whose frames name their causal past, and wait for it. */
export function hasDependencies(service: Service): boolean {
  return service === "causal" || isOrdered(service)
}

export class MessageLog {
  /** Per sender: frames delivered. */
  readonly delivered: number[]
  /** ORDER entries delivered. */
  deliveredOrder = 0
  readonly #frames: FrameStore
  readonly #order: GlobalOrder
  /** Per sender: frames held together with their whole causal past. */
  readonly #closed: number[]
  /** Senders of whom something is here that is not delivered, in order: in a large view most say nothing. */
  #waiting: number[] = []
  /** Per sender: a frame that is known to wait for its place in the ORDER. */
  readonly #awaitsOrder: number[]
  /** Something has come, or was delivered, since it was looked at what can be acknowledged. */
  #acknowledgeDue = false
  #acknowledged = 0
  #acknowledgedSafe = 0
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
    this.#closed = zeros()
    this.#awaitsOrder = zeros()
    this.#frames = new FrameStore(memberCount)
    this.#order = new GlobalOrder(memberCount)
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

  /** What was received of each sender, and the ORDER, as hashes at their last checkpoints. */
  get checkpoints(): { readonly frameChains: readonly Uint8Array[]; readonly orderChain: Uint8Array } {
    return {
      frameChains: this.#frames.checkpoints,
      orderChain: this.#order.chain.checkpoint,
    }
  }

  /** Where a member holds other things under the same numbers. */
  differences(acknowledgement: Acknowledgement): { readonly frames: boolean; readonly order: boolean } {
    const { received, frameChains, orderLength, orderChain } = acknowledgement
    return {
      frames: this.#frames.differFrom(received, frameChains),
      order: this.#order.chain.differsFrom(orderLength, orderChain),
    }
  }

  /** Two frames of one sender under one number. */
  contradicts(sender: number, frame: GroupFrame): boolean {
    const held = this.frame(sender, frame.sequence)
    return held !== undefined && !equalBytes(held.staticPart, frame.staticPart)
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
      this.#acknowledgeDue = true
      return true
    }
    const received = this.received[sender]
    if (!this.#frames.add(sender, frame, inCut)) return false
    this.#acknowledgeDue = true
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
    this.#acknowledgeDue = true
    return this.#order.add(first, entries, inCut)
  }

  /**
   * Sequencer only: entries for agreed and safe frames that have none yet. What a frame's sender had delivered was ordered
   * before: taking senders one after another cannot order an effect before its cause. A frame that claims a past which is
   * not here waits, and its sender with it, lest a lie blocks everybody's order. So does one for which there is no room.
   */
  orderNew(): { first: number; entries: OrderEntry[] } {
    const first = this.orderLength
    this.#acknowledgeDue = true
    for (let sender = 0; sender < this.received.length; sender++) {
      while (this.#order.ordered(sender) < this.received[sender]!) {
        const sequence = this.#order.ordered(sender) + 1
        const frame = this.frame(sender, sequence)!
        if (isOrdered(frame.service) && this.#order.full) break
        if (frame.message.dependencies.some(({ member, count }) => count > this.received[member]!)) break
        if (isOrdered(frame.service)) this.#order.append({ sender, sequence, digest: frameDigest(frame) })
        else this.#order.passOver(sender, sequence)
      }
    }
    return { first, entries: this.orderFrom(first) }
  }

  /**
   * g: bodies, ORDER entries and the whole causal past of everything up to it are held here. Bodies and entries alone
   * would not do: if all who hold the past of a message go, those who stay could not deliver it.
   */
  acknowledge(): number {
    if (!this.#acknowledgeDue) return this.#acknowledged
    this.#acknowledgeDue = false
    for (let sender = 0; sender < this.#closed.length; sender++) {
      this.#closed[sender] = Math.max(this.#closed[sender]!, this.delivered[sender]!)
    }
    this.#close(this.#closed, this.received)
    this.#acknowledged = Math.max(this.#acknowledged, this.deliveredOrder)
    for (let entry = this.#order.at(this.#acknowledged); entry; entry = this.#order.at(this.#acknowledged)) {
      const frame = this.#heldFrame(entry)
      if (!frame || entry.sequence > this.#closed[entry.sender]!) break
      this.#acknowledged++
      if (frame.service === "safe") this.#acknowledgedSafe = this.#acknowledged
    }
    return this.#acknowledged
  }

  /** The place of the last safe message that was acknowledged: others wait to hear of it. */
  get acknowledgedSafe(): number {
    return this.#acknowledgedSafe
  }

  #heldFrame(entry: OrderEntry): GroupFrame | undefined {
    const frame = this.frame(entry.sender, entry.sequence)
    return frame && equalBytes(entry.digest, frameDigest(frame)) ? frame : undefined
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
    for (let progress = true; progress;) {
      progress = false
      let skipDue = true
      for (const sender of this.#waiting) {
        if (this.delivered[sender]! >= this.received[sender]!) continue
        if (skipDue) this.#skipDelivered(limit)
        skipDue = false
        for (let next = this.#deliverable(sender, limit); next; next = this.#deliverable(sender, limit)) {
          out.push(next)
          progress = true
          skipDue = true
        }
      }
    }
    if (out.length > 0)
      this.#waiting = this.#waiting.filter((sender) => this.delivered[sender]! < this.received[sender]!)
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
      this.#acknowledgeDue = true
    }
  }

  get #nextEntry(): NumberedEntry | undefined {
    return this.#order.at(this.deliveredOrder)
  }

  /** Every service waits for what its sender sent before it: the delivered part of a sender's frames has no gaps. */
  #deliverable(sender: number, limit: DeliveryLimit | null): Delivery | null {
    const sequence = this.delivered[sender]! + 1
    if (sequence > this.received[sender]! || sequence > (limit?.upTo[sender] ?? sequence)) return null
    const entry = this.#nextEntry
    if (this.#awaitsOrder[sender] === sequence && entry?.sender !== sender) return null
    const frame = this.frame(sender, sequence)
    if (!frame) return null
    if (!isOrdered(frame.service)) {
      if (!this.#pastDelivered(frame)) return null
      this.delivered[sender] = sequence
      this.#acknowledgeDue = true
      return { frame, globalSequence: 0 }
    }
    this.#awaitsOrder[sender] = sequence
    if (this.deliveredOrder >= (limit?.orderUpTo ?? Infinity)) return null
    // The turn first: of many that wait one has it, and pasts are long where many speak.
    if (entry?.sender !== sender || entry.sequence !== sequence || !this.#pastDelivered(frame)) return null
    if (!equalBytes(entry.digest, frameDigest(frame))) {
      this.conflict ??= entry
      return null
    }
    // A view change ends the wait: whoever moves along holds it, and up to g* somebody has delivered already.
    if (frame.service === "safe" && !limit && entry.place > this.#acknowledgedByOthers) return null
    this.delivered[sender] = sequence
    this.deliveredOrder++
    this.#acknowledgeDue = true
    return { frame, globalSequence: entry.place }
  }

  #pastDelivered(frame: GroupFrame): boolean {
    return frame.message.dependencies.every(({ member, count }) => count <= this.delivered[member]!)
  }

  /** Something is here that only the sequencer keeps from being delivered: by ordering nothing, or what cannot be. */
  get waitsForOrder(): boolean {
    const next = this.#nextEntry
    if (next) return next.place <= this.#acknowledgedByOthers || this.#heldFrame(next)?.service !== "safe"
    return this.received.some((count, sender) => {
      const frame = this.delivered[sender]! < count ? this.frame(sender, this.delivered[sender]! + 1) : undefined
      return frame !== undefined && this.#pastDelivered(frame)
    })
  }

  /** The part of `bound` of which everything is held together with its causal past; the same at all who hold `bound`. */
  causalClosure(bound: readonly number[]): number[] {
    const closed = [...this.delivered]
    this.#close(
      closed,
      bound.map((count, sender) => Math.min(count, this.received[sender]!)),
    )
    return closed
  }

  /** Grows a closed part as far as `bound` goes and pasts are complete. */
  #close(closed: number[], bound: readonly number[]): void {
    for (let grown = true; grown;) {
      grown = false
      for (let sender = 0; sender < closed.length; sender++) {
        while (closed[sender]! < bound[sender]! && this.#pastWithin(sender, closed[sender]! + 1, closed)) {
          closed[sender]!++
          grown = true
        }
      }
    }
  }

  #pastWithin(sender: number, sequence: number, part: readonly number[]): boolean {
    const frame = this.frame(sender, sequence)
    return frame !== undefined && frame.message.dependencies.every(({ member, count }) => count <= part[member]!)
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
      if (frame && this.#pastDelivered(frame)) {
        this.delivered[sender] = sequence
        return { frame, globalSequence: 0 }
      }
    }
    return null
  }
}
