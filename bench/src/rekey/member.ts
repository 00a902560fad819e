/**
 * One member: group communication and a key agreement module, both the product's own; the network is virtual, the
 * computing real.
 */
import { createKeyAgreement, RANDOM_BYTES } from "@keymoot/gke"
import type { Kem, KeyAgreement, KeyAgreementInput, KeyAgreementName, PrimeOrderGroup } from "@keymoot/gke"
import {
  decodeFrame,
  defaultTimes,
  encodeFrame,
  encodeStaticPart,
  GroupCore,
  memberIdFromBytes,
  memberIdToBytes,
} from "@keymoot/transport"
import type { Frame, FrameContent, GroupFrame, GroupInput, GroupOutput, MemberId, View } from "@keymoot/transport"
import type { EventQueue } from "@keymoot/transport/testing"
import { HybridAgreement } from "../in-memory/hybrid-agreement.ts"
import type { Ed25519Times } from "../experiment/machine.ts"
import { Processor } from "./processor.ts"

/** As the engine ticks. */
const TICK_MS = 50
const NO_SIGNATURE = new Uint8Array(64)
const CONFERENCE_TAG = new Uint8Array(32)
const ID_BYTES = 16
const MEMBERS_MAX = 301

/** State shared by all members of one conference. */
export type World = {
  readonly module: KeyAgreementName
  readonly group: PrimeOrderGroup
  /** Null where the conference is not hybrid. */
  readonly kem: Kem | null
  readonly events: EventQueue
  readonly signature: Ed25519Times
  readonly random: (length: number) => Uint8Array
  /** The member's own processor, or one that it shares with others. Changes only while nobody computes. */
  readonly processorOf: (member: Member, own: Processor) => Processor
  /** Hands a message to `to` when it has travelled; nothing if there is no link. */
  readonly transmit: (from: Member, to: MemberId, sentMs: number, message: Message) => void
  readonly onView: (member: Member, view: View, atMs: number) => void
  readonly onKey: (member: Member, view: View, atMs: number) => void
  /** Called for application messages, not for those of the agreement. */
  readonly onDelivery: (member: Member, atMs: number) => void
}

export type OrderedService = "agreed" | "safe"

export type Message =
  | Extract<GroupOutput, { type: "heartbeat" | "acknowledgement" }>
  | { readonly type: "frame"; readonly bytes: Uint8Array }

export class Member {
  readonly id: MemberId
  readonly number: number
  /** In the network. */
  readonly place: number
  alive = true
  /** It has finished its view and waits for the next one; it can say nothing meanwhile. */
  isFlushed = false
  readonly #world: World
  readonly #core: GroupCore
  readonly #agreement: KeyAgreement
  readonly #ownProcessor = new Processor()

