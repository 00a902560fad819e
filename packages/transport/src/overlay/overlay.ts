/**
 * A member's links in a large conference: neighbour discovery, link state and dissemination as one state machine. The
 * content of messages, and making the links that discovery asks for, are the caller's task.
 */
import type { MemberId } from "../members/ids.ts"
import {
  DEGREE_MAX,
  FULL_MESH_MAX,
  HOPS_MAX,
  LINK_STATE_MS,
  NEIGHBOURS_REPORTED_MAX,
} from "../bounds/overlay-bounds.ts"
import {
  Plumtree,
  type Gossip,
  type GossipId,
  type PlumtreeMessage,
  type PlumtreeOutput,
} from "./dissemination/plumtree.ts"
import { DISCOVERY } from "./discovery/parameters.ts"
import { NeighbourDiscovery } from "./discovery/neighbour-discovery.ts"
import type { DiscoveryInput, DiscoveryMessage, DiscoveryOutput } from "./discovery/discovery-messages.ts"
import { Flooding, type FloodingMessage, type FloodingOutput } from "./link-state/flooding.ts"
import { LinkStates, type LinkState, type Version } from "./link-state/link-states.ts"

/** `M`: the type of messages. `R`: a member's record, with its neighbours and other state. */
export type OverlayMessage<M, R extends LinkState> =
  | { readonly type: "discovery"; readonly message: DiscoveryMessage }
  | { readonly type: "linkState"; readonly message: FloodingMessage<R> }
  | { readonly type: "gossip"; readonly message: PlumtreeMessage<M> }
  /** To one member over several hops. Each forwarding member subtracts one from `hopsLeft`. */
  | { readonly type: "routed"; readonly target: MemberId; readonly hopsLeft: number; readonly message: M }

export type OverlayInput<M, R extends LinkState> =
  | { readonly type: "advertisement"; readonly from: MemberId; readonly eagerness: number }
  /** Through the bus, from a member to which there may be no link yet. */
  | { readonly type: "signal"; readonly from: MemberId; readonly message: DiscoveryMessage }
  /** `alive`: something has come over its link, for instance an acknowledgement. */
  | { readonly type: "linkUp" | "linkDown" | "alive"; readonly peer: MemberId }
  /** Over a link. */
  | { readonly type: "message"; readonly from: MemberId; readonly message: OverlayMessage<M, R> }
  | { readonly type: "broadcast"; readonly gossip: Gossip<M> }
  /**
   * `again`: it was sent before without an answer. A member on the path may have dropped it, so it takes another path.
   */
  | { readonly type: "unicast"; readonly to: MemberId; readonly message: M; readonly again?: boolean }
  /** The part of this member's own record besides its neighbours has changed. */
  | { readonly type: "news" }
  /** Answers `sign`: the completed record. */
  | { readonly type: "signed"; readonly record: R }
  /** The member for which two neighbours should be nearer to it than this member. */
  | { readonly type: "sequencer"; readonly member: MemberId }
  | { readonly type: "tick" }

export type OverlayOutput<M, R extends LinkState> =
  | { readonly type: "advertise"; readonly eagerness: number }
  | { readonly type: "signal"; readonly to: MemberId; readonly message: DiscoveryMessage }
  /** Make, or end, the link to a neighbour. */
  | { readonly type: "connect" | "disconnect"; readonly peer: MemberId }
  | { readonly type: "send"; readonly to: MemberId; readonly message: OverlayMessage<M, R> }
  | { readonly type: "deliver"; readonly from: MemberId; readonly message: M }
  | { readonly type: "reachable"; readonly member: MemberId; readonly incarnation: number }
  | { readonly type: "unreachable"; readonly member: MemberId }
  /** The state of this member, to be completed as a record and passed in as `signed`. */
  | { readonly type: "sign"; readonly state: LinkState }
  /** The record of another member that is new here, or of one that is reachable again. */
  | { readonly type: "record"; readonly record: R }

export class Overlay<M, R extends LinkState> {
  readonly #self: { readonly id: MemberId; readonly incarnation: number }
  /** Uniform in [0, 1). */
  readonly #random: () => number
  readonly #discovery: NeighbourDiscovery
  readonly #states: LinkStates<R>
  readonly #flooding: Flooding<R>
  readonly #plumtree = new Plumtree<M>()
  readonly #links = new Set<MemberId>()
  #own: { readonly atMs: number; readonly sequence: number }
  #dirty = true
  #sequencer: MemberId | null = null
  #nearerDue = false
  readonly #outputs: OverlayOutput<M, R>[] = []

