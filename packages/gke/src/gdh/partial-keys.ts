/**
 * The list of partial keys. Entry i is the group key without the share of member i. Only member i can compute the group
 * key from it, by raising it to that share.
 */
import { equalBytes, hashFields } from "../shared/bytes.ts"
import { type Element, isRejection, type PrimeOrderGroup, type Scalar } from "../group/prime-order-group.ts"
import type { PartialKeyList } from "./gdh-codec.ts"
import type { MemberId } from "../shared/member-id.ts"
import { encodeSeats, type SeatedEpoch } from "../seniority/seating.ts"
import type { Seat } from "../seniority/order.ts"
import { concatBytes } from "@noble/hashes/utils.js"

/** A member's record of an epoch: the public partial keys of all members, and its own secret share. */
export type GdhEpoch = SeatedEpoch & {
  readonly partials: ReadonlyMap<MemberId, Element>
  readonly share: Scalar
}

/** Only hashed and displayed: no member decodes another's. */
export function encodeGdhState(seats: readonly Seat[], partials: ReadonlyMap<MemberId, Element>): Uint8Array {
  return concatBytes(encodeSeats(seats), ...seats.map(({ owner }) => partials.get(owner)!))
}

/** Others' partial keys once the owner of `before` has `after` in its place; one multiplication each. */
export function withShareReplaced(
  group: PrimeOrderGroup,
  partials: readonly Element[],
  before: Scalar,
  after: Scalar,
): Element[] {
  const factoredOut = group.invert(before)
  const ratio = group.multiplyScalars(factoredOut, after)
  const replaced = partials.map((partial) => group.multiply(partial, ratio))
  factoredOut.fill(0)
  ratio.fill(0)
  return replaced
}

/** `e` without the share. */
export function factorOut(group: PrimeOrderGroup, e: Element, share: Scalar): Element {
  const inverse = group.invert(share)
  const rest = group.multiply(e, inverse)
  inverse.fill(0)
  return rest
}

/**
 * Sent with the list. Without it, a controller could give some members another key, or put a false partial key in an
 * honest member's place. The split would show only when confirmations differ.
 */
export function commitmentTo(groupKey: Element): Uint8Array {
  return hashFields("keymoot v1 gdh commitment", groupKey)
}

/** Hash of the previous unicasts, in order: a token names its predecessor by it, the list names all of them. */
export function trailOf(unicasts: readonly Uint8Array[]): Uint8Array {
  return hashFields("keymoot v1 gdh unicasts", ...unicasts)
}

/** The partial keys of all members, public, and the resulting group key, secret. */
export type Listed = { readonly partials: ReadonlyMap<MemberId, Element>; readonly key: Element }

/**
 * The reader of a list: `others` are the members with entries in it, `controller` made it, `own` is the controller's
 * partial key.
 */
export type ListReader = {
  readonly self: MemberId
  readonly share: Scalar
  readonly others: readonly MemberId[]
  readonly controller: MemberId
  readonly own: Element
}

/** The controller's list, if it decodes and gives the reader the key that the controller committed to. */
export function openList(
  group: PrimeOrderGroup,
  list: PartialKeyList,
  { self, share, others, controller, own }: ListReader,
): Listed | "malformed-message" | "wrong-key" {
  const partials = list.partials.map((partial) => group.decode(partial))
  if (partials.length !== others.length || partials.some(isRejection)) return "malformed-message"
  const byMember = byOwner(others, partials as Element[], controller, own)
  const key = group.multiply(byMember.get(self)!, share)
  if (equalBytes(commitmentTo(key), list.commitment)) return { partials: byMember, key }
  key.fill(0)
  return "wrong-key"
}

export function byOwner(
  others: readonly MemberId[],
  partials: readonly Element[],
  controller: MemberId,
  own: Element,
): ReadonlyMap<MemberId, Element> {
  return new Map([...others.map((member, i) => [member, partials[i]!] as const), [controller, own] as const])
}
