/**
 * The value that the members agree on, and the secret derived from it: section 2.3 of the SecChat thesis (Cachin and
 * Strobl). The secret is the sum of the y of t owners. A member with one y obtains all of them by the published
 * differences.
 *
 * Divergences: y are numbers modulo the group's order, not bit strings. All differences together reveal the sum up to
 * t·y, so t must be invertible: under XOR an even t would reveal the sum. The last difference is the negative sum of
 * the others and is left out. Each owner's C = g^y is published, so that a false difference identifies its sender.
 */
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { equalBytes, hashFields, settleSecret } from "../shared/bytes.ts"
import { isCanonicalScalar, type Element, type PrimeOrderGroup, type Scalar } from "../group/prime-order-group.ts"
import { type MemberId, memberIdToBytes } from "../shared/member-id.ts"
import type { Offer, Proposal } from "./majority-codec.ts"

/** A contribution whose C = g^y was checked. */
export type Contribution = { readonly owner: number; readonly offer: Offer; readonly y: Scalar }

/** `contributions`: t of them, by ascending owner. */
export function proposalOf(group: PrimeOrderGroup, contributions: readonly Contribution[]): Proposal {
  return {
    owners: contributions.map(({ owner, offer }) => ({ owner, offer })),
    differences: contributions.slice(1).map(({ y }, i) => group.subtractScalars(contributions[i]!.y, y)),
  }
}

/** `isOffer`: the offer is its owner's, and C an element. Costs t - 1 exponentiations: g^{d_j} = C_j - C_{j+1}. */
export function isProposal(
  group: PrimeOrderGroup,
  { owners, differences }: Proposal,
  rules: { readonly majority: number; readonly isOffer: (owner: number, offer: Offer) => boolean },
): boolean {
  if (owners.length !== rules.majority || differences.length !== rules.majority - 1) return false
  if (owners.some(({ owner }, i) => i > 0 && owners[i - 1]!.owner >= owner)) return false
  if (!owners.every(({ owner, offer }) => rules.isOffer(owner, offer))) return false
  return differences.every((d, i) => {
    const [one, next] = [owners[i]!.offer.share as Element, owners[i + 1]!.offer.share as Element]
    return isCanonicalScalar(group, d) && equalBytes(group.multiplyBase(d), group.subtract(one, next))
  })
}

/** One of the proposal's y. An owner that signed two C may be in the proposal with one, and have given the y of the other. */
export function knownOf(proposal: Proposal, contributions: ReadonlyMap<number, Contribution>): Contribution | null {
  for (const { owner, offer } of proposal.owners) {
    const contribution = contributions.get(owner)
    if (contribution && equalBytes(contribution.offer.share, offer.share)) return contribution
  }
  return null
}

/** 32 bytes: HKDF(sum ‖ owners and C ‖ sid). `known`: the y of one of the proposal's owners. */
export function secretOf(
  group: PrimeOrderGroup,
  { sid, roster }: { readonly sid: Uint8Array; readonly roster: readonly MemberId[] },
  proposal: Proposal,
  known: Contribution,
): Uint8Array {
  const sum = sumOfContributions(group, proposal, known)
  const owners = proposal.owners.flatMap(({ owner, offer }) => [memberIdToBytes(roster[owner]!), offer.share])
  const ikm = concatBytes(sum, hashFields("keymoot v1 majority secret", sid, ...owners), sid)
  const secret = settleSecret(hkdf(sha256, ikm, undefined, utf8ToBytes("keymoot v1 majority secret"), 32))
  for (const bytes of [sum, ikm]) bytes.fill(0)
  return secret
}

/** Walks down and up from the known one: y_{j+1} = y_j - d_j. */
export function sumOfContributions(group: PrimeOrderGroup, proposal: Proposal, known: Contribution): Scalar {
  const { owners, differences } = proposal
  const start = owners.findIndex(({ owner }) => owner === known.owner)
  let sum = group.addScalars(known.y, new Uint8Array(group.scalarBytes) as Scalar)
  const walk = (steps: readonly Uint8Array[], move: (y: Scalar, d: Scalar) => Scalar): void => {
    let y = known.y
    for (const d of steps) {
      const [from, before] = [y, sum]
      y = move(from, d as Scalar)
      sum = group.addScalars(before, y)
      before.fill(0)
      if (from !== known.y) from.fill(0)
    }
    if (y !== known.y) y.fill(0)
  }
  walk(differences.slice(start), (y, d) => group.subtractScalars(y, d))
  walk(differences.slice(0, start).toReversed(), (y, d) => group.addScalars(y, d))
  return sum
}

/** 32 bytes over the decided value, which is the same at all members; the messages that led to it are not. */
export function transcriptOf(sid: Uint8Array, value: Uint8Array): Uint8Array {
  return hashFields("keymoot v1 majority transcript", sid, value)
}
