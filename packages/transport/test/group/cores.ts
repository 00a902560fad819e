import { sha256 } from "@noble/hashes/sha2.js"
import { GroupCore } from "../../src/group/core.ts"
import { GroupTrace, type GroupEvent } from "../../src/group/group-trace.ts"
import type { GroupInput, GroupOutput } from "../../src/view/group-types.ts"
import { sequencerIndex, type View } from "../../src/view/view.ts"
import { memberIdFromBytes, type MemberId } from "../../src/members/ids.ts"
import type { GroupConfig } from "../../src/view/group-types.ts"
import type { GroupFrame } from "../../src/ordering/frame-store.ts"
import {
  decodeFrame,
  encodeFrame,
  encodeStaticPart,
  type Frame,
  type FramePayload,
  type Service,
} from "../../src/wire/frame.ts"
import type { Acknowledgement, Heartbeat } from "../../src/wire/messages.ts"

export const times = {
  heartbeatMs: 100,
  suspectMs: 600,
  joinBatchMs: 20,
  resendMs: 100,
  proposalMs: 1000,
  aloneAfterMs: 100,
}
const TICK_MS = 20
const conferenceTag = new Uint8Array(32)

export type Sent =
  | { readonly type: "frame"; readonly frame: Frame }
  | { readonly type: "heartbeat"; readonly heartbeat: Heartbeat }
  | { readonly type: "acknowledgement"; readonly acknowledgement: Acknowledgement }

/** Ids ascend with the number, so member 0 is the one that proposes. */
export function numbered(n: number): MemberId {
  return memberIdFromBytes(new Uint8Array(16).fill(n + 1))
}

export class Member {
  readonly id: MemberId
  readonly core: GroupCore
  readonly views: View[] = []
  readonly texts: string[] = []
  readonly faults: { readonly member: MemberId; readonly reason: string }[] = []
  readonly divergences: MemberId[] = []
  readonly events: GroupEvent[] = []
  readonly trace: GroupTrace
  /** The replacement that a hostile member sends; null: nothing. */
  tamper: (sent: Sent, to: MemberId) => Sent | null = (sent) => sent

  constructor(id: MemberId, overrides: Partial<GroupConfig> = {}) {
    this.id = id
    this.trace = new GroupTrace(id, (event) => void this.events.push(event))
    const self = { id, incarnation: 1 }
    this.core = new GroupCore({ self, conferenceTag, epochFloor: 0, ...times, ...overrides })
  }

  get size(): number {
    return this.core.view.members.length
  }
}

/** Group cores linked with one another without delay; a hostile one is a core whose output is tampered with. */
export class Cores {
  readonly members: Member[]
  nowMs = 0
  /** Sees every output before it takes effect. */
  watch: (member: Member, output: GroupOutput) => void = () => undefined
  /** Set to omit ticks that a member does not need. It is called for each tick of a member. */
  omitsTicks: ((omitted: boolean) => void) | null = null
  #queue: { readonly to: Member; readonly input: GroupInput }[] = []

  /** `overridesOf`: of the members by their numbers. */
  constructor(count: number, overridesOf: (member: number) => Partial<GroupConfig> = () => ({})) {
    this.members = Array.from({ length: count }, (_, i) => new Member(numbered(i), overridesOf(i)))
    for (const member of this.members) this.step(member, { type: "tick", nowMs: 0 })
    for (const member of this.members) {
      for (const peer of this.members) {
        if (peer !== member) this.step(member, { type: "linkUp", peer: peer.id, incarnation: 1 })
      }
    }
  }

  step(member: Member, input: GroupInput): void {
    const outputs = member.core.step(input)
    member.trace.observe(input, outputs)
    for (const output of outputs) this.#output(member, output)
  }

  /** Hands `to` a frame of `origin`, as if `from` had brought it. */
  inject(to: Member, origin: Member, payload: FramePayload, place: Partial<Frame> = {}, from = origin): void {
    const frame = frameOf(origin, payload, place)
    this.step(to, { type: "frame", from: from.id, frame, syncs: innerFrames(frame) })
    this.drain()
  }

  send(member: Member, text: string, service: Service = "agreed"): void {
    this.step(member, { type: "multicast", frame: nextFrame(member, text, service) })
    this.drain()
  }

