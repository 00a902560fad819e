/**
 * Who has whom for a neighbour, as everybody says of itself, and the ways that follow from it. A link counts when both
 * of its ends say so: one that carries nothing in one direction is seen to be up by one of them only.
 */
import type { MemberId } from "../../ids.ts"
import { compareProposals } from "../../wire/messages.ts"
import { LINK_STATE_KEPT_MS, LINK_STATES_MAX } from "../bounds.ts"
import type { Status } from "../status-teller.ts"

/** What a member says of itself, one number after the other in each of its lives. */
export type LinkState = {
  readonly origin: MemberId
  readonly incarnation: number
  readonly sequence: number
  readonly neighbours: readonly MemberId[]
  readonly status?: Status
}

export type Version = Pick<LinkState, "origin" | "incarnation" | "sequence">

export type ReachableChange = {
  readonly reachable: readonly { readonly member: MemberId; readonly incarnation: number }[]
  readonly unreachable: readonly MemberId[]
}

export type Kept<R> = {
  record: R
  /** Neighbours that have it, a bit for each. */
  knowers: number
  /** Since it was passed on last, its links are new, or where it stands: others act upon that. */
  isUrgent: boolean
  /** Those of its neighbours who say the same. */
  readonly links: Kept<R>[]
  /** The last search that came by, from where, what it found, and what was told of that. */
  search: number
  via: Kept<R> | null
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
  /** `soon`: all ways that were found are still there, but there may be shorter ones. */
  #searchDue: "no" | "soon" | "now" = "now"
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

  kept(member: MemberId): Kept<R> | undefined {
    return this.#kept.get(member)
  }

  /** From now on the bit stands for somebody of whom it is not known what it has. */
  forgetKnower(bit: number): void {
    for (const kept of this.#kept.values()) kept.knowers &= ~bit
  }

  /** `bit`: of the neighbour who has told it. Null without effect but for that, if something as new is known of its origin. */
  take(record: R, bit: number): Kept<R> | null {
    const known = this.#kept.get(record.origin)
    if (known && !isNewer(record, known.record)) {
      if (!isNewer(known.record, record)) known.knowers |= bit
      return null
    }
    if (!known && this.#kept.size >= LINK_STATES_MAX) return null
    const kept = known ?? newKept(record)
    if (!known) this.#kept.set(record.origin, kept)
    const former = kept.record
    kept.record = record
    kept.knowers = bit
    const isNewLife = known ? former.incarnation !== record.incarnation : record.origin === this.#self
    if (isNewLife) this.#searchDue = "now"
    if (!known) this.#relink(kept, [])
    else if (!sameList(former.neighbours, record.neighbours)) this.#relink(kept, former.neighbours)
    else {
      kept.isUrgent ||= isNewLife || !standTheSame(former, record)
      return kept
    }
    kept.isUrgent = true
    return kept
  }

  /** Whether somebody has something newer than what is known here. `bit`: that neighbour's. */
  isLacking(version: Version, bit: number): boolean {
    const known = this.#kept.get(version.origin)
    if (!known || isNewer(version, known.record)) return true
    if (!isNewer(known.record, version)) known.knowers |= bit
    return false
  }

  #relink(kept: Kept<R>, former: readonly MemberId[]): void {
    const { neighbours } = kept.record
    for (const other of kept.links.filter((each) => !says(kept, each))) this.#unlink(kept, other)
    for (const member of neighbours) {
      if (former.includes(member)) continue
      const other = this.#kept.get(member)
      if (other && says(other, kept)) this.#link(kept, other)
    }
  }

  #link(a: Kept<R>, b: Kept<R>): void {
    a.links.push(b)
    b.links.push(a)
    const { search } = this.#found
    this.#isDue((a.search === search) !== (b.search === search) || this.#isSelf(a) || this.#isSelf(b))
  }

  #unlink(a: Kept<R>, b: Kept<R>): void {
    a.links.splice(a.links.indexOf(b), 1)
    b.links.splice(b.links.indexOf(a), 1)
    this.#isDue(a.via === b || b.via === a)
  }

  /** `now`: who can be reached, or over whom, is not what was found. Of many members most news of links are not of that kind. */
  #isDue(now: boolean): void {
    if (now) this.#searchDue = "now"
    else if (this.#searchDue === "no") this.#searchDue = "soon"
  }

  #isSelf({ record }: Kept<R>): boolean {
    return record.origin === this.#self
  }

  versions(): Version[] {
    return Array.from(this.#kept.values(), ({ record: { origin, incarnation, sequence } }) => ({
      origin,
      incarnation,
      sequence,
    }))
  }

  /** What is known here and not to somebody who knows these. */
  newerThan(versions: readonly Version[]): Kept<R>[] {
    const known = new Map(versions.map((version) => [version.origin, version]))
    return [...this.#kept.values()].filter(({ record }) => {
      const other = known.get(record.origin)
      return !other || isNewer(record, other)
    })
  }

  /** How many others can be reached. */
  get reachableCount(): number {
    this.#searchIfDue()
    return this.#found.count
  }

  /** The neighbour on the way; null where there is none. */
  nextHop(target: MemberId): MemberId | null {
    this.#searchIfDue()
    const kept = this.#kept.get(target)
    return kept?.search === this.#found.search ? (kept.nextHop?.record.origin ?? null) : null
  }

  /** Since it was asked last; null if links are as they were. */
  changes(): ReachableChange | null {
    if (!this.#searchIfDue() && this.#told === this.#found.search) return null
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
    this.#searchIfDue()
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
    if (this.#searchDue === "soon") this.#searchDue = "now"
    this.#searchIfDue()
    for (const [member, kept] of this.#kept) {
      if (member === this.#self || kept.search === this.#found.search) kept.unreachableSinceMs = null
      else kept.unreachableSinceMs ??= nowMs
      const longGone = kept.unreachableSinceMs !== null && nowMs - kept.unreachableSinceMs > LINK_STATE_KEPT_MS
      if (!longGone || kept.toldIncarnation !== null) continue
      while (kept.links[0]) this.#unlink(kept, kept.links[0])
      this.#kept.delete(member)
    }
  }

  /** Breadth first, from this member. */
  #searchIfDue(): boolean {
    if (this.#searchDue !== "now") return false
    this.#searchDue = "no"
    const search = ++this.#searches
    const start = this.#kept.get(this.#self)
    const queue: Kept<R>[] = start ? [start] : []
    if (start) start.search = search
    for (const kept of queue) {
      for (const next of kept.links) {
        if (next.search === search) continue
        next.search = search
        next.via = kept
        next.nextHop = kept === start ? next : kept.nextHop
        queue.push(next)
      }
    }
    this.#found = { search, count: Math.max(0, queue.length - 1) }
    return true
  }
}

function newKept<R>(record: R): Kept<R> {
  const found = { search: 0, via: null, nextHop: null, toldIncarnation: null, unreachableSinceMs: null }
  return { record, knowers: 0, isUrgent: true, links: [], ...found }
}

/** Neither is asked of more than a few: lists of so few are quicker than sets, and of many members there are many. */
function says<R extends LinkState>(a: Kept<R>, b: Kept<R>): boolean {
  return a.record.neighbours.includes(b.record.origin)
}

/** Mostly it is one list: who has the same neighbours as before says so by it. */
function sameList(a: readonly MemberId[], b: readonly MemberId[]): boolean {
  return a === b || (a.length === b.length && a.every((member, i) => member === b[i]))
}

/** In the same view, with the same promise. Who is long seen to stand elsewhere makes the others change views. */
function standTheSame({ status: a }: LinkState, { status: b }: LinkState): boolean {
  return a?.view === b?.view && (!a || !b || compareProposals(a.promised, b.promised) === 0)
}

export function isNewer(a: Version, b: Version): boolean {
  return a.incarnation > b.incarnation || (a.incarnation === b.incarnation && a.sequence > b.sequence)
}
