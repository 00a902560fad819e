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
import { MessageLog, type GroupFrame } from "../ordering/message-log.ts"
import type { Frame } from "../wire/frame.ts"
import type { Heartbeat } from "../wire/messages.ts"
import { HeldFrames } from "./held-frames.ts"
import { Repair } from "./repair.ts"
import { Stability } from "./stability.ts"
import type { CoreContext, GroupConfig, GroupInput, GroupOutput } from "./types.ts"
import { Traffic } from "./traffic.ts"
import { indexOfMember, voidViewId, type View } from "./view.ts"

/** Received bytes after which an acknowledgement goes out without waiting for the heartbeat. */
const ACKNOWLEDGE_BYTES = 256 * 1024
/** Own bytes, and frames, that not every member is known to hold; beyond this the sender waits. Agreement is exempt. */
export const UNSTABLE_BYTES_MAX = 4 * 1024 * 1024
export const UNSTABLE_FRAMES_MAX = 1024

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
  #view: View
  #log: MessageLog
  #stability: Stability
  #heartbeatDueMs = 0
  #bytesSinceHeartbeat = 0
  #left = false

  constructor(config: GroupConfig) {
    this.#config = config
    this.#neighbours = new Neighbours(config)
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
    const context: CoreContext = {
      config,
      neighbours: this.#neighbours,
      emit: (output) => void this.#outputs.push(output),
      view: () => this.#view,
      log: () => this.#log,
      blame: (member, weight) => this.#blame(member, weight),
    }
    this.#coordinator = new Coordinator(context)
    this.#participant = new Participant({
      ...context,
      seenEpoch: (epoch) => this.#initiator.seenEpoch(epoch),
      epochSeen: () => this.#initiator.epochSeen,
      install: (view) => this.#install(view),
    })
    this.#initiator = new Initiator(context, this.#coordinator, this.#participant)
    this.#traffic = new Traffic(context, this.#participant)
    this.#repair = new Repair({
      ...context,
      stability: () => this.#stability,
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
    return frames < UNSTABLE_FRAMES_MAX && bytes < UNSTABLE_BYTES_MAX
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
        this.#held.forget(input.peer)
        return this.#consider()
      case "heartbeat":
        return this.#onHeartbeat(input.from, input.heartbeat)
      case "frame":
        this.#neighbours.heard(input.from, this.#nowMs)
        return this.#onFrame(input.from, input.frame, input.syncs)
      case "multicast":
        return this.#traffic.multicast(input.frame)
      case "flushed":
        return this.#participant.onFlushed(input.proposal, input.attachment, input.nonce)
      case "refresh":
        this.#initiator.refresh()
        return this.#consider()
      case "obstructed":
        this.#blame(input.by, BLAME_MAX)
        return this.#consider()
      case "leave":
        return this.#leave()
    }
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
    this.#participant.onTick(nowMs)
    this.#consider()
    if (nowMs < this.#heartbeatDueMs) return
    this.#sendHeartbeat()
    if (!this.#participant.frozen) this.#repair.onHeartbeatDue(nowMs)
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
    this.#heardEpoch(heartbeat.promised.epoch)
    const index = indexOfMember(this.#view.members, from)
    const sameView = heartbeat.view === this.#view.id && heartbeat.received.length === this.#view.members.length
    if (sameView && index >= 0 && !this.#participant.frozen) {
      this.#repair.onHeartbeat(from, index, heartbeat, this.#nowMs)
      // What was acknowledged makes room in the ORDER.
      this.#traffic.advance()
    }
    this.#consider()
  }

  #heardEpoch(epoch: number): void {
    this.#initiator.seenEpoch(Math.min(epoch, this.#initiator.epochSeen + EPOCH_JUMP_MAX))
  }

  #consider(): void {
    this.#initiator.consider(this.#nowMs)
  }

  #blame(member: MemberId, weight: number): void {
    if (member === this.#config.self.id || !this.#neighbours.blame(member, weight)) return
    this.#outputs.push({ type: "fault", member, reason: "obstruction" })
  }

  #install(view: View): void {
    this.#view = view
    this.#log = new MessageLog(view.members.length)
    this.#stability = new Stability(view.members.length, this.#ownIndex())
    this.#coordinator.onInstalled()
    this.#initiator.onInstalled()
    this.#repair.onInstalled()
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
        return this.#inView(from, frame, () => this.#traffic.onOrder(frame.origin, frame.message))
      case "propose":
        if (frame.origin !== frame.message.proposal.coordinator) return
        return this.#participant.onPropose(frame.message, this.#nowMs)
      case "nack":
        this.#heardEpoch(frame.message.promised.epoch)
        return this.#coordinator.onNack(frame.origin, frame.message, this.#nowMs)
      case "sync":
        return this.#coordinator.onSync(frame as never)
      case "cut":
      case "install":
        if (frame.origin !== frame.message.proposal.coordinator) return
        return this.#participant.onSyncSet(frame.origin, frame.message.proposal, syncs, frame.kind === "install")
      case "fetch":
        if (frame.view !== this.#view.id || indexOfMember(this.#view.members, frame.origin) < 0) return
        return this.#repair.onFetch(frame.origin, frame.message)
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
    if (!this.#traffic.onFrame(frame)) return
    this.#bytesSinceHeartbeat += frame.bytes.length
    if (this.#bytesSinceHeartbeat > ACKNOWLEDGE_BYTES) this.#sendHeartbeat()
  }

  #ownIndex(): number {
    return indexOfMember(this.#view.members, this.#config.self.id)
  }
}
