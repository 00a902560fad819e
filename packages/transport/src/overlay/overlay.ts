/**
 * The links of a member among many: neighbour discovery, link state and dissemination together, as one machine. What
 * goes over it is others' business; so is making the links that discovery asks for.
 */
import type { MemberId } from "../ids.ts"
import { HOPS_MAX, LINK_STATE_MS, NEIGHBOURS_TOLD_MAX } from "./bounds.ts"
import {
  Plumtree,
  type Gossip,
  type GossipId,
  type PlumtreeMessage,
  type PlumtreeOutput,
} from "./dissemination/plumtree.ts"
import {
  NeighbourDiscovery,
  type DiscoveryInput,
  type DiscoveryMessage,
  type DiscoveryOutput,
} from "./discovery/discovery.ts"
import { Flooding, type FloodingMessage } from "./link-state/flooding.ts"
import { LinkStates, type LinkState } from "./link-state/link-states.ts"

/** What a member tells of itself besides its neighbours. */
export type Told<S> = LinkState & { readonly status: S }

export type OverlayMessage<M, S> =
  | { readonly type: "discovery"; readonly message: DiscoveryMessage }
  | { readonly type: "linkState"; readonly message: FloodingMessage<Told<S>> }
  | { readonly type: "gossip"; readonly message: PlumtreeMessage<M> }
  /** To one member over several hops; who passes it on takes one off. */
  | { readonly type: "routed"; readonly target: MemberId; readonly hopsLeft: number; readonly message: M }

export type OverlayInput<M, S> =
  | { readonly type: "advertisement"; readonly from: MemberId; readonly eagerness: number }
  /** Through the bus, from somebody with whom there may be no link yet. */
  | { readonly type: "signal"; readonly from: MemberId; readonly message: DiscoveryMessage }
  | { readonly type: "linkUp" | "linkDown"; readonly peer: MemberId }
  /** Over a link. */
  | { readonly type: "message"; readonly from: MemberId; readonly message: OverlayMessage<M, S> }
  | { readonly type: "broadcast"; readonly gossip: Gossip<M> }
  | { readonly type: "unicast"; readonly to: MemberId; readonly message: M }
  | { readonly type: "status"; readonly status: S }
  /** Towards whom two neighbours are to be nearer than this member. */
  | { readonly type: "sequencer"; readonly member: MemberId }
  | { readonly type: "tick" }

export type OverlayOutput<M, S> =
  | { readonly type: "advertise"; readonly eagerness: number }
  | { readonly type: "signal"; readonly to: MemberId; readonly message: DiscoveryMessage }
  /** Make, or end, the link to a neighbour. */
  | { readonly type: "connect" | "disconnect"; readonly peer: MemberId }
  | { readonly type: "send"; readonly to: MemberId; readonly message: OverlayMessage<M, S> }
  | { readonly type: "deliver"; readonly from: MemberId; readonly message: M }
  | { readonly type: "reachable"; readonly member: MemberId; readonly incarnation: number }
  | { readonly type: "unreachable"; readonly member: MemberId }
  | { readonly type: "told"; readonly record: Told<S> }

export class Overlay<M, S> {
  readonly #self: { readonly id: MemberId; readonly incarnation: number }
  readonly #discovery: NeighbourDiscovery
  readonly #states: LinkStates<Told<S>>
  readonly #flooding: Flooding<Told<S>>
  readonly #plumtree = new Plumtree<M>()
  readonly #links = new Set<MemberId>()
  #status: S
  #told: { readonly atMs: number; readonly sequence: number } = { atMs: -Infinity, sequence: 0 }
  #dirty = true
  #sequencer: MemberId | null = null
  #nearerDue = false
  #outputs: OverlayOutput<M, S>[] = []

  /** `random`: uniform in [0, 1). */
  constructor(self: { readonly id: MemberId; readonly incarnation: number }, status: S, random: () => number) {
    this.#self = self
    this.#status = status
    this.#discovery = new NeighbourDiscovery(self.id, random)
    this.#states = new LinkStates(self.id)
    this.#flooding = new Flooding(this.#states)
  }

