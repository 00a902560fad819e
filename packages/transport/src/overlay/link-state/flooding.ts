/**
 * Distribution of link records to all members. Urgent records go over every link: news of links and of a member's view,
 * since reachability and view changes depend on them. The rest, nearly all, goes over the links of the broadcast tree.
 * Other links carry only announcements of it, and a missing record is requested.
 *
 * A member with more links than the overlay makes is in a full mesh that helps members without a path. It sends its own
 * records over every link. Others in such a mesh leave them to it, unless its link with a neighbour is gone. Else each
 * record would cost as many messages as the mesh has links.
 *
 * In the overlay nobody leaves a record to its origin. That one could invent links, and withhold its record from a
 * neighbour that hears of it in no other way.
 */
import type { MemberId } from "../../members/ids.ts"
import { DEGREE_MAX, NEWS_MS } from "../../bounds/overlay-bounds.ts"
import type { Kept, LinkState, LinkStates, Version } from "./link-states.ts"
import { MissingRecords } from "./missing-records.ts"

export type FloodingMessage<R> =
  /** First message on a new link: the versions that this end knows, so that the other sends only newer records. */
  | { readonly kind: "versions"; readonly versions: readonly Version[] }
  | { readonly kind: "records"; readonly records: readonly R[] }
  /** Versions of recent records, which are sent only on request. */
  | { readonly kind: "news"; readonly versions: readonly Version[] }
  /** Requests the newest records of these origins. */
  | { readonly kind: "wanted"; readonly origins: readonly MemberId[] }

export type FloodingOutput<R> = { readonly to: MemberId; readonly message: FloodingMessage<R> }

/**
 * `bit` stands for the neighbour in `knowers`. `lacking`: records that the neighbour lacks according to itself. `left`:
 * records left to their origins.
 */
type Neighbour<R> = { readonly bit: number; readonly lacking: Set<Kept<R>>; readonly left: Set<Kept<R>> }

/** Neighbours with a bit. Other neighbours get all records, since their knowledge is not tracked. */
const BITS = 31

export class Flooding<R extends LinkState> {
  readonly #states: LinkStates<R>
  /** Whether a link is in the tree. */
  readonly #isInTree: (peer: MemberId) => boolean
  readonly #neighbours = new Map<MemberId, Neighbour<R>>()
  /** Records that are new here since the last flush. */
  readonly #fresh = new Set<Kept<R>>()
  /** Records sent over the tree since the last announcement. */
  readonly #unannounced = new Set<Kept<R>>()
  readonly #missing = new MissingRecords()
  #announceAtMs = 0
  /** See `LinkStates.unlinked`, at the last look. */
  #unlinked = 0

  constructor(states: LinkStates<R>, isInTree: (peer: MemberId) => boolean) {
    this.#states = states
    this.#isInTree = isInTree
  }

