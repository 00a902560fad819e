/**
 * Neighbour discovery for conferences too large for a full mesh. Members advertise on the bus of a room (at the
 * bootstrap server). Others answer an advertisement with a two-message handshake, with a probability that gives the
 * advertiser about as many as it needs. Neighbour tables are soft state (FAIN). As in HyParView there are two. The
 * active one holds members that have agreed. The passive one holds members to ask if the active one is too small.
 */
import type { MemberId } from "../../members/ids.ts"
import {
  ALTERNATIVES_MAX,
  DECIDE_MS,
  DEGREE_REPORTED_MAX,
  DEGREE_REPORT_ROUNDS,
  FULL_MESH_MAX,
  HANDSHAKE_MS,
  PARENTS,
  PRUNE_MS,
  REFUSALS_MAX,
  REUNION_MS,
  TICK_LATE_MS,
} from "../../bounds/overlay-bounds.ts"
import { AdvertisingRounds } from "./advertising-rounds.ts"
import { KnownMembers } from "./known-members.ts"
import type { DiscoveryInput, DiscoveryMessage, DiscoveryOutput, Want } from "./discovery-messages.ts"
import { NeighbourTable } from "./neighbour-table.ts"
import { DISCOVERY, type DiscoveryParameters } from "./parameters.ts"

/** `deciding`: advertisements heard, and when to answer. */
type Heard = { readonly atMs: number; readonly eagerness: number }

export class NeighbourDiscovery {
  readonly #self: MemberId
  /** Uniform in [0, 1). */
  readonly #random: () => number
  readonly #meshMax: number
  readonly #parameters: DiscoveryParameters
  readonly #known = new KnownMembers()
  readonly #table: NeighbourTable
  readonly #asked = new Map<MemberId, number>()
  readonly #deciding = new Map<MemberId, Heard>()
  #reachable: ReadonlySet<MemberId> | null = null
  #nearer: ReadonlySet<MemberId> = new Set()
  #outputs: DiscoveryOutput[] = []
  readonly #rounds: AdvertisingRounds
  #heartbeatAtMs = 0
  #heartbeatRounds = 0
  /** Neighbours that got a message since the last round of heartbeats. */
  readonly #said = new Set<MemberId>()
  #prunedAtMs = -Infinity
  #reunitedAtMs = -Infinity
  #parentAtMs = 0
  #tickMs = 0
  /** Refusals since the last neighbour was found. */
  #refusals = 0

  constructor(self: MemberId, random: () => number, meshMax = FULL_MESH_MAX, parameters = DISCOVERY) {
    this.#self = self
    this.#meshMax = meshMax
    this.#random = random
    this.#parameters = parameters
    this.#table = new NeighbourTable(parameters.neighbourMs)
    this.#rounds = new AdvertisingRounds(random, parameters)
  }

  /** Whether both have agreed to be neighbours, as far as this member knows. */
  has(peer: MemberId): boolean {
    return this.#table.has(peer)
  }

  /** A heartbeat or another message has come over its link. Returns true if the peer was silent. */
  heard(peer: MemberId, nowMs: number): boolean {
    return this.#table.heard(peer, nowMs)
  }

  /** A message was sent over its link. */
  said(peer: MemberId): void {
    this.#said.add(peer)
  }

  /**
   * Time of the tick that this member needs next, if nothing else comes first; -Infinity for every tick. Advertisements
   * may be late.
   */
  get nextTickMs(): number {
    const { size } = this.#table
    const isSettled = size >= this.#least && size <= this.#places("parent")
    if (!isSettled || this.#asked.size > 0 || this.#deciding.size > 0) return -Infinity
    return Math.min(this.#heartbeatAtMs, this.#table.nextChangeMs)
  }

  step(input: DiscoveryInput, nowMs: number): readonly DiscoveryOutput[] {
    this.#outputs = []
    switch (input.type) {
      case "advertisement":
        if (input.from !== this.#self) this.#onAdvertisement(input.from, input.eagerness, nowMs)
        break
      case "message":
        if (input.from !== this.#self) this.#onMessage(input.from, input.message, nowMs)
        break
      case "linked":
        this.#known.heard(input.peer, nowMs)
        this.#table.linked(input.peer, nowMs)
        break
      case "lost":
        this.#end(input.peer)
        break
      case "topology":
        this.#reachable = input.reachable
        this.#nearer = input.nearer
        for (const member of input.reachable) if (!this.#known.has(member)) this.#known.heard(member, nowMs)
        break
      case "tick":
        this.#tick(nowMs)
    }
    return this.#outputs
  }

  /** Estimated number of members, this one included. */
  get #count(): number {
    return 1 + Math.max(this.#known.size, this.#table.size, this.#reachable?.size ?? 0)
  }

  get #isMesh(): boolean {
    return this.#count <= this.#meshMax
  }

  get #wanted(): number {
    return this.#isMesh ? this.#count - 1 : this.#parameters.degree
  }

  get #least(): number {
    return this.#isMesh ? this.#count - 1 : this.#parameters.degreeMin
  }

  #places(want: Want): number {
    if (this.#isMesh) return this.#meshMax
    return want === "spare" ? this.#parameters.degreeMax - PARENTS : this.#parameters.degreeMax
  }

  #isCutOff(member: MemberId): boolean {
    return this.#reachable !== null && !this.#reachable.has(member) && !this.#table.has(member)
  }

  /** If all members have enough neighbours, a newcomer gets a place only if one of them drops another. */
  get #ordinaryWant(): Want {
    return this.#refusals >= REFUSALS_MAX && this.#table.size < this.#least ? "need" : "spare"
  }

