/** Frames of the present view: receives them, orders them if this member is the sequencer, and delivers them. */
import type { MemberId } from "../members/ids.ts"
import { BLAME_MAX } from "../liveness/blame.ts"
import type { Participant } from "../membership/participant.ts"
import type { GroupFrame } from "../ordering/frame-store.ts"
import { hasDependencies, type Frame, type Service } from "../wire/frame.ts"
import { ORDER_ENTRIES_MAX, type Dependency, type OrderEntry } from "../wire/messages.ts"
import type { FrameEvidence } from "./frame-evidence.ts"
import { OrderEvidence } from "./order-evidence.ts"
import type { CoreContext } from "../membership/core-context.ts"
import { indexOfMember, type View } from "../view/view.ts"

export class Traffic {
  readonly #context: CoreContext
  readonly #participant: Participant
  /** Set so that a contradiction is reported once. */
  #reportedConflict: OrderEntry | null = null
  #reportedSkip: OrderEntry | null = null
  readonly #frameEvidence: FrameEvidence
  #evidence = new OrderEvidence()
  #convicted = false
  /** Per sender: the number of the newest unreliable frame of the view. */
  #unreliable: number[] = []

  /** Senders whose delivery is paused. */
  readonly #held = new Set<MemberId>()

  constructor(context: CoreContext, participant: Participant, frameEvidence: FrameEvidence) {
    this.#context = context
    this.#participant = participant
    this.#frameEvidence = frameEvidence
  }

  /** `received`: a new frame, which will have to be acknowledged. `cut`: one that a view change waits for. */
  onFrame(from: MemberId, frame: GroupFrame): "received" | "cut" | null {
    const { view, log, config } = this.#context
    const sender = indexOfMember(view.members, frame.origin)
    if (sender < 0 || frame.origin === config.self.id) return null
    if (!this.#isWellFormed(frame, sender)) {
      this.#context.emit({ type: "fault", member: frame.origin, reason: "malformed-message" })
      return null
    }
    const { frozen } = this.#participant
    const { conflict } = log
    if (!conflict) this.#frameEvidence.judge(from, frame)
    if (frame.service === "unreliable") {
      if (!frozen) this.#takeUnreliable(frame, sender)
      return null
    }
    if (frozen && !this.#participant.wants(sender, frame.sequence)) {
      this.#participant.keep(sender, frame)
      return null
    }
    const replaced = conflict ? log.frames.frame(conflict.sender, conflict.sequence) : undefined
    if (!log.add(sender, frame, frozen)) return null
    if (replaced && !log.conflict) this.#frameEvidence.convict(frame, replaced)
    if (frozen) return "cut"
    this.advance()
    return "received"
  }