  /** Whether no record is missing or to be sent. */
  get isSettled(): boolean {
    const waiting = this.#fresh.size + this.#unannounced.size + this.#missing.size
    return waiting === 0 && [...this.#neighbours.values()].every(({ lacking }) => lacking.size === 0)
  }

  linkUp(peer: MemberId): FloodingOutput<R> {
    const bit = this.#freeBit()
    this.#states.forgetKnower(bit)
    this.#neighbours.set(peer, { bit, lacking: new Set(), left: new Set() })
    return { to: peer, message: { kind: "versions", versions: this.#states.versions() } }
  }

  #freeBit(): number {
    const taken = [...this.#neighbours.values()].reduce((bits, { bit }) => bits | bit, 0)
    for (let bit = 1, i = 0; i < BITS; i++, bit <<= 1) if ((taken & bit) === 0) return bit
    return 0
  }

  linkDown(peer: MemberId): void {
    this.#neighbours.delete(peer)
  }

  /** Distributes an own record. */
  publish(record: R): void {
    this.#take(record, 0)
  }

  /** Returns the records that were new here. */
  receive(from: MemberId, message: FloodingMessage<R>, nowMs: number): readonly R[] {
    const neighbour = this.#neighbours.get(from)
    const bit = neighbour?.bit ?? 0
    switch (message.kind) {
      case "records":
        return message.records.filter((record) => this.#take(record, bit))
      case "news":
        for (const version of message.versions) {
          if (this.#states.isLacking(version, bit)) this.#missing.announced(from, version, nowMs)
        }
        return []
      case "wanted":
        if (neighbour) for (const origin of message.origins) this.#lacks(neighbour, this.#states.kept(origin))
        return []
      case "versions":
        for (const version of message.versions) this.#states.isLacking(version, bit)
        if (neighbour) for (const kept of this.#states.newerThan(message.versions)) this.#lacks(neighbour, kept)
        return []
    }
  }

  #lacks({ bit, lacking }: Neighbour<R>, kept: Kept<R> | undefined): void {
    if (!kept) return
    kept.knowers &= ~bit
    lacking.add(kept)
  }

  #take(record: R, bit: number): boolean {
    const kept = this.#states.take(record, bit)
    if (!kept) return false
    this.#fresh.add(kept)
    for (const by of this.#missing.came(record)) kept.knowers |= this.#neighbours.get(by)?.bit ?? 0
    return true
  }

  tick(nowMs: number): FloodingOutput<R>[] {
    const outputs = this.flush()
    if (nowMs >= this.#announceAtMs) {
      this.#announceAtMs = nowMs + NEWS_MS
      outputs.push(...this.#announce())
    }
    for (const [to, origins] of this.#missing.due(nowMs)) {
      if (this.#neighbours.has(to)) outputs.push({ to, message: { kind: "wanted", origins } })
    }
    return outputs
  }

  /** Returns all queued records, one message for each neighbour. */
  flush(): FloodingOutput<R>[] {
    const outputs: FloodingOutput<R>[] = []
    if (this.#states.unlinked !== this.#unlinked) this.#retakeLeft()
    for (const [to, { bit, lacking, left }] of this.#neighbours) {
      const records: R[] = []
      const inTree = this.#isInTree(to)
      for (const kept of this.#fresh) {
        if ((kept.knowers & bit) !== 0 || lacking.has(kept)) continue
        const isOfMesh = isOfFullMesh(kept)
        if (isOfMesh && this.#neighbours.size > DEGREE_MAX && this.#states.isLinkedWithOrigin(kept, to)) {
          left.add(kept)
          continue
        }
        left.delete(kept)
        if (!isOfMesh && !inTree && !kept.isUrgent) continue
        kept.knowers |= bit
        records.push(kept.record)
      }
      for (const kept of lacking) {
        if ((kept.knowers & bit) !== 0) continue
        kept.knowers |= bit
        records.push(kept.record)
      }
      lacking.clear()
      if (records.length > 0) outputs.push({ to, message: { kind: "records", records } })
    }
    for (const kept of this.#fresh) {
      if (!kept.isUrgent) this.#unannounced.add(kept)
      kept.isUrgent = false
    }
    this.#fresh.clear()
    return outputs
  }

  /** A link of an origin is gone, so what was left to it may never have come. */
  #retakeLeft(): void {
    this.#unlinked = this.#states.unlinked
    for (const [to, { left, lacking }] of this.#neighbours) {
      for (const kept of left) {
        if (this.#states.isLinkedWithOrigin(kept, to)) continue
        left.delete(kept)
        lacking.add(kept)
      }
    }
  }

  #announce(): FloodingOutput<R>[] {
    const outputs: FloodingOutput<R>[] = []
    for (const [to, { bit, left }] of this.#neighbours) {
      const versions: Version[] = []
      for (const kept of this.#unannounced)
        if ((kept.knowers & bit) === 0 && !left.has(kept)) versions.push(kept.record)
      if (versions.length > 0) outputs.push({ to, message: { kind: "news", versions } })
    }
    this.#unannounced.clear()
    return outputs
  }
}

function isOfFullMesh({ record }: Kept<LinkState>): boolean {
  return record.neighbours.length > DEGREE_MAX
}
