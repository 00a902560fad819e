/**
 * Group communication of one member in one conference: views, and messages in order within them. Everything enters
 * by `step` and leaves as its outputs; time is what the last tick said.
 */
import type { MemberId } from "../ids.ts"
import { Neighbours } from "../liveness/neighbours.ts"
import { viewCandidates } from "../membership/candidates.ts"
import { Coordinator } from "../membership/coordinator.ts"
import { isSequencer, Participant } from "../membership/participant.ts"
import { MessageLog, type GroupFrame } from "../ordering/message-log.ts"
import type { Frame } from "../wire/frame.ts"
import {
  compareProposals,
  ORDER_ENTRIES_MAX,
  type Fetch,
  type Heartbeat,
  type MemberInstance,
  type Order,
} from "../wire/messages.ts"
import { HeldFrames } from "./held-frames.ts"
import { Stability } from "./stability.ts"
import type { GroupConfig, GroupInput, GroupOutput } from "./types.ts"
import { indexOfMember, sameInstances, sequencerIndex, voidViewId, type View } from "./view.ts"

/** Received bytes after which an acknowledgement goes out without waiting for the heartbeat. */
const ACKNOWLEDGE_BYTES = 256 * 1024

export class GroupCore {
  readonly #config: GroupConfig
  readonly #neighbours: Neighbours
  readonly #participant: Participant
  readonly #coordinator: Coordinator
  readonly #held = new HeldFrames()
  #outputs: GroupOutput[] = []
  #nowMs = 0
  #startedMs: number | null = null
  #view: View
  #log: MessageLog
  #stability: Stability
  #epochSeen: number
  #heartbeatDueMs = 0
  #wish: { readonly members: readonly MemberInstance[]; readonly sinceMs: number } | null = null
  #differsSinceMs: number | null = null
  #refreshWanted = false
  #bytesSinceHeartbeat = 0
  #left = false

