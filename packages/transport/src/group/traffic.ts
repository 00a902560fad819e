/** The frames of the present view: taken, ordered if this member is the sequencer, delivered. */
import type { MemberId } from "../ids.ts"
import { isSequencer, type Participant } from "../membership/participant.ts"
import type { GroupFrame } from "../ordering/message-log.ts"
import { ORDER_ENTRIES_MAX, type Order, type OrderEntry } from "../wire/messages.ts"
import type { CoreContext } from "./types.ts"
import { indexOfMember, sequencerIndex } from "./view.ts"

export class Traffic {
  readonly #context: CoreContext
  readonly #participant: Participant
  /** Contradictions are told once. */
  #conflictTold: OrderEntry | null = null
  #skipTold: OrderEntry | null = null

  constructor(context: CoreContext, participant: Participant) {
    this.#context = context
    this.#participant = participant
  }

  /** True for a frame that was not known, outside a view change: it will have to be acknowledged. */
  onFrame(frame: GroupFrame): boolean {
    const { view, log, emit, config } = this.#context
    const { members } = view()
    const sender = indexOfMember(members, frame.origin)
    if (sender < 0 || frame.origin === config.self.id) return false
    const pastMembers = frame.service === "agreed" ? members.length : 0
    if (frame.message.dependencies.length !== pastMembers || (frame.service !== "agreed" && frame.service !== "fifo")) {
      emit({ type: "fault", member: frame.origin, reason: "malformed-dependencies" })
      return false
    }
    const { frozen } = this.#participant
    if (frozen && !this.#participant.wants(sender, frame.sequence)) return false
    const { conflict } = log()
    if (!log().add(sender, frame, frozen)) return false
    if (conflict && !log().conflict) emit({ type: "fault", member: frame.origin, reason: "conflicting-frames" })
    if (frozen) this.#participant.onFrameAdded()
    else this.advance()
    return !frozen
  }

  /** @throws Error unless it is the next own frame of the present view, before its flush is answered. */
  multicast(frame: GroupFrame): void {
    const { view, log, emit } = this.#context
    const own = indexOfMember(view().members, this.#context.config.self.id)
    const isNext = frame.view === view().id && frame.sequence === log().received[own]! + 1
    if (!isNext || this.#participant.frozen || !log().add(own, frame)) {
      throw new Error("an own frame must be the next of the present view and come before its flush is answered")
    }
    const to = this.#others()
    if (to.length > 0) emit({ type: "send", to, bytes: frame.bytes })
    this.advance()
  }

  onOrder(origin: MemberId, order: Order): void {
    const { view, log, emit, config } = this.#context
    if (origin !== view().members[sequencerIndex(view())]!.id || origin === config.self.id) return
    if (this.#participant.frozen) return
    if (log().addOrder(order.first, order.entries) === "bad") {
      emit({ type: "fault", member: origin, reason: "bad-order" })
    }
    this.advance()
  }

  /** Orders what can be ordered (sequencer) and delivers what can be delivered. */
  advance(): void {
    const { view, log, emit, config } = this.#context
    if (isSequencer(view(), config.self.id)) {
      const { first, entries } = log().orderNew()
      if (entries.length > 0) this.sendOrder(this.#others(), first)
    }
    for (const delivery of log().deliver()) emit({ type: "deliver", delivery })
    this.#tellContradictions()
    if (view().members.length === 1) log().dropStable(log().received, log().orderLength)
  }

  /** The ORDER from an entry on, as much as one frame takes. */
  sendOrder(to: readonly MemberId[], from: number): void {
    if (to.length === 0) return
    const { view, log, emit } = this.#context
    const first = Math.max(from, log().orderFirst)
    const entries = log().orderFrom(first).slice(0, ORDER_ENTRIES_MAX)
    emit({ type: "sign", to, view: view().id, payload: { kind: "order", message: { first, entries } } })
  }

  #others(): MemberId[] {
    const { view, config } = this.#context
    return view()
      .members.map((member) => member.id)
      .filter((id) => id !== config.self.id)
  }

  #tellContradictions(): void {
    const { view, log, emit } = this.#context
    const { conflict, skipped } = log()
    const told = (conflict === null || conflict === this.#conflictTold) && skipped === this.#skipTold
    this.#conflictTold = conflict
    this.#skipTold = skipped
    if (told) return
    emit({ type: "fault", member: view().members[sequencerIndex(view())]!.id, reason: "order-conflict" })
  }
}
