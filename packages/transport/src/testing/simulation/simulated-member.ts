/** One member of a simulation: the group core and a layer above it, without cryptography. */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { GroupCore } from "../../group/core.ts"
import { GroupTrace } from "../../group/group-trace.ts"
import type { GroupConfig, GroupInput, GroupOutput } from "../../view/group-types.ts"
import { memberIdFromBytes, type MemberId } from "../../members/ids.ts"
import type { GroupFrame } from "../../ordering/frame-store.ts"
import type { Frame, FrameContent, FramePayload, Service } from "../../wire/frame.ts"
import type { Equivocator, Lies } from "./equivocator.ts"
import type { EventQueue } from "../random/event-queue.ts"
import { MemberTrace } from "./member-trace.ts"
import { MeshLinks, type LinkEvents, type MemberLinks, type Names, type WireMessage } from "./member-links.ts"
import type { Network } from "./network.ts"
import { OverlayLinks } from "./overlay-links.ts"
import { OverlayNetwork } from "./overlay-network.ts"
import type { Random } from "../random/random.ts"
import type { SimulatedFrames } from "./simulated-frames.ts"
import type { TraceNames } from "./trace-names.ts"
import type { TraceEvent } from "../oracle/trace.ts"
import type { AnyEvent, TraceSink } from "../../trace/trace-sink.ts"
import type { MemberHandle, UpperLayer, UpperOutput } from "./upper-layer.ts"

/** Time that the goodbye of a properly closed page may be in transit. */
const GOODBYE_MS = 30

export type World = {
  readonly events: EventQueue
  readonly network: Network | OverlayNetwork
  readonly random: Random
  readonly trace: TraceEvent[]
  readonly sink: TraceSink | undefined
  readonly names: TraceNames
  readonly ids: ReadonlyMap<string, MemberId>
  readonly upper: (member: MemberHandle) => UpperLayer
  readonly frames: SimulatedFrames
  readonly tickMs: number
  /** Omits the ticks that a core does not need, and counts them. */
  readonly omitted: { ticks: number } | undefined
  readonly lies: Lies | undefined
  readonly equivocator: Equivocator | undefined
  /** Reliable messages sent so far, by view. */
  readonly sent: Map<string, number>
}

export function simulatedId(name: string, seed: number): MemberId {
  return memberIdFromBytes(sha256(utf8ToBytes(`${seed} ${name}`)).slice(0, 16))
}

export class SimulatedMember implements MemberHandle {
  readonly name: string
  readonly id: MemberId
  readonly random: Random
  readonly #world: World
  readonly #config: GroupConfig
  group: GroupCore
  alive = true
  readonly #upper: UpperLayer
  readonly #story: MemberTrace
  readonly #groupTrace: GroupTrace | null
  #highestEpoch: number
  #links: MemberLinks | null = null

  constructor(world: World, name: string, id: MemberId, config: GroupConfig) {
    this.#world = world
    this.name = name
    this.id = id
    this.random = world.random
    this.#config = config
    this.#highestEpoch = config.epochFloor
    this.group = new GroupCore(config)
    this.#story = new MemberTrace(name, world)
    this.#groupTrace = world.sink ? new GroupTrace(id, (event) => this.report(event)) : null
    this.#upper = world.upper(this)
  }

