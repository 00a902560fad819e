import type { MemberId } from "../members/ids.ts"

/** Blame at which a member is excluded. One accident is never enough, as links and INSTALLs get lost without malice. */
export const BLAME_MAX = 4
/** Blame for what may be an accident. */
export const MISHAP = 0.5
/**
 * In units of `proposalMs`: patience with a lowest member that brings about no view. Longer than it may need to exclude
 * others.
 */
export const PATIENCE_WITH_LOWEST = 5
/**
 * Departures from a view after which a member that returns has to wait. The count halves within `DEPARTURES_HALF_LIFE`
 * times `proposalMs`, so a member that leaves less than about three times a minute never waits.
 */
const DEPARTURES_MAX = 5
const DEPARTURES_HALF_LIFE = 15
/** Members with a record. At the bound the oldest record is evicted. */
export const RECORDS_MAX = 256
/** Half-life of blame and the first term of exclusion, in units of `proposalMs`. */
const HALF_LIFE = 4
const FIRST_TERM = 1
/** The term doubles with each exclusion, up to 2^6 times the first. */
const DOUBLINGS_MAX = 6
/**
 * In units of the last term: after each such time without another exclusion one doubling is undone. Otherwise one bad
 * hour would mark a member for good.
 */
const FORGIVEN_AFTER = 4

type Record = { blame: number; departures: number; terms: number; outUntilMs: number }

/**
 * Tracks members that are present but obstruct the others: silent in a view change, claiming frames that nobody can
 * fetch, or acknowledging nothing. A member that observes this excludes them from its views for a growing time, as if
 * they had crashed.
 */
export class BlameBook {
  readonly #proposalMs: number
  readonly #records = new Map<MemberId, Record>()
  #nowMs = 0
  #pausedUntilMs = 0

  constructor(proposalMs: number) {
    this.#proposalMs = proposalMs
  }

  /** Returns true if the member is excluded from now on. */
  blame(peer: MemberId, weight: number): boolean {
    const record = this.#recordOf(peer)
    if (!record) return false
    record.blame += weight
    if (record.blame < BLAME_MAX) return false
    record.blame = 0
    this.#leaveOut(record)
    return true
  }

  /**
   * Records that a member has left the view. It may have good reasons, but each time all sending stops and a new key is
   * agreed. The count persists, so a member that has once left too often waits longer each time. Returns true if it
   * waits from now on.
   */
  departed(peer: MemberId): boolean {
    const record = this.#recordOf(peer)
    if (!record || ++record.departures <= DEPARTURES_MAX) return false
    this.#leaveOut(record)
    return true
  }

  /** Null while blame does not count: the member is excluded already, or this one has just woken up. */
  #recordOf(peer: MemberId): Record | null {
    const record = this.#records.get(peer) ?? { blame: 0, departures: 0, terms: 0, outUntilMs: 0 }
    this.#records.set(peer, record)
    if (this.#records.size > RECORDS_MAX) this.#records.delete(this.#records.keys().next().value!)
    return this.isOut(peer) || this.#nowMs < this.#pausedUntilMs ? null : record
  }

  #leaveOut(record: Record): void {
    const good = (this.#nowMs - record.outUntilMs) / (FORGIVEN_AFTER * this.#termMs(record.terms))
    record.terms = Math.max(0, record.terms - Math.floor(good))
    record.outUntilMs = this.#nowMs + this.#termMs(record.terms)
    record.terms = Math.min(record.terms + 1, DOUBLINGS_MAX)
  }

  #termMs(terms: number): number {
    return FIRST_TERM * this.#proposalMs * 2 ** terms
  }

  isOut(peer: MemberId): boolean {
    return (this.#records.get(peer)?.outUntilMs ?? 0) > this.#nowMs
  }

  /** End of the next term, or Infinity. */
  get nextTickMs(): number {
    const ends = [...this.#records.values()].map(({ outUntilMs }) => outUntilMs).filter((atMs) => atMs > this.#nowMs)
    return Math.min(...ends)
  }

  /** This device slept: what it waited for meanwhile is no member's fault. */
  pause(forMs: number): void {
    this.#pausedUntilMs = this.#nowMs + forMs
  }

  /** Returns true if the term of a member has ended. */
  tick(nowMs: number): boolean {
    const proposals = (nowMs - this.#nowMs) / this.#proposalMs
    let ended = false
    for (const record of this.#records.values()) {
      record.blame *= 0.5 ** (proposals / HALF_LIFE)
      record.departures *= 0.5 ** (proposals / DEPARTURES_HALF_LIFE)
      ended ||= record.outUntilMs > this.#nowMs && record.outUntilMs <= nowMs
    }
    this.#nowMs = nowMs
    return ended
  }
}
