/**
 * Who has whom for a neighbour, as everybody says of itself, and the ways that follow from it. A link counts when both
 * of its ends say so: one that carries nothing in one direction is seen to be up by one of them only.
 */
import type { MemberId } from "../../ids.ts"
import { LINK_STATE_KEPT_MS, LINK_STATES_MAX } from "../bounds.ts"

/** What a member says of itself, one number after the other in each of its lives. */
export type LinkState = {
  readonly origin: MemberId
  readonly incarnation: number
  readonly sequence: number
  readonly neighbours: readonly MemberId[]
}

export type Version = Pick<LinkState, "origin" | "incarnation" | "sequence">

export type ReachableChange = {
  readonly reachable: readonly { readonly member: MemberId; readonly incarnation: number }[]
  readonly unreachable: readonly MemberId[]
}

type Kept<R> = {
  record: R
  neighbours: ReadonlySet<MemberId>
  /** Those of its neighbours who say the same. */
  readonly links: Set<Kept<R>>
  /** The last search that came by, what it found, and what was told of that. */
  search: number
  hops: number
  nextHop: Kept<R> | null
  toldIncarnation: number | null
  unreachableSinceMs: number | null
}

/** How often those who cannot be reached are looked for. */
const SWEEP_MS = 1_000

export class LinkStates<R extends LinkState> {
  readonly #self: MemberId
  readonly #kept = new Map<MemberId, Kept<R>>()
  #searches = 0
  #dirty = false
  /** Of `changes`: its number, and how many it found. */
  #found = { search: 0, count: 0 }
  #sweptMs = -Infinity

  constructor(self: MemberId) {
    this.#self = self
  }

  get(member: MemberId): R | undefined {
    return this.#kept.get(member)?.record
  }

  isNews(version: Version): boolean {
    const known = this.#kept.get(version.origin)
    return !known || isNewer(version, known.record)
  }

  /** False for what is not newer than what is known of its origin. */
  take(record: R): boolean {
    const { origin, incarnation, neighbours } = record
    const known = this.#kept.get(origin)
    // Most come over several links.
    if (known?.record === record) return false
    if (known ? !isNewer(record, known.record) : this.#kept.size >= LINK_STATES_MAX) return false
    const kept = known ?? newKept(record)
    this.#kept.set(origin, kept)
    const sameLife = known?.record.incarnation === incarnation
    const sameList = known?.record.neighbours === neighbours
    kept.record = record
    if (sameLife && (sameList || sameMembers(kept.neighbours, neighbours))) return true
    kept.neighbours = new Set(neighbours)
    for (const other of kept.links) if (!kept.neighbours.has(other.record.origin)) unlink(kept, other)
    for (const member of neighbours) {
      const other = this.#kept.get(member)
      if (!other?.neighbours.has(origin)) continue
      kept.links.add(other)
      other.links.add(kept)
    }
    this.#dirty = true
    return true
  }

  versions(): Version[] {
    return Array.from(this.#kept.values(), ({ record: { origin, incarnation, sequence } }) => ({
      origin,
      incarnation,
      sequence,
    }))
  }

  /** What is known here and not to somebody who knows these. */
  newerThan(versions: readonly Version[]): R[] {
    const known = new Map(versions.map((version) => [version.origin, version]))
    return Array.from(this.#kept.values(), ({ record }) => record).filter((record) => {
      const other = known.get(record.origin)
      return !other || isNewer(record, other)
    })
  }

  /** How many others can be reached. */
  get reachableCount(): number {
    this.#searchIfDirty()
    return this.#found.count
  }

  /** The neighbour on the way; null where there is none. */
  nextHop(target: MemberId): MemberId | null {
    this.#searchIfDirty()
    const kept = this.#kept.get(target)
    return kept?.search === this.#found.search ? (kept.nextHop?.record.origin ?? null) : null
  }

  /** Since it was asked last; null if links are as they were. */
  changes(): ReachableChange | null {
    if (!this.#searchIfDirty() && this.#told === this.#found.search) return null
    this.#told = this.#found.search
    const reachable: { member: MemberId; incarnation: number }[] = []
    const unreachable: MemberId[] = []
    for (const [member, kept] of this.#kept) {
      const { incarnation } = kept.record
      const now = kept.search === this.#found.search && member !== this.#self ? incarnation : null
      if (now === kept.toldIncarnation) continue
      kept.toldIncarnation = now
      if (now === null) unreachable.push(member)
      else reachable.push({ member, incarnation })
    }
    return { reachable, unreachable }
  }
  #told = 0

  /** Who can be reached, this member not included. */
  reachable(): Set<MemberId> {
    this.#searchIfDirty()
    const members = new Set<MemberId>()
    for (const [member, { search }] of this.#kept) {
      if (search === this.#found.search && member !== this.#self) members.add(member)
    }
    return members
  }

  /** Those with fewer links between them and `target` than this member. */
  nearerTo(target: MemberId): Set<MemberId> {
    const nearer = new Set<MemberId>()
    const start = this.#kept.get(target)
    const own = this.#kept.get(this.#self)
    if (!start || !own) return nearer
    const hops = new Map([[start, 0]])
    for (const [kept, count] of hops) {
      if (count >= (hops.get(own) ?? Infinity)) break
      nearer.add(kept.record.origin)
      for (const next of kept.links) if (!hops.has(next)) hops.set(next, count + 1)
    }
    return hops.has(own) ? nearer : new Set()
  }

  /** Forgets those who cannot be reached for long. */
  tick(nowMs: number): void {
    if (nowMs - this.#sweptMs < SWEEP_MS) return
    this.#sweptMs = nowMs
    this.#searchIfDirty()
    for (const [member, kept] of this.#kept) {
      if (member === this.#self || kept.search === this.#found.search) kept.unreachableSinceMs = null
      else kept.unreachableSinceMs ??= nowMs
      const longGone = kept.unreachableSinceMs !== null && nowMs - kept.unreachableSinceMs > LINK_STATE_KEPT_MS
      if (!longGone || kept.toldIncarnation !== null) continue
      for (const other of kept.links) unlink(kept, other)
      this.#kept.delete(member)
    }
  }

  /** Breadth first, from this member. */
  #searchIfDirty(): boolean {
    if (!this.#dirty) return false
    this.#dirty = false
    const search = ++this.#searches
    const start = this.#kept.get(this.#self)
    const queue = start ? [Object.assign(start, { search, hops: 0 })] : []
    for (const kept of queue) {
      for (const next of kept.links) {
        if (next.search === search) continue
        next.search = search
        next.hops = kept.hops + 1
        next.nextHop = kept === start ? next : kept.nextHop
        queue.push(next)
      }
    }
    this.#found = { search, count: Math.max(0, queue.length - 1) }
    return true
  }
}

function newKept<R>(record: R): Kept<R> {
  const found = { search: 0, hops: 0, nextHop: null, toldIncarnation: null, unreachableSinceMs: null }
  return { record, neighbours: new Set(), links: new Set(), ...found }
}

function unlink<R>(a: Kept<R>, b: Kept<R>): void {
  a.links.delete(b)
  b.links.delete(a)
}

function isNewer(a: Version, b: Version): boolean {
  return a.incarnation > b.incarnation || (a.incarnation === b.incarnation && a.sequence > b.sequence)
}

function sameMembers(a: ReadonlySet<MemberId>, b: readonly MemberId[]): boolean {
  return a.size === b.length && b.every((member) => a.has(member))
}