  get roster(): readonly MemberId[] {
    return [...this.#world.ids.values()].sort()
  }

  /** Takes the others' incarnations, which in reality their associations prove. */
  start(incarnationOf: (name: string) => number): void {
    const nameOf = (id: MemberId): string => this.#nameOf(id)
    this.#links = this.#join({ nameOf, idOf: (name) => this.#idOf(name), incarnationOf })
    this.#links.start()
    const tick = (): void => {
      if (!this.alive) return
      if (!this.#sleeping) {
        if (this.#mayOmitTick()) this.#omittedMs = this.now()
        else this.input({ type: "tick", nowMs: this.now() })
        this.#upper.tick()
      }
      this.after(this.#world.tickMs * (0.7 + 0.6 * this.random.next()), tick)
    }
    tick()
  }

  #mayOmitTick(): boolean {
    const { omitted } = this.#world
    if (!omitted || this.#stirred || this.now() >= this.group.nextTickMs) return false
    omitted.ticks++
    return true
  }
  /** The last tick, if it was omitted. */
  #omittedMs: number | null = null
  /** Whether another input has come since the last tick. */
  #stirred = true

  #join(names: Names): MemberLinks {
    const { network } = this.#world
    const events: LinkEvents = {
      linkUp: (peer, incarnation, distant) => this.input({ type: "linkUp", peer, incarnation, distant }),
      linkDown: (peer) => this.input({ type: "linkDown", peer }),
      receive: (from, message) => this.#receive(from, message),
    }
    if (!(network instanceof OverlayNetwork)) return new MeshLinks(network, this.name, names, events)
    return new OverlayLinks({
      network,
      self: this.#config.self,
      names,
      events,
      random: () => this.random.next(),
      now: () => this.now(),
      after: (delayMs, run) => this.after(delayMs, run),
      whenAwake: (run) => (this.#sleeping ? void this.#sleeping.push(run) : this.alive && run()),
    })
  }

  /** Simulates a background tab: nothing happens, and incoming messages wait. */
  sleep(forMs: number): void {
    const own = ++this.#sleeps
    this.#sleeping ??= []
    this.after(forMs, () => {
      if (this.#sleeps === own) this.wake()
    })
  }
  #sleeps = 0
  #sleeping: (() => void)[] | null = null

  wake(): void {
    const waiting = this.#sleeping ?? []
    this.#sleeping = null
    for (const receive of waiting) receive()
  }

  /** Simulates a page that is closed properly. */
  leave(): void {
    if (!this.alive) return
    this.#story.leave(this.group.maySend)
    this.input({ type: "leave" })
    this.#end(GOODBYE_MS)
  }

  /** True if it has delivered all messages sent in its view, and has none to send. */
  isSettledIn(names: ReadonlySet<string>): boolean {
    const { id, members } = this.group.view
    const isWhole = members.length === names.size && members.every((member) => names.has(this.#nameOf(member.id)))
    const whole = isWhole && this.group.maySend && this.#upper.idle
    return whole && this.#story.delivered === (this.#world.sent.get(id) ?? 0)
  }

  /** Returns the durable part of its state: epochs up to this one are never used again. */
  crash(): number {
    if (this.alive) this.#end(0)
    return this.#highestEpoch
  }

  #end(linksForMs: number): void {
    this.alive = false
    this.trace({ t: this.now(), e: "crash", p: this.name })
    this.#world.events.after(linksForMs, () => this.#links?.stop())
  }

  now(): number {
    return this.#world.events.nowMs
  }

  after(delayMs: number, run: () => void): void {
    this.#world.events.after(delayMs, () => {
      if (this.alive) run()
    })
  }

  trace(event: TraceEvent): void {
    this.#world.trace.push(event)
  }

  report(event: AnyEvent): void {
    this.#world.sink?.record(this.now(), this.id, event)
  }

  multicast(kind: "data" | "agreement", service: Service, body: Uint8Array): void {
    const { view, sequence, dependencies } = this.group.nextMulticast(service)
    const message = { dependencies, body }
    const frame = this.#world.frames.make(this.id, {
      ...this.#header(view),
      service,
      sequence,
      kind,
      message,
    }) as GroupFrame
    if (service !== "unreliable") this.#world.sent.set(view, (this.#world.sent.get(view) ?? 0) + 1)
    this.#story.send(frame)
    this.input({ type: "multicast", frame })
  }

  flushed(output: Extract<GroupOutput, { type: "flushRequest" }>, attachment: Uint8Array): void {
    this.#story.flush()
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
        const frame = this.#world.frames.make(this.id, {
          ...this.#header(view),
          service: "none",
          sequence: 0,
          ...payload,
        })
        return this.#transmit(to, { type: "frame", frame, syncs: this.#syncsIn(payload) })
      }
      case "send":
        return this.#send(output.to, this.#world.frames.decode(output.bytes), output.how === "unreliable")
      case "acknowledgement":
        return this.#transmit(output.to, output)
      case "heartbeat":
        this.#highestEpoch = Math.max(this.#highestEpoch, output.heartbeat.promised.epoch)
        return this.#transmit(output.to, { type: "heartbeat", heartbeat: output.heartbeat })
      case "fault":
        // Decided by a timeout, and like a suspicion sometimes wrong. Every other fault is caused by a lying member.
        if (output.reason === "obstruction") return
        if (this.#world.lies) return this.#world.lies.accuse(this.name, output)
        throw new Error(`${this.name} blames ${this.#nameOf(output.member)}: ${output.reason}`)
      case "divergence":
        if (this.#world.lies) return this.#world.lies.accuse(this.name, output)
        throw new Error(`${this.name} was told something else than ${this.#nameOf(output.from)}`)
      case "farewell":
      case "unadmitted":
        return
      default:
        return this.#toUpper(output)
    }
  }

  #send(to: readonly MemberId[], frame: Frame, unreliable: boolean): void {
    const { lies, equivocator } = this.#world
    if (lies?.liar !== this.name || !equivocator)
      return this.#transmit(to, { type: "frame", frame, syncs: [] }, unreliable)
    for (const peer of to) {
      this.#transmit([peer], { type: "frame", frame: equivocator.versionFor(peer, frame), syncs: [] }, unreliable)
    }
  }

  #toUpper(output: UpperOutput): void {
    if (output.type === "view") this.#highestEpoch = Math.max(this.#highestEpoch, output.view.epoch)
    this.#story.take(output)
    this.#upper.handle(output)
  }

  #syncsIn({ kind, message }: FramePayload): Frame[] {
    if (kind !== "cut" && kind !== "install") return []
    return message.syncs.map((bytes) => this.#world.frames.decode(bytes))
  }

  #transmit(to: readonly MemberId[], message: WireMessage, unreliable = false): void {
    const others = to.filter((peer) => peer !== this.id)
    if (others.length > 0) this.#links?.transmit(others, message, unreliable)
    if (others.length < to.length) this.after(0.01, () => this.#receive(this.id, message))
  }

  #receive(from: MemberId, message: WireMessage): void {
    if (this.#sleeping) return void this.#sleeping.push(() => this.#receive(from, message))
    if (message.type === "frame") {
      this.#verify(message.frame)
      for (const frame of message.syncs) this.#verify(frame)
    }
    this.input({ ...message, from })
  }

  #verify(frame: Frame): void {
    if (this.#world.frames.isGood(frame)) return
    throw new Error(`${this.name} was sent a frame of ${this.#nameOf(frame.origin)} that it did not sign`)
  }

  #header(view: FrameContent["view"]): { conferenceTag: Uint8Array; view: FrameContent["view"]; origin: MemberId } {
    return { conferenceTag: this.#config.conferenceTag, view, origin: this.id }
  }

  #nameOf(id: MemberId): string {
    return this.#world.names.of(id)
  }

  #idOf(name: string): MemberId {
    const id = this.#world.ids.get(name)
    if (id === undefined) throw new Error(`nobody is called ${name}`)
    return id
  }
}