  /**
   * `meshMax`: up to so many members, every member is a neighbour of every other. `sequence`: number of the last record
   * that this incarnation has published.
   */
  constructor(
    self: { readonly id: MemberId; readonly incarnation: number },
    random: () => number,
    meshMax = FULL_MESH_MAX,
    parameters = DISCOVERY,
    sequence = 0,
  ) {
    this.#self = self
    this.#own = { atMs: -Infinity, sequence }
    this.#random = random
    this.#discovery = new NeighbourDiscovery(self.id, random, meshMax, parameters)
    this.#states = new LinkStates(self.id)
    this.#flooding = new Flooding(this.#states, (peer) => this.#plumtree.eager.has(peer))
  }

  /** Number of the last published record. */
  get sequence(): number {
    return this.#own.sequence
  }

  /** Whether every reachable member has a link with every other one. */
  get isComplete(): boolean {
    return this.#states.isComplete
  }

  /** Neighbours with a link that is up. */
  neighbours(): MemberId[] {
    return [...this.#links]
  }

  /** Whether discovery has agreed with `peer`, with or without a link already. */
  wants(peer: MemberId): boolean {
    return this.#discovery.has(peer)
  }

  /** Neighbours nearer to the sequencer than this member. Infinity for the sequencer and its neighbours. */
  parents(): number {
    if (this.#sequencer === null || this.#sequencer === this.#self.id || this.#links.has(this.#sequencer))
      return Infinity
    const nearer = this.#states.nearerTo(this.#sequencer)
    return [...this.#links].filter((peer) => nearer.has(peer)).length
  }

  /** Whether this member has seen the message, from itself or another. */
  wasSaid(id: GossipId): boolean {
    return this.#plumtree.has(id)
  }

  /** The newest record of a member, of any incarnation. */
  recordOf(member: MemberId): R | undefined {
    return this.#states.get(member)
  }

  /** Whether this version is newer than the record known of its origin. */
  isNews(version: Version): boolean {
    return this.#states.isNews(version)
  }

  /** Number of other members that can be reached. */
  get reachableCount(): number {
    return this.#states.reachableCount
  }

  /** Time of the tick that this member needs next, if nothing else comes first; -Infinity for every tick. */
  get nextTickMs(): number {
    const isSettled = !this.#dirty && !this.#nearerDue && this.#flooding.isSettled && this.#plumtree.isSettled
    return isSettled ? this.#discovery.nextTickMs : -Infinity
  }

  step(input: OverlayInput<M, R>, nowMs: number): readonly OverlayOutput<M, R>[] {
    this.#handle(input, nowMs)
    return this.rest()
  }

  /** The outputs of a step that threw. */
  rest(): readonly OverlayOutput<M, R>[] {
    return this.#outputs.splice(0)
  }

  #handle(input: OverlayInput<M, R>, nowMs: number): void {
    switch (input.type) {
      case "advertisement":
        return this.#discover(input, nowMs)
      case "signal":
        return this.#discover({ ...input, type: "message" }, nowMs)
      case "linkUp":
        this.#linkUp(input.peer)
        return this.#discover({ type: "linked", peer: input.peer }, nowMs)
      case "linkDown":
        this.#unlink(input.peer)
        return this.#discover({ type: "lost", peer: input.peer }, nowMs)
      case "alive":
        return this.#heard(input.peer, nowMs)
      case "message":
        return this.#receive(input.from, input.message, nowMs)
      case "broadcast":
        return this.#spread(this.#plumtree.broadcast(input.gossip, nowMs))
      case "unicast":
        return this.#route(input.to, HOPS_MAX, input.message, input.again ? this.#nextHop(input.to) : null)
      case "news":
        this.#dirty = true
        return
      case "signed":
        this.#flooding.publish(input.record)
        return this.#sendRecords(this.#flooding.flush())
      case "sequencer":
        this.#nearerDue ||= this.#sequencer !== input.member
        this.#sequencer = input.member
        return
      case "tick":
        return this.#tick(nowMs)
    }
  }

  #receive(from: MemberId, message: OverlayMessage<M, R>, nowMs: number): void {
    this.#heard(from, nowMs)
    switch (message.type) {
      case "discovery":
        return this.#discover({ type: "message", from, message: message.message }, nowMs)
      case "linkState":
        for (const record of this.#flooding.receive(from, message.message, nowMs))
          this.#outputs.push({ type: "record", record })
        return
      case "gossip":
        return this.#spread(this.#plumtree.receive(from, message.message, nowMs))
      case "routed":
        if (message.target === this.#self.id) this.#outputs.push({ type: "deliver", from, message: message.message })
        else if (message.hopsLeft > 1) this.#route(message.target, message.hopsLeft - 1, message.message, from)
    }
  }

  #heard(peer: MemberId, nowMs: number): void {
    if (this.#discovery.heard(peer, nowMs)) this.#linkUp(peer)
  }

  #linkUp(peer: MemberId): void {
    if (this.#links.has(peer)) return
    this.#links.add(peer)
    this.#dirty = true
    const { to, message } = this.#flooding.linkUp(peer)
    this.#send(to, { type: "linkState", message })
    this.#spread(this.#plumtree.linkUp(peer))
  }

  #unlink(peer: MemberId): void {
    if (!this.#links.delete(peer)) return
    this.#dirty = true
    this.#flooding.linkDown(peer)
    this.#plumtree.linkDown(peer)
  }

  #discover(input: DiscoveryInput, nowMs: number): void {
    for (const output of this.#discovery.step(input, nowMs)) this.#onDiscovered(output)
  }

  #onDiscovered(output: DiscoveryOutput): void {
    switch (output.type) {
      case "advertise":
        return void this.#outputs.push(output)
      case "send": {
        const { to, message } = output
        // A heartbeat goes only over the link itself: it shows that the link works.
        if (message.kind === "heartbeat") return this.#send(to, { type: "discovery", message })
        return void this.#outputs.push({ type: "signal", to, message })
      }
      case "up":
        return void this.#outputs.push({ type: "connect", peer: output.peer })
      case "silent":
        return this.#unlink(output.peer)
      case "down":
        this.#unlink(output.peer)
        return void this.#outputs.push({ type: "disconnect", peer: output.peer })
    }
  }

  #spread(outputs: readonly PlumtreeOutput<M>[]): void {
    for (const output of outputs) {
      if (output.type === "deliver") this.#outputs.push(output)
      else this.#send(output.to, { type: "gossip", message: output.message })
    }
  }

  /** Lost without a known path: the layer above repeats its request. */
  #route(target: MemberId, hopsLeft: number, message: M, past: MemberId | null): void {
    const shortest = this.#nextHop(target)
    const next = shortest !== null && shortest === past ? this.#another(shortest) : shortest
    if (next) this.#send(next, { type: "routed", target, hopsLeft, message })
  }

