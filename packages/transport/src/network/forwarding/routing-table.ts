import type { MemberId } from "../../members/ids.ts"
import { RELAY_HOPS_MAX } from "../../bounds/network-bounds.ts"
import type { Neighbour } from "../messages/control.ts"

/** The direct links of others, as the members linked with this one report them, and the routes that follow. */
export class RoutingTable {
  readonly #self: MemberId
  readonly #reported = new Map<MemberId, ReadonlyMap<MemberId, number>>()

  constructor(self: MemberId) {
    this.#self = self
  }

  report(by: MemberId, neighbours: readonly Neighbour[]): void {
    this.#reported.set(by, new Map(neighbours.map(({ member, incarnation }) => [member, incarnation])))
  }

  forget(by: MemberId): void {
    this.#reported.delete(by)
  }

  /** Members to which a direct link was reported. */
  known(): Set<MemberId> {
    const known = new Set([...this.#reported.values()].flatMap((neighbours) => [...neighbours.keys()]))
    known.delete(this.#self)
    return known
  }

  /** The incarnation of `member` that `by` reported to be linked with, or null. Nothing proves it. */
  incarnationOf(member: MemberId, by: MemberId): number | null {
    return this.#reported.get(by)?.get(member) ?? null
  }

  /**
   * The shortest list of members between this one and `target`, or null if there is no route. `direct`: own neighbours.
   */
  find(target: MemberId, direct: readonly MemberId[]): readonly MemberId[] | null {
    let ways: MemberId[][] = direct.filter((member) => member !== target).map((member) => [member])
    const reached = new Set<MemberId>(direct)
    for (let hops = 1; hops <= RELAY_HOPS_MAX; hops++) {
      const arrived = ways.find((way) => this.#links(way.at(-1)!, target))
      if (arrived) return arrived
      ways = ways.flatMap((way) =>
        [...(this.#reported.get(way.at(-1)!)?.keys() ?? [])].flatMap((next) => {
          if (next === this.#self || reached.has(next)) return []
          reached.add(next)
          return [[...way, next]]
        }),
      )
    }
    return null
  }

  /** Whether every reported hop of a route, from its first member to `target`, still exists. */
  stands(way: readonly MemberId[], target: MemberId): boolean {
    return way.every((member, index) => {
      const reported = this.#reported.get(member)
      return reported === undefined || reported.has(way[index + 1] ?? target)
    })
  }

  #links(by: MemberId, to: MemberId): boolean {
    return this.#reported.get(by)?.has(to) ?? false
  }
}