  constructor(config: GroupConfig) {
    this.#config = config
    this.#neighbours = new Neighbours(config)
    this.#epochSeen = config.epochFloor
    this.#view = {
      id: voidViewId(config.self),
      epoch: config.epochFloor,
      proposal: { epoch: config.epochFloor, coordinator: config.self.id },
      members: [config.self],
      transitional: [config.self.id],
      attachments: new Map(),
    }
    this.#log = new MessageLog(1)
    this.#stability = new Stability(1, 0)
    const context = {
      config,
      neighbours: this.#neighbours,
      emit: (output: GroupOutput) => void this.#outputs.push(output),
      view: () => this.#view,
    }
    this.#coordinator = new Coordinator(context)
    this.#participant = new Participant({
      ...context,
      log: () => this.#log,
      seenEpoch: (epoch) => (this.#epochSeen = Math.max(this.#epochSeen, epoch)),
      install: (view) => this.#install(view),
    })
  }

  get view(): View {
    return this.#view
  }

  /** False before the first view and from a flush request to the next view. */
  get maySend(): boolean {
    return this.#view.epoch > this.#config.epochFloor && !this.#participant.flushRequested
  }

  /** False while too many own bytes are not known to be held by everybody. */
  get windowOpen(): boolean {
    return this.#stability.windowOpen
  }

  /** Header of the next own frame. Sign it and hand it in as `multicast` before asking again. */
  nextMulticast(): { view: View["id"]; sequence: number; dependencies: number[] } {
    const own = this.#ownIndex()
    return { view: this.#view.id, sequence: this.#log.received[own]! + 1, dependencies: [...this.#log.delivered] }
  }

  step(input: GroupInput): readonly GroupOutput[] {
    this.#outputs = []
    if (!this.#left) this.#handle(input)
    return this.#outputs
  }

  #handle(input: GroupInput): void {
    switch (input.type) {
      case "tick":
        return this.#tick(input.nowMs)
      case "linkUp":
        this.#neighbours.linkUp(input.peer, input.incarnation, this.#nowMs)
        return this.#sendHeartbeat()
      case "linkDown":
        this.#neighbours.linkDown(input.peer)
        return this.#consider()
      case "heartbeat":
        return this.#onHeartbeat(input.from, input.heartbeat)
      case "frame":
        this.#neighbours.heard(input.from, this.#nowMs)
        return this.#onFrame(input.from, input.frame, input.syncs)
      case "multicast":
        return this.#multicast(input.frame)
      case "flushed":
        return this.#participant.onFlushed(input.proposal, input.attachment, input.nonce)
      case "refresh":
        this.#refreshWanted = true
        return this.#consider()
      case "leave":
        return this.#leave()
    }
  }

  #leave(): void {
    const message = { incarnation: this.#config.self.incarnation }
    this.#emitSign(this.#neighbours.linked(), { kind: "leave", message })
    this.#left = true
  }

  // Time

  #tick(nowMs: number): void {
    this.#nowMs = nowMs
    this.#startedMs ??= nowMs
    const before = this.#neighbours.up().length
    this.#neighbours.tick(nowMs)
    if (this.#neighbours.up().length !== before) this.#sendHeartbeat()
    this.#participant.onTick(nowMs)
    this.#consider()
    if (nowMs >= this.#heartbeatDueMs) this.#sendHeartbeat()
  }

  #sendHeartbeat(): void {
    const to = this.#neighbours.linked()
    this.#heartbeatDueMs = this.#nowMs + this.#config.heartbeatMs
    this.#bytesSinceHeartbeat = 0
    if (to.length === 0) return
    const heartbeat: Heartbeat = {
      incarnation: this.#config.self.incarnation,
      view: this.#view.id,
      epoch: this.#view.epoch,
      promised: this.#participant.promised,
      viewMembers: this.#view.members,
      up: this.#neighbours.up(),
      received: [...this.#log.received],
      orderLength: this.#log.orderLength,
    }
    this.#outputs.push({ type: "heartbeat", to, heartbeat })
  }

  #onHeartbeat(from: MemberId, heartbeat: Heartbeat): void {
    this.#neighbours.heard(from, this.#nowMs)
    this.#neighbours.heartbeat(from, heartbeat)
    this.#epochSeen = Math.max(this.#epochSeen, Math.min(heartbeat.promised.epoch, this.#epochSeen + 1_000_000))
    const index = indexOfMember(this.#view.members, from)
    const sameView = heartbeat.view === this.#view.id && heartbeat.received.length === this.#view.members.length
    if (sameView && index >= 0 && !this.#participant.frozen) this.#acknowledged(from, index, heartbeat)
    this.#consider()
  }

  #acknowledged(from: MemberId, index: number, heartbeat: Heartbeat): void {
    const missing = this.#stability.acknowledge(index, heartbeat.received, heartbeat.orderLength, this.#log.orderLength)
    this.#stability.dropStable(this.#log)
    for (const sequence of missing.frames) {
      const frame = this.#log.frame(this.#ownIndex(), sequence)
      if (frame) this.#outputs.push({ type: "send", to: [from], bytes: frame.bytes })
    }
    if (missing.order && isSequencer(this.#view, this.#config.self.id)) {
      this.#sendOrder([from], heartbeat.orderLength)
    }
  }

  // Who should be in the view

  /** Proposes when this member is the lowest of those who could form a better view than the present one. */
  #consider(): void {
    const candidates = viewCandidates(this.#config.self, this.#view.members, this.#neighbours)
    this.#coordinator.onTick(this.#nowMs, this.#participant.promised, candidates)
    if (!this.#wanted(candidates) || candidates[0]!.id !== this.#config.self.id) {
      this.#wish = null
      return
    }
    if (!this.#wish || !sameInstances(this.#wish.members, candidates)) {
      this.#wish = { members: candidates, sinceMs: this.#nowMs }
    }
    const patience = this.#onlyLosses(candidates) ? 0 : this.#config.joinBatchMs
    if (this.#nowMs - this.#wish.sinceMs < patience || !this.#coordinator.mayPropose(this.#nowMs)) return
    this.#wish = null
    this.#differsSinceMs = null
    this.#refreshWanted = false
    this.#epochSeen++
    this.#coordinator.propose(this.#epochSeen, candidates, this.#nowMs)
  }

  #wanted(candidates: readonly MemberInstance[]): boolean {
    if (this.#startedMs === null) return false
    const first = this.#view.epoch === this.#config.epochFloor
    if (first && candidates.length === 1) return this.#nowMs - this.#startedMs >= this.#config.aloneAfterMs
    if (first || this.#refreshWanted || !sameInstances(candidates, this.#view.members)) return true
    return this.#someoneElsewhere(candidates)
  }

  #onlyLosses(candidates: readonly MemberInstance[]): boolean {
    return candidates.every(({ id, incarnation }) =>
      this.#view.members.some((member) => member.id === id && member.incarnation === incarnation),
    )
  }

  /** A member of this view that shows another one, or a higher promise, for longer than an INSTALL takes. */
  #someoneElsewhere(candidates: readonly MemberInstance[]): boolean {
    const elsewhere = candidates.some(({ id }) => {
      const heartbeat = this.#neighbours.heartbeatOf(id)
      if (!heartbeat) return false
      return heartbeat.view !== this.#view.id || compareProposals(heartbeat.promised, this.#view.proposal) > 0
    })
    const stuck = elsewhere || this.#participant.changing
    if (!stuck) this.#differsSinceMs = null
    else this.#differsSinceMs ??= this.#nowMs
    const patienceMs = Math.max(150, 3 * this.#config.heartbeatMs)
    return this.#differsSinceMs !== null && this.#nowMs - this.#differsSinceMs > patienceMs
  }

  #install(view: View): void {
    this.#view = view
    this.#log = new MessageLog(view.members.length)
    this.#stability = new Stability(view.members.length, this.#ownIndex())
    this.#differsSinceMs = null
    this.#epochSeen = Math.max(this.#epochSeen, view.epoch)
    this.#coordinator.onInstalled()
    this.#outputs.push({ type: "view", view })
    this.#sendHeartbeat()
    for (const { from, frame } of this.#held.take(view.id)) this.#onFrame(from, frame, [])
  }

  // Frames

  #onFrame(from: MemberId, frame: Frame, syncs: readonly Frame[]): void {
    switch (frame.kind) {
      case "data":
      case "agreement":
        return this.#inView(from, frame, () => this.#onGroupFrame(frame as GroupFrame))
      case "order":
        return this.#inView(from, frame, () => this.#onOrder(frame.origin, frame.message))
      case "propose":
        if (frame.origin !== frame.message.proposal.coordinator) return
        return this.#participant.onPropose(frame.message, this.#nowMs)
      case "nack":
        this.#epochSeen = Math.max(this.#epochSeen, Math.min(frame.message.promised.epoch, this.#epochSeen + 1_000_000))
        return this.#coordinator.onNack(frame.message, this.#nowMs)
      case "sync":
        return this.#coordinator.onSync(frame as never)
      case "cut":
      case "install":
        if (frame.origin !== frame.message.proposal.coordinator) return
        return this.#participant.onSyncSet(frame.origin, frame.message.proposal, syncs, frame.kind === "install")
      case "fetch":
        return this.#onFetch(frame.origin, frame.view, frame.message)
      case "ackCut":
        return this.#coordinator.onAckCut(frame.origin, frame.message.proposal)
      case "leave":
        this.#neighbours.left(frame.origin, frame.message.incarnation)
        return this.#consider()
    }
  }

  #inView(from: MemberId, frame: Frame, handle: () => void): void {
    if (frame.view === this.#view.id) handle()
    else this.#held.hold(from, frame)
  }

  #onGroupFrame(frame: GroupFrame): void {
    const sender = indexOfMember(this.#view.members, frame.origin)
    if (sender < 0 || sender === this.#ownIndex()) return
    const pastMembers = frame.service === "agreed" ? this.#view.members.length : 0
    if (frame.message.dependencies.length !== pastMembers || (frame.service !== "agreed" && frame.service !== "fifo")) {
      return void this.#outputs.push({ type: "fault", member: frame.origin, reason: "malformed-dependencies" })
    }
    if (this.#participant.frozen && !this.#participant.wants(sender, frame.sequence)) return
    if (!this.#log.add(sender, frame)) return
    if (this.#participant.frozen) return this.#participant.onFrameAdded()
    this.#bytesSinceHeartbeat += frame.bytes.length
    this.#advance()
    if (this.#bytesSinceHeartbeat > ACKNOWLEDGE_BYTES) this.#sendHeartbeat()
  }

  #multicast(frame: GroupFrame): void {
    const own = this.#ownIndex()
    if (frame.view !== this.#view.id || frame.sequence !== this.#log.received[own]! + 1 || this.#participant.frozen) {
      throw new Error("an own frame must be the next of the present view and come before its flush is answered")
    }
    this.#log.add(own, frame)
    this.#stability.sent(frame.sequence, frame.bytes.length)
    const to = this.#view.members.map((member) => member.id).filter((id) => id !== this.#config.self.id)
    if (to.length > 0) this.#outputs.push({ type: "send", to, bytes: frame.bytes })
    this.#advance()
  }

  /** Orders what can be ordered (sequencer) and delivers what can be delivered. */
  #advance(): void {
    if (isSequencer(this.#view, this.#config.self.id)) {
      const { first, entries } = this.#log.orderNew()
      const others = this.#view.members.map((member) => member.id).filter((id) => id !== this.#config.self.id)
      if (entries.length > 0 && others.length > 0) this.#sendOrder(others, first)
    }
    for (const delivery of this.#log.deliver()) this.#outputs.push({ type: "deliver", delivery })
    const { conflict } = this.#log
    if (conflict) {
      const member = this.#view.members[sequencerIndex(this.#view)]!.id
      this.#outputs.push({ type: "fault", member, reason: "order-conflict" })
    }
    if (this.#view.members.length === 1) this.#stability.dropAll(this.#log)
  }

  #sendOrder(to: readonly MemberId[], from: number): void {
    const first = Math.max(from, this.#log.orderFirst)
    const entries = this.#log.orderFrom(first).slice(0, ORDER_ENTRIES_MAX)
    this.#emitSign(to, { kind: "order", message: { first, entries } })
  }

  #onOrder(origin: MemberId, order: Order): void {
    if (origin !== this.#view.members[sequencerIndex(this.#view)]?.id || origin === this.#config.self.id) return
    if (this.#participant.frozen) return
    if (this.#log.addOrder(order.first, order.entries) === "bad") {
      return void this.#outputs.push({ type: "fault", member: origin, reason: "bad-order" })
    }
    this.#advance()
  }

  #onFetch(from: MemberId, view: View["id"], fetch: Fetch): void {
    if (view !== this.#view.id || indexOfMember(this.#view.members, from) < 0) return
    for (let sequence = fetch.from + 1; sequence <= fetch.to; sequence++) {
      const frame = this.#log.frame(fetch.sender, sequence)
      if (!frame) return
      this.#outputs.push({ type: "send", to: [from], bytes: frame.bytes })
    }
  }

  #ownIndex(): number {
    return indexOfMember(this.#view.members, this.#config.self.id)
  }

  #emitSign(to: readonly MemberId[], payload: Extract<GroupOutput, { type: "sign" }>["payload"]): void {
    if (to.length > 0) this.#outputs.push({ type: "sign", to, view: this.#view.id, payload })
  }
}
