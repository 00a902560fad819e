/**
 * Links of a conference of any size. Up to 24 members there is a full mesh, and this layer only forwards. Two of them
 * without a path between each other are reached over the others, as long as that lasts. Beyond 24 members it keeps a
 * few links, chosen by neighbour discovery, and reaches the other members over them. Signed link state describes
 * members and routes. Each member verifies frames before it forwards them.
 *
 * The layer is between the mesh and the gate. To the upper layers a member is up, `distant` or not, and can be sent to.
 */
import type { Faults } from "../platform/surroundings.ts"
import {
  decodeDiscovery,
  decodeOverlayMessage,
  encodeDiscovery,
  StatusReporter,
  type CarriedFrame,
  type Heartbeat,
  type LinkMessage,
  type MemberId,
  type Mesh,
  type MeshOutput,
  type OverlayInput,
  type OverlayOutput,
  type Sending,
  type Status,
  type Sink,
} from "@keymoot/transport"
import type { SecurityEvent } from "../api/index.ts"
import { Containment, type Cause } from "../frames/containment.ts"
import { DistantMembers } from "./distant-members.ts"
import type { Charge, FrameOpener, FrameRejection } from "../frames/frame-opener.ts"
import { OverlayReception } from "./overlay-reception.ts"
import { LinkRecords, type CheckedRecord, type LinkRecordsConfig } from "./link-records.ts"
import { MissingPaths } from "./missing-paths.ts"
import { OverlaySender } from "./overlay-sender.ts"
import type { Topology, TopologyMode } from "./topology.ts"

/** Minimum interval of announcements to the room: rounds of neighbour discovery come sooner than the server bears. */
const ANNOUNCE_MS = 1_500

export type LinkUp = Extract<MeshOutput, { type: "linkUp" }> & { readonly distant?: boolean }
/** `distant`: it is reached over the overlay. */
export type LinkOutput =
  | Exclude<MeshOutput, { type: "linkUp" | "contact" | "signal" | "traced" }>
  | LinkUp
  /** A distant member's, verified. */
  | { readonly type: "heartbeat"; readonly peer: MemberId; readonly heartbeat: Heartbeat }
  /** A frame that came over the overlay, verified. */
  | { readonly type: "carried"; readonly carried: CarriedFrame }
/** Outputs about another member. */
export type PeerOutput = Exclude<
  LinkOutput,
  { type: "server" | "path" | "acknowledged" | "otherVersions" | "superseded" }
>

export type OverlayLinksConfig = LinkRecordsConfig & {
  readonly topology: Topology
  readonly mesh: Pick<Mesh, "send" | "signal" | "part" | "certificateOf" | "countContacts" | "announce" | "hasPath">
  /** Passes an output to the upper layers. */
  readonly sink: Sink<LinkOutput>
  readonly faults: Faults
}

export class OverlayLinks {
  readonly #config: OverlayLinksConfig
  readonly #topology: Topology
  readonly #records: LinkRecords
  readonly #reception: OverlayReception
  readonly #reporter: StatusReporter
  #status: Status = null
  /** Mode that this layer follows already. */
  #mode: TopologyMode = "mesh"
  #nowMs = 0
  #announcedMs = -Infinity
  readonly #direct = new Map<MemberId, LinkUp>()
  /** Admitted members, as reported by the upper layers. */
  readonly #admitted = new Set<MemberId>()
  readonly #missing: MissingPaths
  readonly #distant: DistantMembers
  readonly #sender: OverlaySender
  readonly #containment: Containment

