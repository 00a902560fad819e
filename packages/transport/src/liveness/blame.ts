import type { MemberId } from "../ids.ts"

/** Blame at which a member is left out. One mishap is never enough, as links and INSTALLs get lost without any malice. */
export const BLAME_MAX = 4
/** Blame for what may be an accident. */
export const MISHAP = 0.5
/** Times `proposalMs`: who is the lowest and brings no view about for so long is left out. Longer than it may need to leave out others. */
export const PATIENCE_WITH_LOWEST = 5
/**
 * Out of a view so often, and again, and who comes back waits. The count halves within `DEPARTURES_HALF_LIFE` times `proposalMs`,
 * so who goes less than about three times a minute never waits.
 */
const DEPARTURES_MAX = 5
const DEPARTURES_HALF_LIFE = 15
/** Members with a record; at the bound the oldest record goes. */
export const RECORDS_MAX = 256
/** Times `proposalMs`: time in which half of the blame is forgotten; and for how long a member is left out at first. */
const HALF_LIFE = 4
const FIRST_TERM = 1
/** Each time it is left out, it is so for twice as long, up to 2^6 times the first. */
const DOUBLINGS_MAX = 6
/** Times its last term: one doubling is forgotten for each such time without another, or one bad hour would mark it for good. */
const FORGIVEN_AFTER = 4

type Record = { blame: number; departures: number; terms: number; outUntilMs: number }

/**
 * Members that are there but keep the others from going on: silent in a view change, claiming what nobody can fetch,
 * acknowledging nothing. Whoever sees it leaves them out of its views for a growing time, as it would if they had crashed.
 */
export class BlameBook {
  readonly #proposalMs: number
  readonly #records = new Map<MemberId, Record>()
  #nowMs = 0
  #pausedUntilMs = 0

  constructor(proposalMs: number) {
    this.#proposalMs = proposalMs
  }

  /** True if the member is left out from now on. */
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
   * It is out of the view, as it may be for the best of reasons; but each time everybody stops sending and agrees a new key.
   * The count goes on, so that who has been out too often once waits longer each time. True if it does from now on.
   */
  departed(peer: MemberId): boolean {
    const record = this.#recordOf(peer)
    if (!record || ++record.departures <= DEPARTURES_MAX) return false
    this.#leaveOut(record)
    return true
  }

  /** Null while nothing counts: it is out already, or this member is hardly awake. */
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

  /** This member slept: what it waited for meanwhile is nobody's fault. */
  pause(forMs: number): void {
    this.#pausedUntilMs = this.#nowMs + forMs
  }

  /** True if somebody's term has ended. */
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
