/** One member of a simulation: the group core and a layer above it, without cryptography. */
import { GroupCore } from "../../group/core.ts"
import { GroupTrace } from "../../group/group-trace.ts"
import type { GroupConfig, GroupInput, GroupOutput } from "../../view/group-types.ts"
import type { MemberId } from "../../members/ids.ts"
import type { GroupFrame } from "../../ordering/frame-store.ts"
import type { Frame, FrameContent, FramePayload, Service } from "../../wire/frame.ts"
import { MemberLife } from "./member-life.ts"
import type { WireMessage } from "./member-links.ts"
import type { MemberHandle, UpperLayer, UpperOutput } from "./upper-layer.ts"
import type { World } from "./world.ts"

export class SimulatedMember extends MemberLife implements MemberHandle {
  readonly group: GroupCore
  readonly #config: GroupConfig
  readonly #upper: UpperLayer
  readonly #groupTrace: GroupTrace | null
  /** The last tick, if it was omitted. */
  #omittedMs: number | null = null
  /** Whether another input has come since the last tick. */
  #stirred = true

  constructor(
    world: World,
    name: string,
    id: MemberId,
    config: GroupConfig,
    upper: (member: MemberHandle) => UpperLayer,
  ) {
    super(world, name, id, config)
    this.#config = config
    this.group = new GroupCore(config)
    this.#groupTrace = world.sink ? new GroupTrace(id, (event) => this.report(event)) : null
    this.#upper = upper(this)
  }

  protected override onTick(): void {
    if (this.#mayOmitTick()) this.#omittedMs = this.now()
    else this.input({ type: "tick", nowMs: this.now() })
    this.#upper.tick()
  }

  #mayOmitTick(): boolean {
    const { omitted } = this.world
    if (!omitted || this.#stirred || this.now() >= this.group.nextTickMs) return false
    omitted.ticks++
    return true
  }

  protected override onLinkUp(peer: MemberId, incarnation: number, distant: boolean): void {
    this.input({ type: "linkUp", peer, incarnation, distant })
  }

  protected override onLinkDown(peer: MemberId): void {
    this.input({ type: "linkDown", peer })
  }

  protected override onMessage(from: MemberId, message: WireMessage): void {
    if (message.type === "frame") {
      this.#verify(message.frame)
      for (const frame of message.syncs) this.#verify(frame)
    }
    this.input({ ...message, from })
  }

  protected override sayGoodbye(): void {
    this.input({ type: "leave" })
  }

  protected override get isIdle(): boolean {
    return this.#upper.idle
  }

  override refresh(): void {
    this.input({ type: "refresh" })
  }

  override propose(members: readonly MemberId[]): void {
    this.input({ type: "propose", members })
  }

  multicast(kind: "data" | "agreement", service: Service, body: Uint8Array): void {
    const { view, sequence, dependencies } = this.group.nextMulticast(service)
    const message = { dependencies, body }
    const frame = this.world.frames.make(this.id, {
      ...this.#header(view),
      service,
      sequence,
      kind,
      message,
    }) as GroupFrame
    this.story.send(frame)
    this.input({ type: "multicast", frame })
  }

  flushed(output: Extract<GroupOutput, { type: "flushRequest" }>, attachment: Uint8Array): void {
    this.story.flush()
    this.input({ type: "flushed", proposal: output.proposal, attachment, nonce: this.random.bytes(16) })
  }

  input(input: GroupInput): void {
    if (!this.alive) return
    const nowMs = this.#omittedMs
    this.#omittedMs = null
    this.#stirred = input.type !== "tick"
    if (nowMs !== null && this.#stirred) this.#step({ type: "tick", nowMs })
    this.#step(input)
  }

  #step(input: GroupInput): void {
    const outputs = this.group.step(input)
    this.#groupTrace?.observe(input, outputs)
    for (const output of outputs) this.#output(output)
  }

  #output(output: GroupOutput): void {
    switch (output.type) {
      case "sign": {
        const { to, view, payload } = output
        const frame = this.world.frames.make(this.id, {
          ...this.#header(view),
          service: "none",
          sequence: 0,
          ...payload,
        })
        return this.transmit(to, { type: "frame", frame, syncs: this.#syncsIn(payload) })
      }
      case "send":
        return this.#send(output.to, this.world.frames.decode(output.bytes), output.how === "unreliable")
      case "acknowledgement":
        return this.transmit(output.to, output)
      case "heartbeat":
        this.used(output.heartbeat.promised.epoch)
        return this.transmit(output.to, { type: "heartbeat", heartbeat: output.heartbeat })
      case "fault":
        // Decided by a timeout, and like a suspicion sometimes wrong. Every other fault is caused by a lying member.
        if (output.reason === "obstruction") return
        if (this.world.lies) return this.world.lies.accuse(this.name, output)
        throw new Error(`${this.name} blames ${this.nameOf(output.member)}: ${output.reason}`)
      case "divergence":
        if (this.world.lies) return this.world.lies.accuse(this.name, output)
        throw new Error(`${this.name} was told something else than ${this.nameOf(output.from)}`)
      case "farewell":
      case "unadmitted":
        return
      default:
        return this.#toUpper(output)
    }
  }

  #send(to: readonly MemberId[], frame: Frame, unreliable: boolean): void {
    const { lies, equivocator } = this.world
    if (lies?.liar !== this.name || !equivocator)
      return this.transmit(to, { type: "frame", frame, syncs: [] }, unreliable)
    for (const peer of to) {
      this.transmit([peer], { type: "frame", frame: equivocator.versionFor(peer, frame), syncs: [] }, unreliable)
    }
  }

  #toUpper(output: UpperOutput): void {
    if (output.type === "view") this.used(output.view.epoch)
    this.story.take(output)
    this.#upper.handle(output)
  }

  #syncsIn({ kind, message }: FramePayload): Frame[] {
    if (kind !== "cut" && kind !== "install") return []
    return message.syncs.map((bytes) => this.world.frames.decode(bytes))
  }

  #verify(frame: Frame): void {
    if (this.world.frames.isGood(frame)) return
    throw new Error(`${this.name} was sent a frame of ${this.nameOf(frame.origin)} that it did not sign`)
  }

  #header(view: FrameContent["view"]): { conferenceTag: Uint8Array; view: FrameContent["view"]; origin: MemberId } {
    return { conferenceTag: this.#config.conferenceTag, view, origin: this.id }
  }
}
