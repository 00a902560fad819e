/** One member of a simulation: the group core, and whatever layer stands above it, without any cryptography. */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { GroupCore } from "../group/core.ts"
import type { GroupConfig, GroupInput, GroupOutput } from "../group/types.ts"
import { memberIdFromBytes, type MemberId } from "../ids.ts"
import type { GroupFrame } from "../ordering/message-log.ts"
import { decodeFrame, encodeFrame, encodeStaticPart, type Frame, type FrameContent } from "../wire/frame.ts"
import type { Heartbeat } from "../wire/messages.ts"
import type { EventQueue } from "./event-queue.ts"
import type { Network } from "./network.ts"
import type { Random } from "./random.ts"
import type { TraceEvent } from "./trace.ts"

const NO_SIGNATURE = new Uint8Array(64)
const TICK_MS = 20

export type UpperOutput = Extract<GroupOutput, { type: "deliver" | "view" | "transitional" | "flushRequest" }>

/** The layer above the group: plain traffic, or key agreement and secure multicast. */
export interface UpperLayer {
  handle(output: UpperOutput): void
  tick(): void
}

/** What an upper layer can do. */
export interface MemberHandle {
  readonly name: string
  readonly id: MemberId
  readonly random: Random
  readonly group: GroupCore
  /** False once the member crashed or was started again. */
  readonly alive: boolean
  after(delayMs: number, run: () => void): void
  multicast(kind: "data" | "agreement", service: "fifo" | "agreed", body: Uint8Array): void
  flushed(output: Extract<GroupOutput, { type: "flushRequest" }>, attachment: Uint8Array): void
  trace(event: TraceEvent): void
  /** Virtual milliseconds. */
  now(): number
}

export type World = {
  readonly events: EventQueue
  readonly network: Network
  readonly random: Random
  readonly trace: TraceEvent[]
  readonly names: Map<MemberId, string>
  readonly upper: (member: MemberHandle) => UpperLayer
}

export function simulatedId(name: string, seed: number): MemberId {
  return memberIdFromBytes(sha256(utf8ToBytes(`${seed} ${name}`)).slice(0, 16))
}

type WireMessage =
  | { readonly type: "heartbeat"; readonly heartbeat: Heartbeat }
  | { readonly type: "frame"; readonly frame: Frame; readonly syncs: readonly Frame[] }

export class SimulatedMember implements MemberHandle {
  readonly name: string
  readonly id: MemberId
  readonly random: Random
  readonly #world: World
  readonly #config: GroupConfig
  group: GroupCore
  alive = true
  #upper: UpperLayer
  #highestEpoch: number

  constructor(world: World, name: string, id: MemberId, config: GroupConfig) {
    this.#world = world
    this.name = name
    this.id = id
    this.random = world.random
    this.#config = config
    this.#highestEpoch = config.epochFloor
    this.group = new GroupCore(config)
    this.#upper = world.upper(this)
  }