  // The bus

  #onAdvertisement(from: MemberId, eagerness: number, nowMs: number): void {
    this.#known.heard(from, nowMs)
    if (this.#table.has(from) || this.#deciding.has(from)) return
    this.#deciding.set(from, { atMs: nowMs + this.#random() * DECIDE_MS, eagerness })
  }

  #decide(nowMs: number): void {
    for (const [member, { atMs, eagerness }] of this.#deciding) {
      if (nowMs < atMs) continue
      this.#deciding.delete(member)
      const want = this.#isCutOff(member) ? "reunion" : this.#ordinaryWant
      const enough = this.#table.size + this.#asked.size >= this.#wanted
      if (this.#table.has(member) || this.#asked.has(member) || (enough && want !== "reunion")) continue
      const probability = this.#isMesh
        ? 1
        : ((this.#parameters.answers * this.#parameters.degree) / (this.#count - 1)) * eagerness
      if (this.#random() < probability) this.#ask(member, want, nowMs)
    }
  }

  // The handshake

  #ask(member: MemberId, want: Want, nowMs: number): void {
    this.#asked.set(member, nowMs)
    this.#send(member, { kind: "request", want })
  }

  #onMessage(from: MemberId, message: DiscoveryMessage, nowMs: number): void {
    switch (message.kind) {
      case "request":
        this.#known.heard(from, nowMs)
        return this.#onRequest(from, message.want, nowMs)
      case "accept": {
        const expected = this.#asked.delete(from)
        if (this.#table.has(from)) return
        // The answer is late, or was never requested.
        return expected ? this.#become(from, nowMs) : this.#send(from, { kind: "end" })
      }
      case "refuse":
        if (!this.#asked.delete(from)) return
        this.#refusals++
        return this.#onRefused(message.alternatives, nowMs)
      case "heartbeat":
        // One end has missed the end of the agreement. The notice makes both tables agree.
        if (!this.#table.has(from)) return this.#send(from, { kind: "end" })
        this.#known.heard(from, nowMs)
        return this.#table.refresh(from, message.degree, nowMs)
      case "end":
        this.#asked.delete(from)
        return this.#end(from)
      case "many":
        return this.#known.heard(from, nowMs)
    }
  }

  #onRequest(from: MemberId, want: Want, nowMs: number): void {
    this.#rounds.onRequest()
    const full = this.#table.size >= this.#places(want)
    const crossing = this.#asked.delete(from)
    const pressing = want === "reunion" || want === "need"
    if (!this.#table.has(from) && full && !crossing && !(pressing && this.#makeRoom(nowMs))) {
      const alternatives = this.#known.pick(ALTERNATIVES_MAX, this.#random, (other) => other !== from)
      return this.#send(from, { kind: "refuse", alternatives })
    }
    this.#send(from, { kind: "accept" })
    if (!this.#table.has(from)) this.#become(from, nowMs)
  }

  #onRefused(alternatives: readonly MemberId[], nowMs: number): void {
    for (const member of alternatives.slice(0, ALTERNATIVES_MAX)) {
      if (member !== this.#self && !this.#known.has(member)) this.#known.heard(member, nowMs)
    }
    const next = alternatives.find((member) => this.#mayAsk(member))
    if (next && this.#table.size + this.#asked.size < this.#wanted) this.#ask(next, this.#ordinaryWant, nowMs)
  }

  /** Drops a neighbour for a member from a part that was cut off, or for one without neighbours. */
  #makeRoom(nowMs: number): boolean {
    if (nowMs - this.#reunitedAtMs < REUNION_MS) return false
    this.#reunitedAtMs = nowMs
    const spare = this.#dispensable((member) => !this.#nearer.has(member))
    if (spare) this.#letGo(spare)
    return true
  }

  #dispensable(isSpare: (member: MemberId) => boolean): MemberId | null {
    return this.#table.dispensable(this.#wanted, isSpare, this.#random)
  }

  #become(peer: MemberId, nowMs: number): void {
    this.#refusals = 0
    this.#table.add(peer, nowMs)
    this.#outputs.push({ type: "up", peer })
  }

  #letGo(peer: MemberId): void {
    this.#send(peer, { kind: "end" })
    this.#end(peer)
  }

  #end(peer: MemberId): void {
    if (this.#table.remove(peer)) this.#outputs.push({ type: "down", peer })
  }

  #mayAsk(member: MemberId): boolean {
    return member !== this.#self && !this.#table.has(member) && !this.#asked.has(member)
  }

  // Time

  #tick(nowMs: number): void {
    this.#known.tick(nowMs)
    // If this member itself was late, the time does not count as silence of others.
    this.#table.excuse(nowMs - this.#tickMs - TICK_LATE_MS, nowMs)
    this.#tickMs = nowMs
    for (const peer of this.#table.silenced(nowMs)) this.#outputs.push({ type: "silent", peer })
    for (const member of this.#table.stale(nowMs)) {
      this.#known.forget(member)
      this.#letGo(member)
    }
    for (const [member, askedAtMs] of this.#asked) {
      if (nowMs - askedAtMs < HANDSHAKE_MS) continue
      this.#asked.delete(member)
      this.#known.forget(member)
    }
    this.#decide(nowMs)
    this.#fill(nowMs)
    this.#prune(nowMs)
    // With the minimum of neighbours it knows others, and asks these itself.
    const eagerness = this.#rounds.advertise(nowMs, this.#table.size < this.#parameters.degreeMin)
    if (eagerness !== null) this.#outputs.push({ type: "advertise", eagerness })
    this.#sendHeartbeats(nowMs)
  }

  /** Asks known members if there are too few neighbours, or too few nearer to the sequencer. */
  #fill(nowMs: number): void {
    const missing = this.#table.size < this.#least ? this.#wanted - this.#table.size - this.#asked.size : 0
    if (missing > 0) this.#askKnown(missing, nowMs)
    if (this.#isMesh || this.#asked.size > 0 || nowMs < this.#parentAtMs) return
    const parents = this.#table.members().filter((member) => this.#nearer.has(member))
    const wanted = Math.min(PARENTS, this.#nearer.size)
    if (parents.length >= wanted || this.#table.size >= this.#parameters.degreeMax) return
    const [parent] = this.#known.pick(1, this.#random, (other) => this.#nearer.has(other) && this.#mayAsk(other))
    if (!parent) return
    this.#parentAtMs = nowMs + this.#parameters.roundMs
    this.#ask(parent, "parent", nowMs)
  }

  /** Asks reachable members first, since the others may be gone. */
  #askKnown(count: number, nowMs: number): void {
    const near = this.#known.pick(count, this.#random, (other) => this.#mayAsk(other) && !this.#isCutOff(other))
    const far = this.#known.pick(count - near.length, this.#random, (other) => this.#mayAsk(other))
    for (const member of [...near, ...far]) if (this.#mayAsk(member)) this.#ask(member, this.#ordinaryWant, nowMs)
  }

  #prune(nowMs: number): void {
    if (this.#table.size <= this.#places("parent") || nowMs - this.#prunedAtMs < PRUNE_MS) return
    // A neighbour whose own neighbours are not known yet could become unreachable.
    const isSpare = (member: MemberId): boolean => !this.#nearer.has(member) && !!this.#reachable?.has(member)
    const spare = this.#dispensable(isSpare)
    if (!spare) return
    this.#prunedAtMs = nowMs
    this.#letGo(spare)
  }

  #sendHeartbeats(nowMs: number): void {
    if (nowMs < this.#heartbeatAtMs) return
    this.#heartbeatAtMs = nowMs + this.#parameters.heartbeatMs
    const isForAll = this.#heartbeatRounds++ % DEGREE_REPORT_ROUNDS === 0
    const message = { kind: "heartbeat", degree: Math.min(this.#table.size, DEGREE_REPORTED_MAX) } as const
    // One end of a link is enough, because the layer below answers. A round for all tells the degree.
    for (const peer of this.#table.members())
      if (isForAll || (this.#self < peer && !this.#said.has(peer))) this.#send(peer, message)
    this.#said.clear()
  }

  #send(to: MemberId, message: DiscoveryMessage): void {
    this.#outputs.push({ type: "send", to, message })
  }
}
