/**
 * Group communication of one member in one conference: views, and ordered messages within them. All inputs enter
 * through `step`, which returns the outputs. The clock is that of the last tick.
 */
import type { MemberId } from "../members/ids.ts"
import { Neighbours } from "../liveness/neighbours.ts"
import { BLAME_MAX } from "../liveness/blame.ts"
import { Coordinator } from "../membership/coordinator.ts"
import { Initiator } from "../membership/initiator.ts"
import { Participant, type ParticipantOutput } from "../membership/participant.ts"
import { EPOCH_JUMP_MAX } from "../membership/proposal-verdict.ts"
import type { GroupFrame } from "../ordering/frame-store.ts"
import { bulkWindowBytes, UNSTABLE_FRAMES_MAX, windowBytes } from "../ordering/window.ts"
import type { Frame, Service } from "../wire/frame.ts"
import { NO_VIEW } from "../wire/codec.ts"
import type { Dependency, Heartbeat } from "../wire/messages.ts"
import { RosterChannel } from "../roster/roster-channel.ts"
import { Acknowledgements } from "./acknowledgements.ts"
import { FrameEvidence } from "./frame-evidence.ts"
import { Heartbeats } from "./heartbeats.ts"
import { HeldFrames } from "./held-frames.ts"
import { Repair } from "./repair.ts"
import { CoreContext } from "../membership/core-context.ts"
import type { GroupConfig, GroupInput, GroupOutput } from "../view/group-types.ts"
import { Traffic } from "./traffic.ts"
import { indexOfMember, type View } from "../view/view.ts"

export class GroupCore {
  readonly #config: GroupConfig
  readonly #neighbours: Neighbours
  readonly #context: CoreContext
  readonly #participant: Participant
  readonly #coordinator: Coordinator
  readonly #held = new HeldFrames()
  #nowMs = 0
  readonly #initiator: Initiator
  readonly #traffic: Traffic
  readonly #repair: Repair
  readonly #roster: RosterChannel | null
  readonly #acknowledgements: Acknowledgements
  readonly #frameEvidence: FrameEvidence
  readonly #heartbeats: Heartbeats
  #left = false
  /** Whether an input other than a tick has come since the last check of what heartbeats state. */
  #stirred = true

