/** Members that come and go again and again: each time everybody stops sending, and agrees a new key. */
import type { CoreContext } from "../group/types.ts"
import { hasInstance, type View } from "../group/view.ts"
import type { MemberId } from "../ids.ts"
import type { MemberInstance } from "../wire/messages.ts"

export class Restless {
  readonly #context: CoreContext
  /** Those of the present view, and who was to be in the next one and is there still. One life of each. */
  readonly #expected = new Map<MemberId, MemberInstance>()

  constructor(context: CoreContext) {
    this.#context = context
  }

  /** Who goes each time before there is a view would keep the others from having one. */
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
    // Where half of a view is gone it is the network that parted, and for each half the other one would be who went.
    if (2 * gone.length >= this.#context.view().members.length) return
    for (const member of gone) if (!this.#isWell(member, members)) this.#context.departed(member.id)
  }

  /** Whoever left it out, it did not go: it can be reached, and reaches all the others. */
  #isWell({ id, incarnation }: MemberInstance, members: readonly MemberInstance[]): boolean {
    const { neighbours, config } = this.#context
    if (!neighbours.isUp(id) || neighbours.incarnationOf(id) !== incarnation) return false
    const others = members.filter((member) => member.id !== id && member.id !== config.self.id)
    return others.every((other) => neighbours.holdsUp(id, other.id))
  }
}
