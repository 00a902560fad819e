import type { MemberId, View } from "@keymoot/transport"
import { LruMap } from "../wire/index.ts"

/** Interval at which the lowest member starts another view while members know different statements. */
const AGAIN_MS = 500
/**
 * Views between two secured ones in which a member may report other statements free of charge. A statement is sent to
 * all before the second one, so an honest member needs no third.
 */
const FREE_VIEWS = 2
/** Bound on further views of one member, whatever is secured between them. After that it does so on purpose. */
const FURTHER_VIEWS_MAX = 3
/** Half-life of that count. */
const HALF_LIFE_MS = 60_000
/** Members that are counted. An evicted one starts anew. */
const COUNTED_MAX = 256

/**
 * Views that get no key, because members know different statements of hosts. Each member counts them for every other
 * one. A count that a secured view cleared would let a liar tell the truth once before it is due, and begin again.
 */
export class DifferingViews {
  readonly #self: MemberId
  /** The present view if it is one of them. `members`: those that differ. */
  #present: { readonly isLowest: boolean; readonly members: readonly MemberId[]; sinceMs: number | null } | null = null
  /** Statements came here since the last view began, and since the one before it. */
  #hasNews = false
  #isExplained = false
  readonly #sinceSecured = new LruMap<MemberId, number>(COUNTED_MAX)
  readonly #further = new LruMap<MemberId, { readonly count: number; readonly atMs: number }>(COUNTED_MAX)

  constructor(self: MemberId) {
    this.#self = self
  }

  /** Whether the present view is none of them. */
  get isOver(): boolean {
    return this.#present === null
  }

  /** Statements have come. So members may differ in the next view, and nobody is to blame for that. */
  onStatements(): void {
    this.#hasNews = true
  }

  /** A view has begun. */
  onView(): void {
    this.#present = null
    this.#isExplained = this.#hasNews
    this.#hasNews = false
  }

  onSecured(): void {
    this.#sinceSecured.clear()
  }

  /** The present view is such a view. `members`: others that differ. Returns those that have done so too often. */
  onDiffering(view: View, members: readonly MemberId[], nowMs: number): readonly MemberId[] {
    this.#present = { isLowest: view.members[0]?.id === this.#self, members, sinceMs: null }
    return this.#isExplained ? [] : members.filter((member) => this.#isTooOften(member, nowMs))
  }

  /** Returns the members to which the lowest member sends its statements before it starts another view. */
  tick(nowMs: number): readonly MemberId[] | null {
    const present = this.#present
    if (!present?.isLowest) return null
    present.sinceMs ??= nowMs
    if (nowMs - present.sinceMs < AGAIN_MS) return null
    present.sinceMs = nowMs
    return present.members
  }

  #isTooOften(member: MemberId, nowMs: number): boolean {
    const views = (this.#sinceSecured.get(member) ?? 0) + 1
    this.#sinceSecured.set(member, views)
    if (views <= FREE_VIEWS) return false
    const known = this.#further.get(member)
    const count = 1 + (known ? known.count * 0.5 ** ((nowMs - known.atMs) / HALF_LIFE_MS) : 0)
    this.#further.set(member, { count, atMs: nowMs })
    if (count <= FURTHER_VIEWS_MAX) return false
    for (const counts of [this.#sinceSecured, this.#further]) counts.delete(member)
    return true
  }
}
