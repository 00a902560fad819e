/**
 * The links of a conference, however many members it has. Up to 24 there is one with everybody, and nothing here happens
 * but passing on. With more a few are kept, chosen by neighbour discovery, and the others are reached over them: link state
 * says who and how, signed by each; frames go through members who verify them before they pass them on.
 *
 * It stands between the mesh and the gate: above it a member is up, `distant` or not, and is sent to.
 */
import {
  decodeDiscovery,
  decodeOverlayMessage,
  DEGREE_MIN,
  encodeDiscovery,
  FULL_MESH_MAX,
  Overlay,
  StatusTeller,
  type CarriedFrame,
  type Credential,
  type Heartbeat,
  type InvitationKeys,
  type LinkMessage,
  type MemberId,
  type Mesh,
  type MeshOutput,
  type OverlayInput,
  type OverlayOutput,
  type Sending,
  type Status,
} from "@keymoot/transport"
import { LruMap } from "../wire/index.ts"
import { DistantMembers } from "./distant-members.ts"
import type { FrameOpener, FrameRejection } from "./frame-opener.ts"
import { OverlayReception } from "./overlay-reception.ts"
import { LinkRecords, type CheckedRecord, type LinkRecordsConfig } from "./link-records.ts"
import { OverlaySender } from "./overlay-sender.ts"

/**
 * Members of one conference. An INSTALL holds a SYNC of each, with what key agreement attaches, in one message of 4 MiB;
 * everybody verifies all of them, and what each tells of itself. That is what so many cost in under a second.
 */
export const CONFERENCE_MEMBERS_MAX = 128
/** Whoever has passed on what it must have known to be forged is no neighbour for so long; so many are remembered. */
const DISTRUST_MS = 60_000
const DISTRUSTED_MAX = 64
/** With too few neighbours the room is told that this member is here at most so often. */
const ANNOUNCE_MS = 2_000

export type LinkUp = Extract<MeshOutput, { type: "linkUp" }> & { readonly distant?: boolean }
/** `distant`: it is reached over the overlay. */
export type LinkOutput = Exclude<MeshOutput, { type: "linkUp" | "contact" | "signal" }> | LinkUp
/** What is about one of the others. */
export type PeerOutput = Exclude<LinkOutput, { type: "server" | "path" | "acknowledged" | "superseded" }>

export type OverlayLinksConfig = LinkRecordsConfig & {
  readonly incarnation: number
  /** Uniform in [0, 1). */
  readonly random: () => number
  /** Up to so many members there is a link with everybody; 24 unless given. */
  readonly meshMax?: number | undefined
  readonly mesh: () => Pick<Mesh, "send" | "signal" | "part" | "certificateOf" | "contactCount" | "announce">
  /** Whether it may be in the conference, and so be a neighbour. */
  readonly admits: (credential: Credential, keys: InvitationKeys) => boolean
  /** To those above. */
  readonly emit: (output: LinkOutput) => void
  readonly onHeartbeat: (from: MemberId, heartbeat: Heartbeat) => void
  readonly onFrame: (carried: CarriedFrame) => void
  readonly fail: (error: unknown) => void
}

export class OverlayLinks {
  readonly #config: OverlayLinksConfig
  readonly #self: MemberId
  readonly #meshMax: number
  readonly #records: LinkRecords
  readonly #overlay: Overlay<CarriedFrame, CheckedRecord>
  readonly #reception: OverlayReception
  readonly #teller: StatusTeller
  #status: Status = null
  #active = false
  #nowMs = 0
  #announcedMs = -Infinity
  readonly #direct = new Map<MemberId, LinkUp>()
  /** Who is in the conference, as those above say. */
  readonly #admitted = new Set<MemberId>()
  readonly #distant: DistantMembers
  readonly #sender: OverlaySender
  readonly #distrustedUntilMs = new LruMap<MemberId, number>(DISTRUSTED_MAX)

