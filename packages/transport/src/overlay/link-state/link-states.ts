/**
 * The graph of links as all members report their own, and the paths that follow. A link counts only if both ends report
 * it: if it carries nothing in one direction, only one end holds it up.
 */
import type { MemberId } from "../../members/ids.ts"
import { compareProposals } from "../../wire/messages.ts"
import { LINK_STATE_KEPT_MS, LINK_STATES_MAX } from "../../bounds/overlay-bounds.ts"
import type { Status } from "./status-reporter.ts"

/** The report of a member on itself. Its number increases within an incarnation. */
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
  /** True if its links, view or promise have changed since it was last forwarded. Other members act upon these. */
  isUrgent: boolean
  /** Records of the neighbours that report the link too. */
  readonly links: Kept<R>[]
  /** The last search that reached it, from where, with what result, and what was reported of that. */
  search: number
  via: Kept<R> | null
  nextHop: Kept<R> | null
  reportedIncarnation: number | null
  unreachableSinceMs: number | null
}

/** Interval at which unreachable members are looked for. */
const SWEEP_MS = 1_000

export class LinkStates<R extends LinkState> {
  readonly #self: MemberId
  readonly #kept = new Map<MemberId, Kept<R>>()
  #searches = 0
  /** `soon`: all paths found are still valid, but shorter ones may exist. */
  #searchDue: "no" | "soon" | "now" = "now"
  /** For `changes`: the number of the last reported search, and how many members it found. */
  #found = { search: 0, count: 0 }
  #sweptMs = -Infinity
  /** Incremented when a link is gone. */
  unlinked = 0

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

  /** From now on the bit stands for another neighbour, whose knowledge is not known. */
  forgetKnower(bit: number): void {
    for (const kept of this.#kept.values()) kept.knowers &= ~bit
  }

  /**
   * Takes a record. `bit`: of the neighbour that sent it. Returns null if a record as new is known, and then only notes
   * that the neighbour has it.
   */
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
    const isNewIncarnation = known ? former.incarnation !== record.incarnation : record.origin === this.#self
    if (isNewIncarnation) this.#searchDue = "now"
    if (!known) this.#relink(kept, [])
    else if (!sameList(former.neighbours, record.neighbours)) this.#relink(kept, former.neighbours)
    else {
      kept.isUrgent ||= isNewIncarnation || !standTheSame(former, record)
      return kept
    }
    kept.isUrgent = true
    return kept
  }

  /** Whether a version is newer than the record here. `bit`: that of the neighbour that announced it. */
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
    this.unlinked++
    a.links.splice(a.links.indexOf(b), 1)
    b.links.splice(b.links.indexOf(a), 1)
    this.#isDue(a.via === b || b.via === a)
  }

  /**
   * `now`: the reachable members, or the paths to them, have changed. In a large conference most news of links leave
   * both unchanged.
   */
  #isDue(now: boolean): void {
    if (now) this.#searchDue = "now"
    else if (this.#searchDue === "no") this.#searchDue = "soon"
  }

  #isSelf({ record }: Kept<R>): boolean {
    return record.origin === this.#self
  }

  /** Whether the record is of another member that has a link with `member`, as both report. */
  isLinkedWithOrigin(kept: Kept<R>, member: MemberId): boolean {
    return !this.#isSelf(kept) && kept.links.some(({ record }) => record.origin === member)
  }

  versions(): Version[] {
    return Array.from(this.#kept.values(), ({ record: { origin, incarnation, sequence } }) => ({
      origin,
      incarnation,
      sequence,
    }))
  }

  /** The records here that are newer than the given versions. */
  newerThan(versions: readonly Version[]): Kept<R>[] {
    const known = new Map(versions.map((version) => [version.origin, version]))
    return [...this.#kept.values()].filter(({ record }) => {
      const other = known.get(record.origin)
      return !other || isNewer(record, other)
    })
  }

  /** Number of other members that can be reached. */
  get reachableCount(): number {
    this.#searchIfDue()
    return this.#found.count
  }

  /** Whether every reachable member has a link with every other one. */
  get isComplete(): boolean {
    this.#searchIfDue()
    const { search, count } = this.#found
    return [...this.#kept.values()].every((kept) => kept.search !== search || kept.links.length === count)
  }

  /** The neighbour on the path to `target`, or null without a path. */
  nextHop(target: MemberId): MemberId | null {
    this.#searchIfDue()
    const kept = this.#kept.get(target)
    return kept?.search === this.#found.search ? (kept.nextHop?.record.origin ?? null) : null
  }

  /** Changes since the last call, or null if links are unchanged. */
  changes(): ReachableChange | null {
    if (!this.#searchIfDue() && this.#reportedSearch === this.#found.search) return null
    this.#reportedSearch = this.#found.search
    const reachable: { member: MemberId; incarnation: number }[] = []
    const unreachable: MemberId[] = []
    for (const [member, kept] of this.#kept) {
      const { incarnation } = kept.record
      const now = kept.search === this.#found.search && member !== this.#self ? incarnation : null
      if (now === kept.reportedIncarnation) continue
      kept.reportedIncarnation = now
      if (now === null) unreachable.push(member)
      else reachable.push({ member, incarnation })
    }
    return { reachable, unreachable }
  }
  #reportedSearch = 0

  /** The members that can be reached, without this one. */
  reachable(): Set<MemberId> {
    this.#searchIfDue()
    const members = new Set<MemberId>()
    for (const [member, { search }] of this.#kept) {
      if (search === this.#found.search && member !== this.#self) members.add(member)
    }
    return members
  }

  /** Members with fewer hops to `target` than this one has. */
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

  /** Drops records of members that were unreachable for long. */
  tick(nowMs: number): void {
    if (nowMs - this.#sweptMs < SWEEP_MS) return
    this.#sweptMs = nowMs
    if (this.#searchDue === "soon") this.#searchDue = "now"
    this.#searchIfDue()
    for (const [member, kept] of this.#kept) {
      if (member === this.#self || kept.search === this.#found.search) kept.unreachableSinceMs = null
      else kept.unreachableSinceMs ??= nowMs
      const longGone = kept.unreachableSinceMs !== null && nowMs - kept.unreachableSinceMs > LINK_STATE_KEPT_MS
      if (!longGone || kept.reportedIncarnation !== null) continue
      while (kept.links[0]) this.#unlink(kept, kept.links[0])
      this.#kept.delete(member)
    }
  }

  /** Breadth-first search from this member. */
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
  const found = { search: 0, via: null, nextHop: null, reportedIncarnation: null, unreachableSinceMs: null }
  return { record, knowers: 0, isUrgent: true, links: [], ...found }
}

/** Called with short lists only. Searching these is faster than maintaining sets for many members. */
function says<R extends LinkState>(a: Kept<R>, b: Kept<R>): boolean {
  return a.record.neighbours.includes(b.record.origin)
}

/** Fast path: an unchanged list is mostly the identical array. */
function sameList(a: readonly MemberId[], b: readonly MemberId[]): boolean {
  return a === b || (a.length === b.length && a.every((member, i) => member === b[i]))
}

/** Same view and same promise. A member that shows another view for long makes the others change views. */
function standTheSame({ status: a }: LinkState, { status: b }: LinkState): boolean {
  return a?.view === b?.view && (!a || !b || compareProposals(a.promised, b.promised) === 0)
}

export function isNewer(a: Version, b: Version): boolean {
  return a.incarnation > b.incarnation || (a.incarnation === b.incarnation && a.sequence > b.sequence)
}
