/** Detects flapping members. Each return and loss stops all sending and causes a new key agreement. */
import type { CoreContext } from "./core-context.ts"
import { hasInstance, type View } from "../view/view.ts"
import type { MemberId } from "../members/ids.ts"
import type { MemberInstance } from "../wire/messages.ts"

export class FlapDetector {
  readonly #context: CoreContext
  /** Members of the present view, and those of accepted proposals that are still here. One incarnation of each. */
  readonly #expected = new Map<MemberId, MemberInstance>()

  constructor(context: CoreContext) {
    this.#context = context
  }

  /** Counts accepted proposals too. Otherwise a member that leaves before each view could prevent every view. */
  onAccept(members: readonly MemberInstance[]): void {
    this.#noteGone(members)
    for (const member of members) this.#expected.set(member.id, member)
  }

  onInstalled({ members }: View): void {
    this.#noteGone(members)
    this.#expected.clear()
    for (const member of members) this.#expected.set(member.id, member)
  }

  #noteGone(members: readonly MemberInstance[]): void {
    const gone = [...this.#expected.values()].filter((member) => !hasInstance(members, member))
    for (const { id } of gone) this.#expected.delete(id)
    // If half of a view is gone, the network is partitioned. Each half would otherwise blame the other one.
    if (2 * gone.length >= this.#context.view.members.length) return
    for (const member of gone) if (!this.#isWell(member, members)) this.#context.departed(member.id)
  }

  /** True if a member did not leave but was only omitted by the proposer: it is up, and it reaches all the others. */
  #isWell({ id, incarnation }: MemberInstance, members: readonly MemberInstance[]): boolean {
    const { neighbours, config } = this.#context
    if (!neighbours.isUp(id) || neighbours.incarnationOf(id) !== incarnation) return false
    const others = members.filter((member) => member.id !== id && member.id !== config.self.id)
    return others.every((other) => neighbours.holdsUp(id, other.id))
  }
}
