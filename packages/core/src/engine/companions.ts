import type { MemberId, View } from "@keymoot/transport"

/**
 * unfinished: what this member was handing over when the view changed, from its beginning. Those who are new here have missed
 * that; whoever tells them all may not have had the end of it.
 */
export type HandOver = "all" | "unfinished" | "nothing"

/**
 * Who has been with this member since the last secured view, through all views between: these have seen the same. The view
 * that is secured in the end may tell of nobody new, when the one in which they came was over before it was secured.
 */
export class Companions {
  #together: ReadonlySet<MemberId> | null = null

  onView({ transitional }: Pick<View, "transitional">): void {
    const together = this.#together
    this.#together = new Set(together ? transitional.filter((id) => together.has(id)) : transitional)
  }

  /**
   * To be asked once for each secured view: what this member tells those who have not seen it. All there is, if it is the lowest
   * of those of them who may; from a viewer nobody would take it.
   */
  handsOver(view: View, self: MemberId, may: (member: MemberId) => boolean): HandOver {
    const together = [...(this.#together ?? view.transitional)].sort()
    this.#together = null
    if (together.length === view.members.length) return "nothing"
    return together.find(may) === self ? "all" : "unfinished"
  }
}