  constructor(config: GroupConfig) {
    this.#config = config
    this.#neighbours = new Neighbours(config.self.id, config)
    const context = new CoreContext(config, this.#neighbours)
    this.#context = context
    const { self, roster, resendMs } = config
    this.#roster = roster ? new RosterChannel({ self, roster, resendMs }) : null
    this.#coordinator = new Coordinator(context)
    this.#participant = new Participant(context)
    const participant = this.#participant
    this.#initiator = new Initiator(context, this.#coordinator, participant)
    this.#frameEvidence = new FrameEvidence(context)
    this.#traffic = new Traffic(context, participant, this.#frameEvidence)
    this.#acknowledgements = new Acknowledgements(context, participant, this.#traffic, this.#frameEvidence)
    this.#heartbeats = new Heartbeats(context, participant, this.#acknowledgements)
    this.#repair = new Repair(context, this.#traffic, this.#acknowledgements)
  }

  get view(): View {
    return this.#context.view
  }

  /** Other members that linked neighbours hold up. */
  get heldUp(): ReadonlySet<MemberId> {
    return this.#neighbours.heldUp
  }

  /** Member that should propose the next view, as far as this one knows: the lowest of those that could be in it. */
  get proposer(): MemberId {
    return this.#initiator.proposer
  }

  /** False before the first view, and from a flush request to the next view. */
  get maySend(): boolean {
    return this.view.epoch > this.#config.epochFloor && this.#participant.phase === "sending"
  }

  /** False while too many own bytes are unstable or not delivered here. */
  get windowOpen(): boolean {
    const { frames, bytes } = this.#context.log.frames.held(this.#context.ownIndex)
    return frames < UNSTABLE_FRAMES_MAX && bytes < windowBytes(this.view.members.length)
  }

  /** Own bytes that are unstable or not delivered here. */
  get unstableBytes(): number {
    return this.#context.log.frames.held(this.#context.ownIndex).bytes
  }

  /**
   * Time of the tick that this member needs next, if nothing else comes first; -Infinity for every tick. An earlier one
   * has no effect. After another input this holds from the next tick on. A tick that was omitted has to come before that
   * input, because the clock is that of the last tick.
   */
  get nextTickMs(): number {
    if (!this.#isIdle) return -Infinity
    const isStirred = this.#stirred || this.#waitsForSequencer
    const heartbeatMs = this.#heartbeats.nextTickMs(isStirred)
    const isAlone = this.#neighbours.linked().length === 0 && !isStirred
    return Math.min(this.#neighbours.nextTickMs, this.#coordinator.nextTickMs, isAlone ? Infinity : heartbeatMs)
  }

  get #isIdle(): boolean {
    return this.#participant.isIdle && this.#initiator.isIdle && !this.#roster?.isWaiting
  }

  /** Its patience has to be measured, also while all members state the same. */
  get #waitsForSequencer(): boolean {
    const { log } = this.#context
    return log.waitsForOrder || log.conflict !== null
  }

  /** As `windowOpen`, for bulk messages. They leave most of the window to others. */
  get bulkWindowOpen(): boolean {
    return this.windowOpen && this.unstableBytes < bulkWindowBytes(this.view.members.length)
  }

  /** Header of the next own frame of a service. Sign it and pass it to `multicast` before the next call. */
  nextMulticast(service: Service): { view: View["id"]; sequence: number; dependencies: Dependency[] } {
    return this.#traffic.next(service)
  }

  step(input: GroupInput): readonly GroupOutput[] {
    if (!this.#left) this.#handle(input)
    return this.rest()
  }

  /** The outputs of a step that threw. None may be lost, above all no message that counts as delivered. */
  rest(): readonly GroupOutput[] {
    return this.#context.takeOutputs()
  }

  #handle(input: GroupInput): void {
    if (input.type === "alive") return this.#onAlive(input.from)
    if (input.type === "heartbeat" && this.#isRepeated(input)) return this.#heard(input.from)
    this.#stirred ||= input.type !== "tick"
    switch (input.type) {
      case "tick":
        return this.#tick(input.nowMs)
      case "linkUp":
        this.#neighbours.linkUp(input.peer, input.incarnation, this.#nowMs, input.distant)
        this.#coordinator.linkUp(input.peer)
        this.#participant.onTick(this.#nowMs)
        this.#emitAll(this.#roster?.linkUp(input.peer))
        // Over the overlay every member's state is sent to all, and to newcomers first.
        if (input.distant) return this.#heartbeats.repeat(input.peer, this.#nowMs)
        return this.#heartbeats.send(this.#nowMs)
      case "linkDown": {
        // If a part of a large conference is cut off, its members go down one after another. The next tick handles them
        // together.
        const atOnce = !this.#neighbours.isDistant(input.peer)
        this.#neighbours.linkDown(input.peer)
        this.#roster?.linkDown(input.peer)
        this.#held.forget(input.peer)
        this.#heartbeats.forget(input.peer)
        if (atOnce) this.#heartbeats.hurry()
        return atOnce ? this.#consider() : undefined
      }
      case "heartbeat":
        return this.#onHeartbeat(input.from, input.heartbeat)
      case "acknowledgement":
        this.#heard(input.from)
        return this.#acknowledgements.receive(input.from, input.acknowledgement, this.#nowMs)
      case "frame":
        this.#heard(input.from)
        return this.#onFrame(input.from, input.frame, input.syncs)
      case "multicast":
        this.#traffic.multicast(input.frame)
        return this.#acknowledgements.sendSafe()
      case "hold":
        return this.#traffic.hold(input.of, input.held)
      case "flushed":
        return this.#participant.onFlushed(input.proposal, input.attachment, input.nonce)
      case "refresh":
        this.#initiator.refresh()
        return this.#consider()
      case "propose":
        return this.#initiator.proposeAmong(input.members, this.#nowMs)
      case "obstructed":
        this.#context.blame(input.by, BLAME_MAX)
        return this.#consider()
      case "unusable":
        return this.#participant.onUnusable(input.by)
      case "roster":
        return this.#sendToRoster(input.to, input.body)
      case "leave":
        return this.#leave()
    }
  }

  /** @throws Error without a roster, RangeError as `RosterChannel.send` */
  #sendToRoster(to: MemberId, body: Uint8Array): void {
    if (!this.#roster) throw new Error("this conference has no roster")
    this.#emitAll(this.#roster.send(to, body))
  }

  #leave(): void {
    const message = { incarnation: this.#config.self.incarnation }
    this.#context.sign(this.#neighbours.linked(), { kind: "leave", message })
    this.#left = true
  }

  // Time

  #tick(nowMs: number): void {
    this.#nowMs = nowMs
    this.#initiator.start(nowMs)
    const before = this.#neighbours.up().length
    this.#neighbours.tick(nowMs)
    if (this.#neighbours.up().length !== before) this.#heartbeats.send(this.#nowMs)
    this.#emitAll(this.#roster?.tick(nowMs))
    this.#participant.onTick(nowMs)
    this.#acknowledgements.tick()
    this.#consider()
    this.#stirred ||= !this.#isIdle || this.#waitsForSequencer
    if (!this.#heartbeats.tick(nowMs, this.#stirred)) return
    this.#stirred = false
    if (!this.#participant.frozen) this.#repair.onHeartbeatDue(nowMs)
  }

  #onAlive(from: MemberId): void {
    this.#neighbours.answers(from)
    this.#heard(from)
  }

  /** While all are calm, a repeated heartbeat says nothing new. It is decoded once, so it is the same object. */
  #isRepeated({ from, heartbeat }: GroupInput & { readonly type: "heartbeat" }): boolean {
    return this.#heartbeats.isCalm && !this.#stirred && heartbeat === this.#neighbours.heartbeatOf(from)
  }

  /** The others can form a view with a member again only after they know that this one reaches it. */
  #heard(from: MemberId): void {
    if (this.#neighbours.heard(from, this.#nowMs)) this.#heartbeats.send(this.#nowMs)
  }

  #onHeartbeat(from: MemberId, heartbeat: Heartbeat): void {
    this.#heard(from)
    this.#neighbours.heartbeat(from, heartbeat, this.#nowMs)
    this.#participant.evidence.onHeartbeat(from, heartbeat)
    this.#heardEpoch(heartbeat.promised.epoch)
    const index = this.#acknowledgements.indexOf(from, heartbeat)
    if (index !== null) this.#repair.onHeartbeat(from, index, heartbeat)
    this.#acknowledgements.receive(from, heartbeat, this.#nowMs)
    if (!this.#neighbours.isDistant(from)) this.#consider()
  }

  #heardEpoch(epoch: number): void {
    this.#context.seenEpoch(Math.min(epoch, this.#context.epochSeen + EPOCH_JUMP_MAX))
  }

  #consider(): void {
    this.#initiator.consider(this.#nowMs)
  }