  /** With a link that is up. */
  neighbours(): MemberId[] {
    return [...this.#links]
  }

  /** Whom discovery has agreed with, whether there is a link already or not. */
  wants(peer: MemberId): boolean {
    return this.#discovery.has(peer)
  }

  /** Neighbours nearer to the sequencer than this member; Infinity for itself and those beside it. */
  parents(): number {
    if (this.#sequencer === null || this.#sequencer === this.#self.id || this.#links.has(this.#sequencer))
      return Infinity
    const nearer = this.#states.nearerTo(this.#sequencer)
    return [...this.#links].filter((peer) => nearer.has(peer)).length
  }

  /** Whether it has been said to all, by this member or another. */
  wasSaid(id: GossipId): boolean {
    return this.#plumtree.has(id)
  }

  /** How many others can be reached. */
  get reachableCount(): number {
    return this.#states.reachableCount
  }

  step(input: OverlayInput<M, S>, nowMs: number): readonly OverlayOutput<M, S>[] {
    this.#outputs = []
    this.#handle(input, nowMs)
    return this.#outputs
  }

  #handle(input: OverlayInput<M, S>, nowMs: number): void {
    switch (input.type) {
      case "advertisement":
        return this.#discover(input, nowMs)
      case "signal":
        return this.#discover({ ...input, type: "message" }, nowMs)
      case "linkUp":
        return this.#linkUp(input.peer)
      case "linkDown":
        this.#unlink(input.peer)
        return this.#discover({ type: "lost", peer: input.peer }, nowMs)
      case "message":
        return this.#receive(input.from, input.message, nowMs)
      case "broadcast":
        return this.#spread(this.#plumtree.broadcast(input.gossip, nowMs))
      case "unicast":
        return this.#route(input.to, HOPS_MAX, input.message)
      case "status":
        this.#status = input.status
        this.#dirty = true
        return
      case "sequencer":
        this.#nearerDue ||= this.#sequencer !== input.member
        this.#sequencer = input.member
        return
      case "tick":
        return this.#tick(nowMs)
    }
  }

  #receive(from: MemberId, message: OverlayMessage<M, S>, nowMs: number): void {
    switch (message.type) {
      case "discovery":
        return this.#discover({ type: "message", from, message: message.message }, nowMs)
      case "linkState":
        for (const record of this.#flooding.receive(from, message.message)) this.#outputs.push({ type: "told", record })
        return
      case "gossip":
        return this.#spread(this.#plumtree.receive(from, message.message, nowMs))
      case "routed":
        if (message.target === this.#self.id) this.#outputs.push({ type: "deliver", from, message: message.message })
        else if (message.hopsLeft > 1) this.#route(message.target, message.hopsLeft - 1, message.message)
    }
  }

  #linkUp(peer: MemberId): void {
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
        // Only over the link does a heartbeat show that it carries something.
        if (message.kind === "heartbeat") return this.#send(to, { type: "discovery", message })
        return void this.#outputs.push({ type: "signal", to, message })
      }
      case "up":
        return void this.#outputs.push({ type: "connect", peer: output.peer })
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

  /** Lost where no way is known: whoever waits for it asks again. */
  #route(target: MemberId, hopsLeft: number, message: M): void {
    const next = this.#states.nextHop(target)
    if (next) this.#send(next, { type: "routed", target, hopsLeft, message })
  }

  #send(to: MemberId, message: OverlayMessage<M, S>): void {
    if (this.#links.has(to)) this.#outputs.push({ type: "send", to, message })
  }

  // Time

  #tick(nowMs: number): void {
    if (this.#dirty && nowMs - this.#told.atMs >= LINK_STATE_MS) this.#tell(nowMs)
    this.#states.tick(nowMs)
    this.#noteReachable(nowMs)
    this.#discover({ type: "tick" }, nowMs)
    this.#spread(this.#plumtree.tick(nowMs))
    for (const { to, message } of this.#flooding.flush()) this.#send(to, { type: "linkState", message })
  }

  #tell(nowMs: number): void {
    this.#dirty = false
    this.#told = { atMs: nowMs, sequence: this.#told.sequence + 1 }
    const { id: origin, incarnation } = this.#self
    const before = this.#states.get(origin)?.neighbours ?? []
    const now = [...this.#links].sort().slice(0, NEIGHBOURS_TOLD_MAX)
    // The same list as before where it is: nobody has to look for a difference.
    const neighbours = before.length === now.length && before.every((peer, i) => peer === now[i]) ? before : now
    this.#flooding.tell({ origin, incarnation, sequence: this.#told.sequence, neighbours, status: this.#status })
  }

  #noteReachable(nowMs: number): void {
    const changes = this.#states.changes()
    for (const member of changes?.unreachable ?? []) this.#outputs.push({ type: "unreachable", member })
    for (const { member, incarnation } of changes?.reachable ?? []) {
      this.#outputs.push({ type: "reachable", member, incarnation })
      this.#outputs.push({ type: "told", record: this.#states.get(member)! })
    }
    if (!changes && !this.#nearerDue) return
    this.#nearerDue = false
    const towards = this.#sequencer === this.#self.id ? null : this.#sequencer
    const nearer = towards === null ? new Set<MemberId>() : this.#states.nearerTo(towards)
    this.#discover({ type: "topology", reachable: this.#states.reachable(), nearer }, nowMs)
  }
}
