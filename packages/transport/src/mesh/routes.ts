import type { MemberId } from "../ids.ts"
import { RELAY_HOPS_MAX } from "./bounds.ts"
import type { Neighbour } from "./control.ts"

/** Who has a direct link to whom, as far as the members linked with this one tell, and the ways that follow from it. */
export class Routes {
  readonly #self: MemberId
  readonly #told = new Map<MemberId, ReadonlyMap<MemberId, number>>()

  constructor(self: MemberId) {
    this.#self = self
  }

  tell(by: MemberId, neighbours: readonly Neighbour[]): void {
    this.#told.set(by, new Map(neighbours.map(({ member, incarnation }) => [member, incarnation])))
  }

  forget(by: MemberId): void {
    this.#told.delete(by)
  }

  /** Members that somebody has a direct link to, with the newest of their lives. */
  known(): Map<MemberId, number> {
    const newest = new Map<MemberId, number>()
    for (const neighbours of this.#told.values()) {
      for (const [member, incarnation] of neighbours) {
        if (member !== this.#self) newest.set(member, Math.max(incarnation, newest.get(member) ?? 0))
      }
    }
    return newest
  }

  /** The members between this one and `target`, as few as possible; null if there is no way. `direct`: own neighbours. */
  find(target: MemberId, direct: readonly MemberId[]): readonly MemberId[] | null {
    let ways: MemberId[][] = direct.filter((member) => member !== target).map((member) => [member])
    const reached = new Set<MemberId>(direct)
    for (let hops = 1; hops <= RELAY_HOPS_MAX; hops++) {
      const arrived = ways.find((way) => this.#links(way.at(-1)!, target))
      if (arrived) return arrived
      ways = ways.flatMap((way) =>
        [...(this.#told.get(way.at(-1)!)?.keys() ?? [])].flatMap((next) => {
          if (next === this.#self || reached.has(next)) return []
          reached.add(next)
          return [[...way, next]]
        }),
      )
    }
    return null
  }

  /** Whether a way still stands, from its first member on, as far as is known. */
  stands(way: readonly MemberId[], target: MemberId): boolean {
    return way.every((member, index) => {
      const told = this.#told.get(member)
      return told === undefined || told.has(way[index + 1] ?? target)
    })
  }

  #links(by: MemberId, to: MemberId): boolean {
    return this.#told.get(by)?.has(to) ?? false
  }
}
