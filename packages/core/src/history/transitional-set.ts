import type { MemberId, View } from "@keymoot/transport"

/**
 * Content of a transfer. all: everything; unfinished: only the transfer that the view change interrupted, from its
 * beginning. Newcomers have missed that, and the member that sends everything may lack its end.
 */
export type TransferScope = "all" | "unfinished" | "nothing"

/**
 * Members that stayed with this one since the last secured view, through all views between. They have delivered the
 * same messages. The secured view may show no newcomer, if the view in which it came ended before it was secured.
 */
export class TransitionalSet {
  #together: ReadonlySet<MemberId> | null = null

  onView({ transitional }: Pick<View, "transitional">): void {
    const together = this.#together
    this.#together = new Set(together ? transitional.filter((id) => together.has(id)) : transitional)
  }

  /** Members of the view that may have items missing here, because they were elsewhere since the last secured view. */
  newcomers({ members, transitional }: Pick<View, "members" | "transitional">): MemberId[] {
    const together = this.#together ?? new Set(transitional)
    return members.map(({ id }) => id).filter((id) => !together.has(id))
  }

  /**
   * Returns what this member transfers to the others. Call it once for each secured view. `"all"` if this member has
   * the lowest id of the continuing members that may transfer. Members reject transfers from a viewer.
   */
  transferScope(view: View, self: MemberId, may: (member: MemberId) => boolean): TransferScope {
    const together = [...(this.#together ?? view.transitional)].sort()
    this.#together = null
    if (together.length === view.members.length) return "nothing"
    return together.find(may) === self ? "all" : "unfinished"
  }
}