  drain(): void {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) this.step(next.to, next.input)
  }

  run(forMs: number): void {
    for (const untilMs = this.nowMs + forMs; this.nowMs < untilMs;) {
      this.nowMs += TICK_MS
      for (const member of this.members) this.#tick(member)
      this.drain()
    }
  }

  #tick(member: Member): void {
    const isOmitted = this.omitsTicks !== null && this.nowMs < member.core.nextTickMs
    this.omitsTicks?.(isOmitted)
    if (!isOmitted) this.step(member, { type: "tick", nowMs: this.nowMs })
  }

  /** After what is under way. */
  later(to: Member, input: GroupInput): void {
    this.#queue.push({ to, input })
  }

  /** Until it holds; false if it does not within that (virtual) time. */
  runUntil(condition: () => boolean, withinMs: number): boolean {
    for (const untilMs = this.nowMs + withinMs; this.nowMs < untilMs && !condition();) this.run(TICK_MS)
    return condition()
  }

  /** All of them at once. */
  crash(...gone: readonly Member[]): void {
    for (const member of gone) this.members.splice(this.members.indexOf(member), 1)
    for (const other of this.members) {
      for (const { id } of gone) this.step(other, { type: "linkDown", peer: id })
    }
    this.drain()
  }

  /** The links of one member with all others break, or are made again. */
  links(member: Member, type: "linkDown" | "linkUp"): void {
    const input = (peer: MemberId): GroupInput => (type === "linkUp" ? { type, peer, incarnation: 1 } : { type, peer })
    for (const other of this.members) {
      if (other === member) continue
      this.step(other, input(member.id))
      this.step(member, input(other.id))
    }
    this.drain()
  }

  #output(member: Member, output: GroupOutput): void {
    this.watch(member, output)
    switch (output.type) {
      case "sign":
        return this.#send(member, output.to, {
          type: "frame",
          frame: frameOf(member, output.payload, { view: output.view }),
        })
      case "send":
        return this.#send(member, output.to, { type: "frame", frame: decodeFrame(output.bytes)! })
      case "heartbeat":
      case "acknowledgement":
        return this.#send(member, output.to, output)
      case "deliver":
        return void member.texts.push(textOf(output.delivery.frame))
      case "view":
        return void member.views.push(output.view)
      case "flushRequest": {
        const { proposal } = output
        const nonce = sha256(Uint8Array.of(proposal.epoch)).slice(0, 16)
        this.#queue.push({ to: member, input: { type: "flushed", proposal, attachment: new Uint8Array(0), nonce } })
        return
      }
      case "divergence":
        return void member.divergences.push(output.from)
      case "fault":
        return void member.faults.push(output)
      case "transitional":
    }
  }

  #send(from: Member, to: readonly MemberId[], sent: Sent): void {
    for (const peer of to) {
      const member = this.members.find(({ id }) => id === peer)
      const tampered = peer === from.id ? sent : from.tamper(sent, peer)
      if (!member || !tampered) continue
      const input: GroupInput =
        tampered.type === "frame"
          ? { type: "frame", from: from.id, frame: tampered.frame, syncs: innerFrames(tampered.frame) }
          : { ...tampered, from: from.id }
      this.#queue.push({ to: member, input })
    }
  }
}

export function sequencerOf(cores: Cores): Member {
  const { view } = cores.members[0]!.core
  const id = view.members[sequencerIndex(view)]!.id
  return cores.members.find((member) => member.id === id)!
}

/** A well-formed frame of this member, whatever it says. */
export function frameOf(origin: Member, payload: FramePayload, place: Partial<Frame> = {}): Frame {
  const header = { conferenceTag, view: origin.core.view.id, origin: origin.id, service: "none", sequence: 0 } as const
  const content = { ...header, ...place, ...payload }
  const frame = decodeFrame(encodeFrame(encodeStaticPart(content), new Uint8Array(64)))
  if (!frame) throw new Error(`a ${payload.kind} frame that does not decode`)
  return frame
}

export function nextFrame(member: Member, text: string, service: Service): GroupFrame {
  const { view, sequence, dependencies } = member.core.nextMulticast(service)
  const message = { dependencies, body: new TextEncoder().encode(text) }
  return frameOf(member, { kind: "data", message }, { view, sequence, service }) as GroupFrame
}

export function textOf(frame: GroupFrame): string {
  return new TextDecoder().decode(frame.message.body)
}

function innerFrames(frame: Frame): Frame[] {
  return frame.kind === "cut" || frame.kind === "install" ? frame.message.syncs.map((bytes) => decodeFrame(bytes)!) : []
}