  #isWellFormed({ service, kind, message: { dependencies } }: GroupFrame, sender: number): boolean {
    const count = this.#context.view.members.length
    if (service === "none" || (kind === "agreement" && service === "unreliable")) return false
    if (!hasDependencies(service)) return dependencies.length === 0
    return dependencies.every(({ member }) => member < count && member !== sender)
  }

  /**
   * The newest frame wins: a frame that was overtaken in transit is not delivered. An own frame is delivered also while
   * its lane is held, because its sender waits for it.
   */
  #takeUnreliable(frame: GroupFrame, sender: number): void {
    if (frame.sequence <= (this.#unreliable[sender] ?? 0)) return
    this.#unreliable[sender] = frame.sequence
    if (this.#held.has(frame.origin) && frame.origin !== this.#context.config.self.id) return
    this.#context.emit({ type: "deliver", delivery: { frame, globalSequence: 0 } })
  }

  /** Reported once per view, however often the evidence is shown. */
  #convict(sequencer: MemberId): void {
    if (this.#convicted) return
    this.#convicted = true
    this.#context.emit({ type: "fault", member: sequencer, reason: "conflicting-orders" })
  }

  /**
   * A member holds a different ORDER. It is shown the frames that the sequencer signed, which may convict the sequencer
   * there.
   */
  showOrder(to: MemberId): void {
    for (const bytes of this.#evidence.frames) this.#context.emit({ type: "send", to: [to], bytes, how: "reliable" })
  }

  hold(sender: MemberId, held: boolean): void {
    const { log, view } = this.#context
    if (held) this.#held.add(sender)
    else this.#held.delete(sender)
    const index = indexOfMember(view.members, sender)
    if (index >= 0) log.hold(index, held)
    if (!held && !this.#participant.frozen) this.advance()
  }

  onInstalled(): void {
    this.#evidence = new OrderEvidence()
    this.#convicted = false
    this.#unreliable = []
    this.#reportedConflict = null
    this.#reportedSkip = null
    const { view, log } = this.#context
    for (const [index, { id }] of view.members.entries()) if (this.#held.has(id)) log.hold(index, true)
  }

  /** Header of the next own frame of that service. */
  next(service: Service): { view: View["id"]; sequence: number; dependencies: Dependency[] } {
    const { view, log } = this.#context
    const own = this.#context.ownIndex
    const last = service === "unreliable" ? this.#unreliable[own] : log.frames.received[own]
    const dependencies = hasDependencies(service) ? log.dependencies(own) : []
    return { view: view.id, sequence: (last ?? 0) + 1, dependencies }
  }

  /** @throws Error unless it is the next own frame of the present view, before its flush is answered. */
  multicast(frame: GroupFrame): void {
    const { view, log } = this.#context
    const own = this.#context.ownIndex
    const unreliable = frame.service === "unreliable"
    const isNext = frame.view === view.id && frame.sequence === this.next(frame.service).sequence
    if (!isNext || this.#participant.frozen || (!unreliable && !log.add(own, frame))) {
      throw new Error("an own frame must be the next one of the view, and precede its flush")
    }
    const to = this.#others()
    if (to.length > 0)
      this.#context.emit({ type: "send", to, bytes: frame.bytes, how: unreliable ? "unreliable" : "reliable" })
    if (unreliable) this.#takeUnreliable(frame, own)
    else this.advance()
  }

  onOrder({ origin, message: order, bytes }: Frame & { readonly kind: "order" }): void {
    const { log, config } = this.#context
    if (origin !== this.#context.sequencer || origin === config.self.id) return
    if (this.#participant.frozen) return
    if (order.first < log.order.length && this.#evidence.contradicts(order)) {
      this.#convict(origin)
      return this.#context.blame(origin, BLAME_MAX)
    }
    if (order.first + order.entries.length > log.order.length) this.#evidence.keep({ message: order, bytes })
    if (log.addOrder(order.first, order.entries) === "bad") {
      this.#context.emit({ type: "fault", member: origin, reason: "bad-order" })
    }
    this.advance()
  }

  /** Orders what can be ordered (sequencer) and delivers what can be delivered. */
  advance(): void {
    const { view, log, config } = this.#context
    if (this.#context.sequencer === config.self.id) {
      const { first, entries } = log.orderNew()
      if (entries.length > 0) this.sendOrder(this.#others(), first)
    }
    for (const delivery of log.deliver()) this.#context.emit({ type: "deliver", delivery })
    this.#reportContradictions()
    if (view.members.length === 1) log.dropStable(log.frames.received, log.order.length)
  }

  /** Sends the ORDER from an entry on, as much as one frame holds. */
  sendOrder(to: readonly MemberId[], from: number): void {
    if (to.length === 0) return
    const { log } = this.#context
    const first = Math.max(from, log.order.first)
    const entries = log.order.from(first).slice(0, ORDER_ENTRIES_MAX)
    this.#context.sign(to, { kind: "order", message: { first, entries } })
  }

  #others(): MemberId[] {
    const { view, config } = this.#context
    return view.members.map((member) => member.id).filter((id) => id !== config.self.id)
  }

  #reportContradictions(): void {
    const { log } = this.#context
    const { conflict, skipped } = log
    const isReported = (conflict === null || conflict === this.#reportedConflict) && skipped === this.#reportedSkip
    this.#reportedConflict = conflict
    this.#reportedSkip = skipped
    if (isReported) return
    this.#context.emit({ type: "fault", member: this.#context.sequencer, reason: "order-conflict" })
  }
}
