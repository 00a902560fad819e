/** What a view's members have to do: a function of its attachments, so everybody prescribes the same messages. */
import { compareMembers } from "../member-id.ts"
import type { MemberId } from "../member-id.ts"
import type { Order, Seat } from "../seniority/order.ts"

/**
 * `seats`: of the new epoch, the newest last. `controller`: who multicasts the list of partial keys.
 *
 * - `alone`: nobody to talk to.
 * - `refresh`: the controller replaces its share in the partial keys of the others. One multicast.
 * - `merge`: a token goes up the `chain`, whose first member replaces its share and whose last one is the controller.
 */
export type Plan = { readonly seats: readonly Seat[]; readonly controller: MemberId } & (
  | { readonly kind: "alone" }
  | { readonly kind: "refresh" }
  | { readonly kind: "merge"; readonly chain: readonly MemberId[] }
)

/** `seatsBefore`: how many the seniors' state has; only they use it. `epoch`: the new one. */
export function planOf({ seniors, newcomers }: Order, seatsBefore: number, epoch: number): Plan {
  const newest = seniors.at(-1)
  const entering = newcomers.map((owner) => ({ owner, sinceEpoch: epoch }))
  if (newest && newcomers.length === 0) {
    const controller = seniors.length < seatsBefore ? newest.owner : ownerOfOldestShare(seniors)
    return { kind: "refresh", seats: reseated(seniors, controller, epoch), controller }
  }
  const controller = newcomers.at(-1)!
  if (!newest) {
    const kind = newcomers.length === 1 ? ({ kind: "alone" } as const) : ({ kind: "merge", chain: newcomers } as const)
    return { ...kind, seats: entering, controller }
  }
  const seats = [...reseated(seniors, newest.owner, epoch), ...entering]
  return { kind: "merge", seats, controller, chain: [newest.owner, ...newcomers] }
}

/** Of the same members in a new view, everybody refreshes in turn: the paper's newest would be the only one who ever does. */
function ownerOfOldestShare(seats: readonly Seat[]): MemberId {
  const older = (a: Seat, b: Seat): Seat =>
    (a.sinceEpoch - b.sinceEpoch || compareMembers(a.owner, b.owner)) <= 0 ? a : b
  return seats.reduce(older).owner
}

function reseated(seats: readonly Seat[], refreshing: MemberId, epoch: number): Seat[] {
  return seats.map((seat) => (seat.owner === refreshing ? { ...seat, sinceEpoch: epoch } : seat))
}

/** Whose share is new in this view. */
export function isRefreshing(plan: Plan, member: MemberId): boolean {
  return plan.kind === "merge" ? plan.chain.includes(member) : plan.controller === member
}

export function othersBySeat({ seats, controller }: Plan): MemberId[] {
  return seats.flatMap(({ owner }) => (owner === controller ? [] : [owner]))
}