  constructor(world: World, number: number, place: number) {
    this.number = number
    this.place = place
    this.id = memberIdFromBytes(idBytes(number))
    this.#world = world
    this.#core = new GroupCore({
      ...defaultTimes,
      self: { id: this.id, incarnation: 1 },
      conferenceTag: CONFERENCE_TAG,
      epochFloor: 0,
      // A starting member always finds the others, so none may have a view alone.
      aloneAfterMs: Number.MAX_SAFE_INTEGER,
      membersMax: MEMBERS_MAX,
    })
    const classical = createKeyAgreement(world.module, { group: world.group, self: this.id })
    this.#agreement = world.kem ? new HybridAgreement(classical, world.kem, this.id) : classical
    // The clock of the core is that of its last tick. Without one, all that it waits for would seem to be owed since 0.
    this.#step({ type: "tick", nowMs: world.events.nowMs })
    // Nobody's clock ticks with another's.
    world.events.after((number * 0.618 * TICK_MS) % TICK_MS, () => this.#tick())
  }

  get #processor(): Processor {
    return this.#world.processorOf(this, this.#ownProcessor)
  }

  get view(): View {
    return this.#core.view
  }

  input(input: GroupInput): void {
    if (this.alive) this.#processor.run(this.#world.events.nowMs, () => this.#step(input))
  }

  receive(from: MemberId, message: Message): void {
    if (!this.alive) return
    this.#processor.run(this.#world.events.nowMs, () => {
      this.#step(message.type === "frame" ? this.#opened(from, message.bytes) : { ...message, from })
    })
  }

  /** A message of that many bytes; not while it is flushed. */
  say(bytes: number, service: OrderedService): void {
    this.#processor.run(this.#world.events.nowMs, () => {
      const { view, sequence, dependencies } = this.#core.nextMulticast(service)
      const message = { dependencies, body: new Uint8Array(bytes) }
      const frame = this.#signed({ ...this.#header(view), service, sequence, kind: "data", message })
      this.#step({ type: "multicast", frame: frame as GroupFrame })
    })
  }

  #tick(): void {
    if (!this.alive) return
    this.input({ type: "tick", nowMs: this.#world.events.nowMs })
    this.#world.events.after(TICK_MS, () => this.#tick())
  }

  /** Decodes a frame and what is in it, and counts the verification of each; its own it does not verify. */
  #opened(from: MemberId, bytes: Uint8Array): GroupInput {
    const frame = decodeFrame(bytes)!
    const inner = frame.kind === "cut" || frame.kind === "install" ? frame.message.syncs : []
    const syncs = inner.map((sync) => decodeFrame(sync)!)
    const foreign = [frame, ...syncs].filter(({ origin }) => origin !== this.id).length
    this.#processor.add(foreign * this.#world.signature.verifyMs)
    return { type: "frame", from, frame, syncs }
  }

  #step(input: GroupInput): void {
    for (const output of this.#core.step(input)) this.#obey(output)
  }

  #obey(output: GroupOutput): void {
    switch (output.type) {
      case "sign": {
        const { to, view, payload } = output
        const frame = this.#signed({ ...this.#header(view), service: "none", sequence: 0, ...payload })
        return this.#send(to, { type: "frame", bytes: frame.bytes })
      }
      case "send":
        return this.#send(output.to, { type: "frame", bytes: output.bytes })
      case "heartbeat":
      case "acknowledgement":
        return this.#send(output.to, output)
      case "flushRequest": {
        const { proposal, members } = output
        this.isFlushed = true
        const ids = members.map(({ id }) => id)
        const attachment = this.#agree({ type: "contribute", proposal, members: ids, random: this.#random() })
        return this.#step({ type: "flushed", proposal, attachment: attachment!, nonce: this.#world.random(16) })
      }
      case "view":
        return this.#onView(output.view)
      case "deliver":
        return this.#onDelivery(output.delivery.frame)
      case "transitional":
      case "farewell":
        return
      case "fault":
        // A timeout decides it, and computing takes real time here.
        if (output.reason === "obstruction")
          throw new Error("A member was late by seconds. End other work, and start again.")
        throw new Error(`${this.number}: ${output.reason} in a conference of honest members`)
      default:
        throw new Error(`${this.number}: ${output.type} in a conference of honest members`)
    }
  }

  #onView(view: View): void {
    this.isFlushed = false
    this.#world.onView(this, view, this.#processor.nowMs())
    const { proposal, attachments } = view
    const members = view.members.map(({ id }) => id)
    const sid = Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(view.id.slice(2 * i, 2 * i + 2), 16))
    const keyed = { sid, self: this.id, members, proposal, attachments }
    this.#agree({ type: "view", view: keyed, random: this.#random() })
  }

  /** The body of an agreement frame says whom it is for, as in a conference: one that is for another passes by. */
  #onDelivery({ kind, origin, message }: GroupFrame): void {
    if (kind === "data") return this.#world.onDelivery(this, this.#processor.nowMs())
    const isUnicast = message.body[0] === 1
    if (isUnicast && memberIdFromBytes(message.body.slice(1, 1 + ID_BYTES)) !== this.id) return
    const bytes = message.body.subarray(isUnicast ? 1 + ID_BYTES : 1)
    this.#agree({ type: "message", from: origin, via: isUnicast ? "unicast" : "multicast", bytes })
  }

  /** Gives the contribution, where there is one. */
  #agree(input: KeyAgreementInput): Uint8Array | undefined {
    let contribution: Uint8Array | undefined
    for (const output of this.#agreement.step(input)) {
      if (output.type === "contribution") contribution = output.bytes
      else if (output.type === "multicast") this.#multicast(Uint8Array.of(0), output.bytes)
      else if (output.type === "unicast") this.#multicast(Uint8Array.of(1, ...memberIdToBytes(output.to)), output.bytes)
      else if (output.type === "secret") this.#world.onKey(this, this.view, this.#processor.nowMs())
      else if (output.type === "fault") throw new Error(`${this.number} found a fault: ${output.reason}`)
    }
    return contribution
  }

  #multicast(head: Uint8Array, bytes: Uint8Array): void {
    const { view, sequence, dependencies } = this.#core.nextMulticast("fifo")
    const body = new Uint8Array(head.length + bytes.length)
    body.set(head)
    body.set(bytes, head.length)
    const message = { dependencies, body }
    const frame = this.#signed({ ...this.#header(view), service: "fifo", sequence, kind: "agreement", message })
    this.#step({ type: "multicast", frame: frame as GroupFrame })
  }

  #signed(content: FrameContent): Frame {
    this.#processor.add(this.#world.signature.signMs)
    return decodeFrame(encodeFrame(encodeStaticPart(content), NO_SIGNATURE))!
  }

  #header(view: View["id"]) {
    return { conferenceTag: CONFERENCE_TAG, view, origin: this.id }
  }

  #send(to: readonly MemberId[], message: Message): void {
    for (const peer of to) this.#world.transmit(this, peer, this.#processor.nowMs(), message)
  }

  #random(): Uint8Array {
    return this.#world.random(RANDOM_BYTES)
  }
}

function idBytes(number: number): Uint8Array {
  const bytes = new Uint8Array(ID_BYTES)
  // Ids are hashes of certificates: their order has nothing to do with that of joining, nor with sites.
  new DataView(bytes.buffer).setUint32(0, Math.imul(number + 1, 0x9e3779b1))
  new DataView(bytes.buffer).setUint32(4, number)
  return bytes
}