  #nextHop(target: MemberId): MemberId | null {
    return this.#links.has(target) ? target : this.#states.nextHop(target)
  }

  #another(neighbour: MemberId): MemberId {
    const others = [...this.#links].filter((other) => other !== neighbour)
    return others[Math.floor(this.#random() * others.length)] ?? neighbour
  }

  #send(to: MemberId, message: OverlayMessage<M, R>): void {
    // A silent neighbour gets heartbeats only.
    if (!this.#links.has(to) && message.type !== "discovery") return
    this.#discovery.said(to)
    this.#outputs.push({ type: "send", to, message })
  }

  // Time

  #tick(nowMs: number): void {
    if (this.#dirty && nowMs - this.#own.atMs >= this.#publishMs) this.#publish(nowMs)
    this.#states.tick(nowMs)
    this.#noteReachable(nowMs)
    this.#discover({ type: "tick" }, nowMs)
    this.#spread(this.#plumtree.tick(nowMs))
    this.#sendRecords(this.#flooding.tick(nowMs))
  }

  /** A record goes over each link, and a full mesh has more of them than the overlay makes. */
  get #publishMs(): number {
    return LINK_STATE_MS * Math.max(1, this.#links.size / DEGREE_MAX)
  }

  #sendRecords(outputs: readonly FloodingOutput<R>[]): void {
    for (const { to, message } of outputs) this.#send(to, { type: "linkState", message })
  }

  #publish(nowMs: number): void {
    this.#dirty = false
    this.#own = { atMs: nowMs, sequence: this.#own.sequence + 1 }
    const { id: origin, incarnation } = this.#self
    const before = this.#ownNeighbours
    const now = [...this.#links].sort().slice(0, NEIGHBOURS_REPORTED_MAX)
    // Returns the identical array if nothing changed, so no caller compares the lists.
    const neighbours = before.length === now.length && before.every((peer, i) => peer === now[i]) ? before : now
    this.#ownNeighbours = neighbours
    this.#outputs.push({ type: "sign", state: { origin, incarnation, sequence: this.#own.sequence, neighbours } })
  }
  #ownNeighbours: readonly MemberId[] = []

  #noteReachable(nowMs: number): void {
    const changes = this.#states.changes()
    for (const member of changes?.unreachable ?? []) this.#outputs.push({ type: "unreachable", member })
    for (const { member, incarnation } of changes?.reachable ?? []) {
      this.#outputs.push({ type: "reachable", member, incarnation })
      this.#outputs.push({ type: "record", record: this.#states.get(member)! })
    }
    if (!changes && !this.#nearerDue) return
    this.#nearerDue = false
    const towards = this.#sequencer === this.#self.id ? null : this.#sequencer
    const nearer = towards === null ? new Set<MemberId>() : this.#states.nearerTo(towards)
    this.#discover({ type: "topology", reachable: this.#states.reachable(), nearer }, nowMs)
  }
}
