import { equalBytes } from "../shared/bytes.ts"
import { unreachable } from "../shared/errors.ts"
import type { Element, Scalar } from "../group/prime-order-group.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { Agreement, Part } from "./agreement.ts"
import type { Message, PartialKeyList } from "./gdh-codec.ts"
import { type GdhEpoch, type Listed, withShareReplaced } from "./partial-keys.ts"
import { othersBySeat } from "./plan.ts"

type Partials = ReadonlyMap<MemberId, Element>
type List = { readonly list: PartialKeyList; readonly bytes: Uint8Array }

/**
 * Handles a leave or a view of the same members. One controller after the other replaces its share in all other partial
 * keys, each on the list of the previous one. Its own partial key does not change.
 */
export class Refresh implements Part {
  readonly #agreement: Agreement
  readonly #base: GdhEpoch
  #partials: Partials
  /** As controller, until its own list comes back: the others have it then, too. */
  #listed: Listed | null = null
  /** Lists that overtook the one that they build on. One of each controller. */
  readonly #early = new Map<MemberId, List>()

  constructor(agreement: Agreement) {
    this.#agreement = agreement
    this.#base = agreement.input.base ?? unreachable("who refreshes stands on a state")
    this.#partials = this.#base.partials
  }

  start(): void {
    this.#takeTurn()
  }

  awaiting(): readonly MemberId[] {
    const { next } = this.#agreement
    return next === undefined ? [] : [next]
  }

  erase(): void {
    this.#listed?.key.fill(0)
  }

  step(from: MemberId, message: Message, bytes: Uint8Array): boolean {
    if (message.kind !== "list") return false
    if (from === this.#agreement.input.view.self) return this.#stepOwn(bytes)
    if (from === this.#agreement.next) this.#stepList(from, { list: message.list, bytes })
    else if (this.#agreement.isToCome(from) && !this.#early.has(from))
      this.#early.set(from, { list: message.list, bytes })
    else return false
    return true
  }

  #takeTurn(): void {
    const { plan, input, share, next } = this.#agreement
    if (next !== input.view.self) return
    const others = othersBySeat(plan, next).map((member) => this.#partials.get(member)!)
    const own = this.#partials.get(next)!
    const replaced = withShareReplaced(input.group, others, this.#base.share, share)
    this.#listed = this.#agreement.list(replaced, own, input.group.multiply(own, share), [])
  }

  #stepOwn(bytes: Uint8Array): boolean {
    const taken = this.#agreement.takeOwn(bytes)
    if (taken === "all taken") this.#afterList(this.#listed!)
    return taken !== "never sent"
  }

  #stepList(from: MemberId, { list, bytes }: List): void {
    const listed = this.#agreement.open(from, list, this.#partials.get(from)!, this.#presentShare())
    if (!listed) return
    // A controller that lists the old partial keys has replaced nothing: former members would have this key, too.
    const { self } = this.#agreement.input.view
    if (equalBytes(listed.partials.get(self)!, this.#partials.get(self)!)) {
      listed.key.fill(0)
      return this.#agreement.failAt(from, "wrong-key")
    }
    this.#agreement.deliver(bytes)
    this.#afterList(listed)
  }

  /** A controller whose turn is still to come is in the key by the share that it had before. */
  #presentShare(): Scalar {
    const { input, share } = this.#agreement
    return this.#agreement.isToCome(input.view.self) ? this.#base.share : share
  }

  #afterList(listed: Listed): void {
    const { next } = this.#agreement
    this.#listed = null
    if (next === undefined) return this.#agreement.complete(listed)
    listed.key.fill(0)
    this.#partials = listed.partials
    this.#takeTurn()
    const early = this.#early.get(next)
    if (early) this.#stepList(next, early)
  }
}
