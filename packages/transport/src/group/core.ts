/**
 * Group communication of one member in one conference: views, and messages in order within them. Everything enters
 * by `step` and leaves as its outputs; time is what the last tick said.
 */
import type { MemberId } from "../ids.ts"
import { Neighbours } from "../liveness/neighbours.ts"
import { BLAME_MAX } from "../liveness/blame.ts"
import { Coordinator } from "../membership/coordinator.ts"
import { Initiator } from "../membership/initiator.ts"
import { EPOCH_JUMP_MAX, Participant } from "../membership/participant.ts"
import type { GroupFrame } from "../ordering/frame-store.ts"
import { MessageLog } from "../ordering/message-log.ts"
import { bulkWindowBytes, UNSTABLE_FRAMES_MAX, windowBytes } from "../ordering/window.ts"
import type { Frame, Service } from "../wire/frame.ts"
import { NO_VIEW } from "../wire/codec.ts"
import type { Dependency, Heartbeat } from "../wire/messages.ts"
import { RosterChannel } from "../roster/roster-channel.ts"
import { Acknowledgements } from "./acknowledgements.ts"
import { FrameEvidence } from "./frame-evidence.ts"
import { HeldFrames } from "./held-frames.ts"
import { Repair } from "./repair.ts"
import type { CoreContext, GroupConfig, GroupInput, GroupOutput } from "./types.ts"
import { Traffic } from "./traffic.ts"
import { indexOfMember, voidViewId, type View } from "./view.ts"

export class GroupCore {
  readonly #config: GroupConfig
  readonly #neighbours: Neighbours
  readonly #participant: Participant
  readonly #coordinator: Coordinator
  readonly #held = new HeldFrames()
  #outputs: GroupOutput[] = []
  #nowMs = 0
  readonly #initiator: Initiator
  readonly #traffic: Traffic
  readonly #repair: Repair
  readonly #roster: RosterChannel | null
  #view: View
  #log: MessageLog
  readonly #acknowledgements: Acknowledgements
  readonly #frameEvidence: FrameEvidence
  #heartbeatDueMs = 0
  #left = false