  /** Incarnations of the others are what their associations would tell. */
  start(incarnationOf: (name: string) => number): void {
    this.#world.network.attach(this.name, {
      linkUp: (peer) => this.input({ type: "linkUp", peer: this.#idOf(peer), incarnation: incarnationOf(peer) }),
      linkDown: (peer) => this.input({ type: "linkDown", peer: this.#idOf(peer) }),
      receive: (from, message) => this.#receive(this.#idOf(from), message as WireMessage),
    })
    const tick = (): void => {
      if (!this.alive) return
      this.input({ type: "tick", nowMs: this.now() })
      this.#upper.tick()
      this.after(TICK_MS * (0.7 + 0.6 * this.random.next()), tick)
    }
    tick()
  }

  /** The durable part of its state: epochs up to here are never used again. */
  crash(): number {
    this.alive = false
    this.trace({ t: this.now(), e: "crash", p: this.name })
    this.#world.network.detach(this.name)
    return this.#highestEpoch
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

  multicast(kind: "data" | "agreement", service: "fifo" | "agreed", body: Uint8Array): void {
    const { view, sequence, dependencies } = this.group.nextMulticast()
    const message = { dependencies: service === "agreed" ? dependencies : [], body }
    const frame = this.#encode({ ...this.#header(view), service, sequence, kind, message }) as GroupFrame
    this.trace({
      t: this.now(),
      e: "send",
      p: this.name,
      m: this.#messageId(frame),
      v: view,
      s: service,
      ...mark(kind),
    })
    this.input({ type: "multicast", frame })
  }

  flushed(output: Extract<GroupOutput, { type: "flushRequest" }>, attachment: Uint8Array): void {
    if (!this.#flushed && this.#viewed) this.trace({ t: this.now(), e: "flush", p: this.name })
    this.#flushed = true
    this.input({ type: "flushed", proposal: output.proposal, attachment, nonce: this.random.bytes(16) })
  }

  input(input: GroupInput): void {
    if (!this.alive) return
    for (const output of this.group.step(input)) this.#output(output)
  }

  #output(output: GroupOutput): void {
    switch (output.type) {
      case "sign": {
        const frame = this.#encode({ ...this.#header(output.view), service: "none", sequence: 0, ...output.payload })
        return this.#send(output.to, frame)
      }
      case "send":
        return this.#send(output.to, decodeFrame(output.bytes)!)
      case "heartbeat":
        this.#highestEpoch = Math.max(this.#highestEpoch, output.heartbeat.promised.epoch)
        for (const to of output.to) this.#transmit(to, { type: "heartbeat", heartbeat: output.heartbeat })
        return
      case "fault":
        // A verdict of time, and like a suspicion sometimes wrong; every other fault is somebody's doing.
        if (output.reason === "obstruction") return
        throw new Error(`${this.name} blames ${this.#nameOf(output.member)}: ${output.reason}`)
      default:
        return this.#toUpper(output)
    }
  }

  #toUpper(output: UpperOutput): void {
    const at = { t: this.now(), p: this.name }
    if (output.type === "flushRequest" && output.first && this.#viewed) this.trace({ ...at, e: "flush_req" })
    if (output.type === "transitional" && this.#viewed) this.trace({ ...at, e: "trans" })
    if (output.type === "deliver") {
      const { frame, globalSequence } = output.delivery
      const order = frame.service === "agreed" ? { g: globalSequence } : {}
      const about = { m: this.#messageId(frame), v: frame.view, s: frame.service, ...order, ...mark(frame.kind) }
      this.trace({ ...at, e: "deliver", ...about })
    }
    if (output.type === "view") {
      const { id, epoch: n, members, transitional } = output.view
      this.#highestEpoch = Math.max(this.#highestEpoch, n)
      this.#viewed = true
      this.#flushed = false
      const names = (ids: readonly MemberId[]): string[] => ids.map((member) => this.#nameOf(member)).sort()
      this.trace({ ...at, e: "view", id, n, D: names(members.map((member) => member.id)), T: names(transitional) })
    }
    this.#upper.handle(output)
  }

  /** Flush and transition out of the void before the first view are nobody's business. */
  #viewed = false
  #flushed = false

  #send(to: readonly MemberId[], frame: Frame): void {
    const inner = frame.kind === "cut" || frame.kind === "install" ? frame.message.syncs : []
    const message: WireMessage = { type: "frame", frame, syncs: inner.map((bytes) => decodeFrame(bytes)!) }
    for (const peer of to) this.#transmit(peer, message)
  }

  #transmit(to: MemberId, message: WireMessage): void {
    if (to === this.id) this.after(0.01, () => this.#receive(this.id, message))
    else this.#world.network.send(this.name, this.#nameOf(to), message)
  }

  #receive(from: MemberId, message: WireMessage): void {
    if (message.type === "heartbeat") this.input({ type: "heartbeat", from, heartbeat: message.heartbeat })
    else this.input({ type: "frame", from, frame: message.frame, syncs: message.syncs })
  }

  #header(view: FrameContent["view"]): { conferenceTag: Uint8Array; view: FrameContent["view"]; origin: MemberId } {
    return { conferenceTag: this.#config.conferenceTag, view, origin: this.id }
  }

  #encode(content: FrameContent): Frame {
    const frame = decodeFrame(encodeFrame(encodeStaticPart(content), NO_SIGNATURE))
    if (!frame) throw new Error(`a ${content.kind} frame of ours does not decode`)
    return frame
  }

  #messageId(frame: Frame): string {
    return `${this.#nameOf(frame.origin)}:${frame.view.slice(0, 8)}:${frame.sequence}`
  }

  #nameOf(id: MemberId): string {
    return this.#world.names.get(id) ?? id
  }

  #idOf(name: string): MemberId {
    for (const [id, other] of this.#world.names) if (other === name) return id
    throw new Error(`nobody is called ${name}`)
  }
}

function mark(kind: Frame["kind"]): { a?: 1 } {
  return kind === "agreement" ? { a: 1 } : {}
}
