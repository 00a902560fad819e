import type { MemberId, View } from "@keymoot/transport"

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
   * To be asked once for each secured view: whether this member, the lowest of those of them who may, tells the others what
   * they have not seen. From a viewer nobody would take it.
   */
  handsOver(view: View, self: MemberId, may: (member: MemberId) => boolean): boolean {
    const together = [...(this.#together ?? view.transitional)].sort()
    this.#together = null
    return together.find(may) === self && together.length < view.members.length
  }
}