  constructor(config: GroupConfig) {
    this.#config = config
    this.#neighbours = new Neighbours(config.self.id, config)
    this.#view = {
      id: voidViewId(config.self),
      epoch: config.epochFloor,
      proposal: { epoch: config.epochFloor, coordinator: config.self.id },
      members: [config.self],
      transitional: [config.self.id],
      attachments: new Map(),
    }
    this.#log = new MessageLog(1)
    const context: CoreContext = {
      config,
      neighbours: this.#neighbours,
      emit: (output) => void this.#outputs.push(output),
      view: () => this.#view,
      log: () => this.#log,
      blame: (member, weight) => this.#blame(member, weight),
      departed: (member) => this.#tellLeftOut(member, this.#neighbours.departed(member)),
    }
    const { self, roster, resendMs } = config
    this.#roster = roster ? new RosterChannel({ self, roster, resendMs, emit: context.emit }) : null
    this.#coordinator = new Coordinator(context)
    this.#participant = new Participant({
      ...context,
      seenEpoch: (epoch) => this.#initiator.seenEpoch(epoch),
      epochSeen: () => this.#initiator.epochSeen,
      install: (view) => this.#install(view),
      differs: (from, received) => this.#acknowledgements.differs(from, received),
    })
    this.#initiator = new Initiator(context, this.#coordinator, this.#participant)
    this.#frameEvidence = new FrameEvidence(context)
    this.#traffic = new Traffic(context, this.#participant, this.#frameEvidence)
    this.#acknowledgements = new Acknowledgements({
      ...context,
      isFrozen: () => this.#participant.frozen,
      traffic: () => this.#traffic,
      frameEvidence: this.#frameEvidence,
    })
    this.#repair = new Repair({
      ...context,
      stability: () => this.#acknowledgements.stability,
      isHeld: () => this.#traffic.held,
      sendOrder: (to, first) => this.#traffic.sendOrder([to], first),
    })
  }

  get view(): View {
    return this.#view
  }

  /** False before the first view and from a flush request to the next view. */
  get maySend(): boolean {
    return this.#view.epoch > this.#config.epochFloor && !this.#participant.flushRequested
  }

  /** False while too much of one's own is not known to be held by everybody, or not delivered here. */
  get windowOpen(): boolean {
    const { frames, bytes } = this.#log.held(this.#ownIndex())
    return frames < UNSTABLE_FRAMES_MAX && bytes < windowBytes(this.#view.members.length)
  }

  /** Own bytes that not everybody is known to hold, or that are not delivered here. */
  get unstableBytes(): number {
    return this.#log.held(this.#ownIndex()).bytes
  }

  /** The same for what may wait, so that it leaves most of the window to the rest. */
  get bulkWindowOpen(): boolean {
    return this.windowOpen && this.unstableBytes < bulkWindowBytes(this.#view.members.length)
  }

  /** Header of the next own frame of a service. Sign it and hand it in as `multicast` before asking again. */
  nextMulticast(service: Service): { view: View["id"]; sequence: number; dependencies: Dependency[] } {
    return this.#traffic.next(service)
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
        this.#neighbours.linkUp(input.peer, input.incarnation, this.#nowMs, input.distant)
        this.#roster?.linkUp(input.peer)
        // Over the overlay everybody's state is told to all, and to newcomers first.
        return input.distant ? undefined : this.#sendHeartbeat()
      case "linkDown": {
        // Where a part of many is cut off, all of it is, one after the other: the next tick looks at it as a whole.
        const atOnce = !this.#neighbours.isDistant(input.peer)
        this.#neighbours.linkDown(input.peer)
        this.#roster?.linkDown(input.peer)
        this.#held.forget(input.peer)
        return atOnce ? this.#consider() : undefined
      }
      case "alive":
        return this.#neighbours.heard(input.from, this.#nowMs)
      case "heartbeat":
        return this.#onHeartbeat(input.from, input.heartbeat)
      case "acknowledgement":
        this.#neighbours.heard(input.from, this.#nowMs)
        return this.#acknowledgements.receive(input.from, input.acknowledgement, this.#nowMs)
      case "frame":
        this.#neighbours.heard(input.from, this.#nowMs)
        return this.#onFrame(input.from, input.frame, input.syncs)
      case "multicast":
        this.#traffic.multicast(input.frame)
        return this.#acknowledgements.sendSafe()
      case "hold":
        return this.#traffic.hold(input.held)
      case "flushed":
        return this.#participant.onFlushed(input.proposal, input.attachment, input.nonce)
      case "refresh":
        this.#initiator.refresh()
        return this.#consider()
      case "propose":
        return this.#initiator.proposeAmong(input.members, this.#nowMs)
      case "obstructed":
        this.#blame(input.by, BLAME_MAX)
        return this.#consider()
      case "roster":
        return this.#sendToRoster(input.to, input.body)
      case "leave":
        return this.#leave()
    }
  }

  /** @throws Error without a roster, RangeError as `RosterChannel.send` */
  #sendToRoster(to: MemberId, body: Uint8Array): void {
    if (!this.#roster) throw new Error("this conference has no roster")
    this.#roster.send(to, body)
  }

  #leave(): void {
    const message = { incarnation: this.#config.self.incarnation }
    const to = this.#neighbours.linked()
    if (to.length > 0)
      this.#outputs.push({ type: "sign", to, view: this.#view.id, payload: { kind: "leave", message } })
    this.#left = true
  }

  // Time

  #tick(nowMs: number): void {
    this.#nowMs = nowMs
    this.#initiator.start(nowMs)
    const before = this.#neighbours.up().length
    this.#neighbours.tick(nowMs)
    if (this.#neighbours.up().length !== before) this.#sendHeartbeat()
    this.#roster?.tick(nowMs)
    this.#participant.onTick(nowMs)
    this.#acknowledgements.tick()
    this.#consider()
    if (nowMs < this.#heartbeatDueMs) return
    this.#sendHeartbeat()
    if (!this.#participant.frozen) this.#repair.onHeartbeatDue(nowMs)
  }

  #sendHeartbeat(): void {
    const to = this.#neighbours.linked()
    this.#heartbeatDueMs = this.#nowMs + this.#config.heartbeatMs
    if (to.length === 0) return
    const heartbeat: Heartbeat = {
      incarnation: this.#config.self.incarnation,
      epoch: this.#view.epoch,
      promised: this.#participant.promised,
      viewMembers: this.#view.members,
      up: this.#neighbours.up(),
      ...this.#acknowledgements.take(),
    }
    this.#outputs.push({ type: "heartbeat", to, heartbeat })
  }

  #onHeartbeat(from: MemberId, heartbeat: Heartbeat): void {
    this.#neighbours.heard(from, this.#nowMs)
    this.#neighbours.heartbeat(from, heartbeat)
    this.#participant.evidence.onHeartbeat(from, heartbeat)
    this.#heardEpoch(heartbeat.promised.epoch)
    const index = this.#acknowledgements.indexOf(from, heartbeat)
    if (index !== null) this.#repair.onHeartbeat(from, index, heartbeat)
    this.#acknowledgements.receive(from, heartbeat, this.#nowMs)
    if (!this.#neighbours.isDistant(from)) this.#consider()
  }

  #heardEpoch(epoch: number): void {
    this.#initiator.seenEpoch(Math.min(epoch, this.#initiator.epochSeen + EPOCH_JUMP_MAX))
  }

  #consider(): void {
    this.#initiator.consider(this.#nowMs)
  }

  #blame(member: MemberId, weight: number): void {
    if (member !== this.#config.self.id) this.#tellLeftOut(member, this.#neighbours.blame(member, weight))
  }

  #tellLeftOut(member: MemberId, isOut: boolean): void {
    if (isOut) this.#outputs.push({ type: "fault", member, reason: "obstruction" })
  }

  #install(view: View): void {
    this.#frameEvidence.onInstalled(this.#view.id)
    this.#view = view
    this.#log = new MessageLog(view.members.length)
    this.#acknowledgements.onInstalled()
    this.#coordinator.onInstalled()
    this.#initiator.onInstalled()
    this.#repair.onInstalled()
    this.#roster?.onView()
    this.#traffic.onInstalled()
    this.#outputs.push({ type: "view", view })
    this.#sendHeartbeat()
    for (const { from, frame } of this.#held.take(view.id)) this.#onFrame(from, frame, [])
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
        return this.#participant.onSyncSet(frame, syncs)
      case "fetch":
        if (frame.view !== this.#view.id || indexOfMember(this.#view.members, frame.origin) < 0) return
        return this.#repair.onFetch(frame.origin, frame.message)
      case "ackCut":
        return this.#coordinator.onAckCut(frame.origin, frame.message.proposal, this.#nowMs)
      case "leave":
        if (this.#neighbours.left(frame.origin, frame.message.incarnation)) {
          this.#outputs.push({ type: "farewell", member: frame.origin })
        }
        return this.#consider()
      case "roster":
        if (frame.view === NO_VIEW) this.#roster?.onMessage(frame.origin, frame.message)
        return
    }
  }

  #inView(from: MemberId, frame: Frame, handle: () => void): void {
    if (frame.view === this.#view.id) return handle()
    // Only of those who can be in the next view: over the overlay a frame may come of anybody who has a certificate.
    const isNeighbour = this.#neighbours.incarnationOf(from) !== undefined
    if (isNeighbour && frame.service !== "unreliable") this.#held.hold(from, frame)
  }

  #onGroupFrame(from: MemberId, frame: GroupFrame): void {
    if (this.#traffic.onFrame(from, frame)) this.#acknowledgements.onReceived(frame.bytes.length)
  }

  #ownIndex(): number {
    return indexOfMember(this.#view.members, this.#config.self.id)
  }
}
