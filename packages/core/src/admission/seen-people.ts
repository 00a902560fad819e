import { type PersonKey, STAYING_MAX } from "./statements/statement.ts"

/**
 * Capacity: as many people as a new invitation can name. Beyond it, the absent person with the shortest presence is
 * evicted.
 */
export const SEEN_MAX = STAYING_MAX

type Seen = { insideMs: number; sinceMs: number; links: number }

/**
 * People that were admitted while this member was. They do not need the next invitation.
 *
 * One person can bring in any number of identities, one after another. Such identities evict only those that were
 * present for a shorter time. So a crowd that comes and goes evicts nobody who stays.
 */
export class SeenPeople {
  readonly #people = new Map<PersonKey, Seen>()

  get size(): number {
    return this.#people.size
  }

  entered(key: PersonKey, nowMs: number): void {
    const seen = this.#people.get(key) ?? { insideMs: 0, sinceMs: nowMs, links: 0 }
    this.#people.set(key, seen)
    if (seen.links++ === 0) seen.sinceMs = nowMs
    if (this.#people.size > SEEN_MAX) this.#forgetOne(nowMs)
  }

  left(key: PersonKey, nowMs: number): void {
    const seen = this.#people.get(key)
    if (!seen || seen.links === 0 || --seen.links > 0) return
    seen.insideMs += nowMs - seen.sinceMs
  }

  /** Returns the keys, longest presence first. */
  keys(nowMs: number): PersonKey[] {
    const all = [...this.#people].sort(([, a], [, b]) => timeOf(b, nowMs) - timeOf(a, nowMs))
    return all.map(([key]) => key)
  }

  /** A present person is named in any case. Present people alone can also exceed the capacity. */
  #forgetOne(nowMs: number): void {
    const shortestFirst = this.keys(nowMs).toReversed()
    const away = shortestFirst.find((key) => this.#people.get(key)!.links === 0)
    this.#people.delete(away ?? shortestFirst[0]!)
  }
}

function timeOf({ insideMs, sinceMs, links }: Seen, nowMs: number): number {
  return links > 0 ? insideMs + nowMs - sinceMs : insideMs
}
