/** The messages that a view prescribes: a function of its attachments, so all members prescribe the same ones. */
import { sharesPerRefresh } from "../shared/limits.ts"
import { compareMembers, type MemberId } from "../shared/member-id.ts"
import type { Order, Seat } from "../seniority/order.ts"

/**
 * `seats`: of the new epoch, the newest last.
 *
 * - `alone`: the view has one member.
 * - `refresh`: each of the `controllers` in turn replaces its share in the partial keys of the others. One multicast each.
 * - `merge`: a token goes up the `chain`, whose first member replaces its share and whose last one lists the partial keys.
 */
export type Plan = { readonly seats: readonly Seat[] } & (
  | { readonly kind: "alone" }
  | { readonly kind: "refresh"; readonly controllers: readonly MemberId[] }
  | { readonly kind: "merge"; readonly chain: readonly MemberId[] }
)

/** `seatsBefore`: how many the seniors' state has; only they use it. `epoch`: the new one. */
export function planOf({ seniors, newcomers }: Order, seatsBefore: number, epoch: number): Plan {
  const newest = seniors.at(-1)
  const entering = newcomers.map((owner) => ({ owner, sinceEpoch: epoch }))
  if (newest && newcomers.length === 0) {
    const controllers = seniors.length < seatsBefore ? [newest.owner] : ownersOfOldShares(seniors)
    return { kind: "refresh", seats: reseated(seniors, controllers, epoch), controllers }
  }
  if (!newest) {
    const kind = newcomers.length === 1 ? ({ kind: "alone" } as const) : ({ kind: "merge", chain: newcomers } as const)
    return { ...kind, seats: entering }
  }
  const seats = [...reseated(seniors, [newest.owner], epoch), ...entering]
  return { kind: "merge", seats, chain: [newest.owner, ...newcomers] }
}

/**
 * In a view of the same members, all refresh in turn; by the paper's rule only the newest member would. The window on
 * old shares sets how many refresh at once, the oldest share first.
 */
function ownersOfOldShares(seats: readonly Seat[]): MemberId[] {
  const byAge = [...seats].sort((a, b) => a.sinceEpoch - b.sinceEpoch || compareMembers(a.owner, b.owner))
  return byAge.slice(0, sharesPerRefresh(seats.length)).map(({ owner }) => owner)
}

function reseated(seats: readonly Seat[], refreshing: readonly MemberId[], epoch: number): Seat[] {
  return seats.map((seat) => (refreshing.includes(seat.owner) ? { ...seat, sinceEpoch: epoch } : seat))
}

/** Whose share is new in this view. */
export function isRefreshing(plan: Plan, member: MemberId): boolean {
  if (plan.kind === "merge") return plan.chain.includes(member)
  return plan.kind === "alone" || plan.controllers.includes(member)
}

/** The multicasts in order: under `merge` the token and then the list, else one list from each controller. */
export function multicastsOf(plan: Plan): readonly { readonly round: number; readonly sender: MemberId }[] {
  if (plan.kind === "alone") return []
  if (plan.kind === "refresh") return plan.controllers.map((sender, i) => ({ round: i + 1, sender }))
  const sender = plan.chain.at(-1)!
  return [plan.chain.length, plan.chain.length + 2].map((round) => ({ round, sender }))
}

/** Owners of the partial keys in a controller's list, in this order: all but the controller. */
export function othersBySeat({ seats }: Plan, controller: MemberId): MemberId[] {
  return seats.flatMap(({ owner }) => (owner === controller ? [] : [owner]))
}