  constructor(config: OverlayLinksConfig) {
    this.#config = config
    this.#self = config.own.member
    this.#meshMax = config.meshMax ?? FULL_MESH_MAX
    this.#records = new LinkRecords(config)
    this.#overlay = new Overlay({ id: this.#self, incarnation: config.incarnation }, config.random, this.#meshMax)
    this.#reception = new OverlayReception({
      ...config,
      records: this.#records,
      overlay: this.#overlay,
      certificateOf: (member, from) => config.mesh().certificateOf(member, from),
      receive: (from, message) => this.#step({ type: "message", from, message }),
    })
    this.#sender = new OverlaySender({
      overlay: this.#overlay,
      mesh: config.mesh,
      step: (input) => this.#step(input),
    })
    this.#distant = new DistantMembers({
      records: this.#records,
      recordOf: (member) => this.#overlay.recordOf(member),
      linkWith: (member) => this.#direct.get(member),
      emit: config.emit,
      onHeartbeat: config.onHeartbeat,
    })
    this.#teller = new StatusTeller((status) => {
      this.#status = status
      this.#step({ type: "news" })
    })
  }

  /** There are too many for a link with everybody. */
  get active(): boolean {
    return this.#active
  }

  /** With a link that is used to reach the others. */
  neighbours(): readonly MemberId[] {
    return this.#overlay.neighbours()
  }

  isLinked(member: MemberId): boolean {
    return this.#direct.has(member)
  }

  /** Whether to have a link with it. */
  wants(member: MemberId): boolean {
    return !this.#active || (this.#overlay.wants(member) && !this.#isDistrusted(member))
  }

  /** Null: for the mesh to say. */
  isMissing(): boolean | null {
    return this.#active ? this.#overlay.neighbours().length < DEGREE_MIN : null
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    if (!this.#active && this.#config.mesh().contactCount + 1 > this.#meshMax) this.#activate()
    if (!this.#active) return
    this.#teller.tick(nowMs, this.#overlay.reachableCount + 1)
    this.#step({ type: "tick" })
  }

  /** From now on; the others follow, as soon as they hear of it. */
  #activate(): void {
    if (this.#active) return
    this.#active = true
    for (const peer of this.#admitted) this.#join(peer)
  }

  // From the mesh

  handle(output: MeshOutput): void {
    const { emit } = this.#config
    switch (output.type) {
      case "contact":
        return this.#onContact(output)
      case "signal":
        return this.#onSignal(output)
      case "linkUp":
        this.#direct.set(output.peer, output)
        return emit({ ...output, distant: this.#distant.isIncarnation(output) })
      case "linkDown":
        this.#direct.delete(output.peer)
        if (this.#active) this.#step({ type: "linkDown", peer: output.peer })
        if (!this.#distant.has(output.peer)) return emit(output)
        return emit({ type: "path", peer: output.peer, path: "relayed-by-member" })
      default:
        return emit(output)
    }
  }

  #onContact({ peer, credential, keys, greeted }: Extract<MeshOutput, { type: "contact" }>): void {
    if (!this.#active || !this.#config.admits(credential, keys) || this.#isDistrusted(peer)) return
    this.#step({ type: "advertisement", from: peer, eagerness: 1 })
    // It greets everybody, so it may not know how many there are.
    const isNew = greeted && !this.#overlay.recordOf(peer) && !this.#overlay.wants(peer)
    if (isNew) this.#config.mesh().signal(peer, encodeDiscovery({ kind: "many" }))
  }

  #onSignal({ peer, credential, keys, bytes }: Extract<MeshOutput, { type: "signal" }>): void {
    const message = decodeDiscovery(bytes)
    if (!message || !this.#config.admits(credential, keys) || this.#isDistrusted(peer)) return
    this.#activate()
    this.#step({ type: "signal", from: peer, message })
  }

  // From above

  /** Those above take it for a member, and have been told all that came before. */
  admitted(peer: MemberId): void {
    this.#admitted.add(peer)
    this.#join(peer)
  }

  dismissed(peer: MemberId): void {
    this.#admitted.delete(peer)
    if (this.#active) this.#step({ type: "linkDown", peer })
  }

  #join(peer: MemberId): void {
    if (this.#active && this.#direct.has(peer)) this.#step({ type: "linkUp", peer })
  }

  isDistant(peer: MemberId): boolean {
    return this.#distant.has(peer)
  }

  /** To distant members. `frame`: the message's, if it is one. */
  carry(to: readonly MemberId[], message: LinkMessage, frame: CarriedFrame | null, how: Sending): void {
    if (message.type === "heartbeat") return this.#teller.heartbeat(message.heartbeat)
    if (message.type === "acknowledgement") return this.#teller.acknowledgement(message.acknowledgement)
    if (frame) this.#sender.carry(to, frame, how)
  }

  // From neighbours

  /** What is wrong with it; null if nothing is, or if that need not be its neighbour's fault. */
  async receive(from: MemberId, bytes: Uint8Array, opener: FrameOpener): Promise<FrameRejection | null> {
    const message = decodeOverlayMessage(bytes)
    if (!message) return "malformed"
    this.#activate()
    const why = await this.#reception.take(from, message, opener)
    if (why) this.#distrust(from)
    return why
  }

  /** Nobody honest passes on what it has not verified. */
  #distrust(member: MemberId): void {
    this.#distrustedUntilMs.set(member, this.#nowMs + DISTRUST_MS)
    this.#step({ type: "linkDown", peer: member })
    this.#config.mesh().part(member)
  }

  #isDistrusted(member: MemberId): boolean {
    return (this.#distrustedUntilMs.get(member) ?? -Infinity) > this.#nowMs
  }

  // From the overlay

  #step(input: OverlayInput<CarriedFrame, CheckedRecord>): void {
    for (const output of this.#overlay.step(input, this.#nowMs)) this.#act(output)
  }

  #act(output: OverlayOutput<CarriedFrame, CheckedRecord>): void {
    const { mesh, onFrame } = this.#config
    switch (output.type) {
      case "advertise":
        return this.#announce()
      case "signal":
        return mesh().signal(output.to, encodeDiscovery(output.message))
      case "connect":
        // The mesh asks whom it is to be linked with.
        return
      case "disconnect":
        return mesh().part(output.peer)
      case "send":
        return this.#sender.send(output.to, output.message)
      case "deliver":
        return onFrame(output.message)
      case "reachable":
        return this.#distant.reach(output.member)
      case "unreachable":
        return this.#distant.lose(output.member)
      case "tell":
        return void this.#records
          .complete(output.state, this.#status)
          .then((record) => this.#step({ type: "told", record }))
          .catch(this.#config.fail)
      case "told":
        return this.#distant.onTold(output.record)
    }
  }

  #announce(): void {
    if (!this.isMissing() || this.#nowMs - this.#announcedMs < ANNOUNCE_MS) return
    this.#announcedMs = this.#nowMs
    this.#config.mesh().announce()
  }
}