  #act(outputs: Iterable<ParticipantOutput>): void {
    for (const output of outputs) {
      if (output.type === "install") this.#install(output.view)
      else this.#acknowledgements.differs(output.from, output.received)
    }
  }

  #install(view: View): void {
    this.#frameEvidence.onInstalled(this.view.id)
    this.#context.install(view)
    this.#acknowledgements.onInstalled()
    this.#coordinator.onInstalled()
    this.#initiator.onInstalled()
    this.#repair.onInstalled()
    this.#roster?.onView()
    this.#traffic.onInstalled()
    this.#context.emit({ type: "view", view })
    this.#heartbeats.send(this.#nowMs)
    this.#recall(view)
    for (const { from, frame } of this.#held.take(view.id)) this.#onFrame(from, frame, [])
  }

  /** Members that installed the view earlier may have stated what they hold in it, and state it only once. */
  #recall({ members }: View): void {
    for (const { id } of members) {
      const heartbeat = this.#neighbours.heartbeatOf(id)
      if (heartbeat) this.#acknowledgements.receive(id, heartbeat, this.#nowMs)
    }
  }

  // Frames

  #onFrame(from: MemberId, frame: Frame, syncs: readonly Frame[]): void {
    switch (frame.kind) {
      case "data":
      case "agreement":
        if (frame.view === this.#frameEvidence.former) return this.#frameEvidence.judge(from, frame as GroupFrame)
        return this.#inView(from, frame, () => this.#onGroupFrame(from, frame as GroupFrame))
      case "order":
        return this.#inView(from, frame, () => {
          this.#traffic.onOrder(frame)
          this.#acknowledgements.sendSafe()
        })
      case "propose":
        if (frame.origin !== frame.message.proposal.coordinator) return
        return this.#participant.onPropose(frame.message, this.#nowMs)
      case "nack":
        this.#heardEpoch(frame.message.promised.epoch)
        return this.#coordinator.onNack(frame.origin, frame.message, this.#nowMs)
      case "sync":
        return this.#coordinator.onSync(frame as never, this.#nowMs)
      case "cut":
      case "install":
        if (frame.origin !== frame.message.proposal.coordinator) return
        return this.#act(this.#participant.onSyncSet(frame, syncs))
      case "fetch":
        if (frame.view !== this.view.id || indexOfMember(this.view.members, frame.origin) < 0) return
        return this.#repair.onFetch(frame.origin, frame.message)
      case "ackCut":
        return this.#coordinator.onAckCut(frame.origin, frame.message.proposal, this.#nowMs)
      case "leave":
        if (this.#neighbours.left(frame.origin, frame.message.incarnation)) {
          this.#context.emit({ type: "farewell", member: frame.origin })
        }
        return this.#consider()
      case "roster":
        return frame.view === NO_VIEW ? this.#emitAll(this.#roster?.onMessage(frame.origin, frame.message)) : undefined
    }
  }

  #inView(from: MemberId, frame: Frame, handle: () => void): void {
    if (frame.view === this.view.id) return handle()
    // Only of members that can be in the next view: over the overlay a frame may come from any holder of a certificate.
    const isNeighbour = this.#neighbours.incarnationOf(from) !== undefined
    if (isNeighbour && frame.service !== "unreliable") this.#held.hold(from, frame)
  }

  #onGroupFrame(from: MemberId, frame: GroupFrame): void {
    const use = this.#traffic.onFrame(from, frame)
    if (use === "received") this.#acknowledgements.onReceived(frame.bytes.length)
    else if (use === "cut") this.#act(this.#participant.onFrameAdded())
  }

  #emitAll(outputs: readonly GroupOutput[] = []): void {
    for (const output of outputs) this.#context.emit(output)
  }
}