  constructor(config: OverlayLinksConfig) {
    this.#config = config
    const { topology, mesh, sink, faults } = config
    this.#topology = topology
    this.#records = new LinkRecords(config)
    const report = (event: SecurityEvent): void => sink.take({ type: "security", ...event, code: "handling-failed" })
    this.#containment = new Containment(faults, report)
    this.#reception = new OverlayReception({ ...config, records: this.#records })
    this.#sender = new OverlaySender({ topology, mesh })
    const direct = this.#direct
    this.#missing = new MissingPaths(mesh, direct)
    this.#distant = new DistantMembers({ records: this.#records, topology, direct, missing: this.#missing })
    this.#reporter = new StatusReporter((status) => {
      this.#status = status
      this.#step({ type: "news" }, "own")
    })
  }

  /** Linked members over which others are reached. */
  neighbours(): readonly MemberId[] {
    return this.#topology.overlay.neighbours()
  }

  isLinked(member: MemberId): boolean {
    return this.#direct.has(member)
  }

  get #isUsed(): boolean {
    return this.#mode !== "mesh"
  }

  /** Time of the tick that this layer needs next, if no input comes before; -Infinity for every tick. */
  get nextTickMs(): number {
    if (!this.#missing.isEmpty) return -Infinity
    if (!this.#isUsed) return Infinity
    return this.#topology.isWide && this.#reporter.isSettled ? this.#topology.overlay.nextTickMs : -Infinity
  }

  /** `heldUp`: members that linked neighbours hold up. */
  tick(nowMs: number, heldUp: ReadonlySet<MemberId>): void {
    this.#nowMs = nowMs
    this.#containment.tick(nowMs)
    this.#missing.tick(new Set([...heldUp, ...this.#direct.keys()]), nowMs)
    const needsHelp = [...heldUp].some((member) => this.#missing.isSought(member) || this.#isReplaced(member))
    this.#topology.tick(nowMs, this.#contactCount + 1, needsHelp)
    this.#followTopology()
    if (this.#mode === "mesh") return
    if (this.#mode === "helping") this.#followPaths()
    this.#reporter.tick(nowMs, this.#topology.overlay.reachableCount + 1)
    this.#step({ type: "tick" }, "own")
  }

  /** Whether it is reached over the overlay although there should be a path to it. */
  #isReplaced(member: MemberId): boolean {
    return this.#missing.has(member) && this.#distant.has(member)
  }

  /**
   * People that wait are no members. Otherwise strangers could make a small conference give up its full mesh. The server
   * could do so with advertisements of people who have left. In an overlay most members exchange nothing else.
   */
  get #contactCount(): number {
    const { mesh, policy } = this.#config
    const evidence = this.#topology.isWide ? "any" : "proof"
    return mesh.countContacts((credential, keys) => policy.mayBeInside(credential, keys), evidence)
  }

  #followTopology(): void {
    const { mode } = this.#topology
    const former = this.#mode
    if (mode === former) return
    this.#mode = mode
    if (mode === "mesh") return this.#emitAll(this.#distant.end())
    if (former === "mesh") for (const peer of this.#admitted) this.#join(peer)
    if (mode === "overlay") this.#emitAll(this.#distant.widen())
    else if (former === "overlay") this.#emitAll(this.#distant.narrow())
  }

  /** In a full mesh a route over others replaces a link while it has no path. */
  #followPaths(): void {
    const neighbours = new Set(this.#topology.overlay.neighbours())
    for (const [peer, link] of this.#direct) {
      if (this.#missing.has(peer)) {
        if (neighbours.has(peer)) this.#step({ type: "linkDown", peer }, "own")
        if (this.#missing.isDue(peer) && !this.#distant.has(peer)) this.#emitAll(this.#distant.replace(peer))
        continue
      }
      if (this.#distant.has(peer)) {
        this.#distant.forget(peer)
        this.#config.sink.take({ ...link, distant: false })
      }
      if (!this.#topology.overlay.wants(peer) && this.#admitted.has(peer)) this.#join(peer)
    }
  }

  // Input of the mesh

  handle(output: MeshOutput): void {
    const { sink } = this.#config
    switch (output.type) {
      case "contact":
        return this.#onContact(output)
      case "signal":
        return this.#onSignal(output)
      case "traced":
        return
      case "linkUp":
        this.#direct.set(output.peer, output)
        if (!this.#topology.isWide) this.#distant.forget(output.peer)
        return sink.take({ ...output, distant: this.#distant.isIncarnation(output) })
      case "linkDown":
        this.#direct.delete(output.peer)
        if (this.#mode !== "mesh") this.#step({ type: "linkDown", peer: output.peer })
        if (!this.#distant.has(output.peer)) return sink.take(output)
        return sink.take({ type: "path", peer: output.peer, path: "relayed-by-member" })
      case "alive":
        if (this.#isUsed) this.#step(output)
        return sink.take(output)
      case "path":
        this.#missing.found(output.peer)
        return sink.take(output)
      default:
        return sink.take(output)
    }
  }

  #onContact({ peer, credential, keys, greeted }: Extract<MeshOutput, { type: "contact" }>): void {
    const { topology, policy, mesh } = this.#config
    if (!topology.isWide || !policy.mayBeInside(credential, keys) || topology.isDistrusted(peer)) return
    this.#step({ type: "advertisement", from: peer, eagerness: 1 })
    // A member that greets everybody may not know how many there are.
    const isNew = greeted && !topology.overlay.recordOf(peer) && !topology.overlay.wants(peer)
    if (isNew) mesh.signal(peer, encodeDiscovery({ kind: "many" }))
  }

  #onSignal({ peer, credential, keys, bytes }: Extract<MeshOutput, { type: "signal" }>): void {
    const message = decodeDiscovery(bytes)
    if (!message || !this.#config.policy.mayBeInside(credential, keys) || this.#topology.isDistrusted(peer)) return
    if (message.kind === "many") this.#topology.claim(peer, this.#contactCount)
    this.#followTopology()
    if (this.#mode === "mesh") return
    this.#step({ type: "signal", from: peer, message })
  }

  // Input of the upper layers

  /** The upper layers have admitted the member and have processed all earlier outputs. */
  admitted(peer: MemberId): void {
    this.#admitted.add(peer)
    this.#join(peer)
  }

  dismissed(peer: MemberId): void {
    this.#admitted.delete(peer)
    if (this.#mode !== "mesh") this.#step({ type: "linkDown", peer })
  }

  #join(peer: MemberId): void {
    if (this.#mode !== "mesh" && this.#direct.has(peer)) this.#step({ type: "linkUp", peer })
  }

  isDistant(peer: MemberId): boolean {
    return this.#distant.has(peer)
  }

  /** Sends to distant members. `frame`: the message's, if it is one. */
  carry(to: readonly MemberId[], message: LinkMessage, frame: CarriedFrame | null, how: Sending): void {
    if (message.type === "heartbeat") return this.#reporter.heartbeat(message.heartbeat)
    if (message.type === "acknowledgement") return this.#reporter.acknowledgement(message.acknowledgement)
    if (!frame) return
    for (const input of this.#sender.carry(to, frame, how)) this.#step(input)
  }

  // Input of neighbours

  /** Returns the fault of a message; null if there is none, or if the neighbour may not have caused it. */
  async receive(
    from: MemberId,
    bytes: Uint8Array,
    opener: FrameOpener,
    charge: Charge,
  ): Promise<FrameRejection | null> {
    const message = decodeOverlayMessage(bytes)
    if (!message) return "malformed"
    this.#topology.help()
    this.#followTopology()
    if (!this.#isUsed) return null
    const { input, fault } = await this.#reception.take(from, message, opener, charge)
    // It may have returned to a full mesh meanwhile, where nobody keeps the records up to date.
    if (input && this.#isUsed) this.#step(input)
    if (fault) this.#distrust(from)
    return fault
  }

  /** Honest members forward only what they have verified. */
  #distrust(member: MemberId): void {
    this.#topology.distrust(member)
    this.#step({ type: "linkDown", peer: member })
    this.#config.mesh.part(member)
  }

  // Outputs of the overlay

  #step(input: OverlayInput<CarriedFrame, CheckedRecord>, cause: Cause = "peer"): void {
    const { overlay } = this.#topology
    const outputs = this.#containment.run(cause, () => overlay.step(input, this.#nowMs)) ?? overlay.rest()
    for (const output of outputs) this.#containment.run(cause, () => this.#act(output))
  }

  #act(output: OverlayOutput<CarriedFrame, CheckedRecord>): void {
    const { mesh, sink, faults } = this.#config
    switch (output.type) {
      case "advertise":
        return this.#announce()
      case "signal":
        return mesh.signal(output.to, encodeDiscovery(output.message))
      case "connect":
        // The mesh calls `wants` for its links.
        return
      case "disconnect":
        return this.#topology.isWide ? mesh.part(output.peer) : undefined
      case "send":
        return this.#sender.send(output.to, output.message)
      case "deliver":
        return sink.take({ type: "carried", carried: output.message })
      case "reachable":
        return this.#emitAll(this.#distant.reach(output.member))
      case "unreachable":
        return this.#emitAll(this.#distant.lose(output.member))
      case "sign":
        return void this.#records
          .complete(output.state, this.#status)
          .then((record) => this.#step({ type: "signed", record }, "own"))
          .catch(faults.fail)
      case "record":
        return this.#emitAll(this.#distant.onRecord(output.record))
    }
  }

  #emitAll(outputs: readonly LinkOutput[]): void {
    for (const output of outputs) this.#config.sink.take(output)
  }

  /** In a large conference neighbour discovery decides when to advertise, and otherwise the mesh. */
  #announce(): void {
    if (!this.#topology.isWide || this.#nowMs - this.#announcedMs < ANNOUNCE_MS) return
    this.#announcedMs = this.#nowMs
    this.#config.mesh.announce()
  }
}
