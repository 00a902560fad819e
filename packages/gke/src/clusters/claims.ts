/** From the attachments of a view to its clusters. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { compareMembers, type MemberId } from "../shared/member-id.ts"
import { type Attachment, sameStanding, type Standing } from "./attachment.ts"

/** At least two members that name the same epoch id and state hash; whether the state agrees is still to be seen. */
export type Claim = { readonly members: readonly MemberId[]; readonly standing: Standing }

export type Claims = { readonly shared: readonly Claim[]; readonly newcomers: readonly MemberId[] }

/**
 * Members with the same public state, sorted. `state`: that state, in which each of them owns an entry. A cluster of
 * one does not use it: the member enters with its fresh share, like a newcomer.
 */
export type Cluster<State> = { readonly members: readonly MemberId[]; readonly state: State | null }

/** A public state, and who owns an entry in it, sorted. */
export type OwnedState<State> = { readonly state: State; readonly owners: readonly MemberId[] }

/**
 * `members` is sorted, and so are the members of each claim. A member that is alone with its state counts as a
 * newcomer.
 */
export function claimsOf(
  members: readonly MemberId[],
  attachmentOf: (member: MemberId) => Pick<Attachment, "standing">,
): Claims {
  type Gathered = { readonly members: MemberId[]; readonly standing: Standing }
  const byStanding = new Map<string, Gathered>()
  const newcomers: MemberId[] = []
  let latest: Gathered | null = null
  for (const member of members) {
    const { standing } = attachmentOf(member)
    if (!standing) newcomers.push(member)
    // Most views have one large cluster: comparing is quicker than looking up.
    else if (latest && sameStanding(latest.standing, standing)) latest.members.push(member)
    else {
      const key = standingKey(standing)
      latest = byStanding.get(key) ?? { members: [], standing }
      latest.members.push(member)
      byStanding.set(key, latest)
    }
  }
  const shared: Claim[] = []
  for (const claim of byStanding.values()) {
    if (claim.members.length > 1) shared.push(claim)
    else newcomers.push(...claim.members)
  }
  return { shared, newcomers }
}

function standingKey({ epochId, stateHash }: Standing): string {
  return bytesToHex(epochId) + bytesToHex(stateHash)
}

/** The claimed state, if some member of the claim attached it; `liars` attached something else under the same hash. */
export function attachedState(
  claim: Claim,
  attachedBy: (member: MemberId) => Uint8Array,
  isClaimed: (state: Uint8Array) => boolean,
): { readonly state: Uint8Array | null; readonly liars: readonly MemberId[] } {
  const liars: MemberId[] = []
  for (const member of claim.members) {
    const state = attachedBy(member)
    if (state.length === 0) continue
    if (isClaimed(state)) return { state, liars }
    liars.push(member)
  }
  return { state: null, liars }
}

/** Members without an entry in the state that they name never were in that epoch; they enter as newcomers. */
export function clustersOfClaim<State extends object>(claim: Claim, known: OwnedState<State>): Cluster<State>[] {
  const standing: MemberId[] = []
  const liars: Cluster<State>[] = []
  // Both are sorted: one pass spares a set of hundreds of names.
  let at = 0
  for (const member of claim.members) {
    while (at < known.owners.length && known.owners[at]! < member) at++
    if (known.owners[at] === member) standing.push(member)
    else liars.push(newcomerCluster(member))
  }
  return standing.length > 0 ? [{ members: standing, state: known.state }, ...liars] : liars
}

export function newcomerCluster(member: MemberId): Cluster<never> {
  return { members: [member], state: null }
}

/** The canonical order in which clusters merge: larger first, then the smaller lowest member id. */
export function compareClusters(a: Cluster<unknown>, b: Cluster<unknown>): number {
  return b.members.length - a.members.length || compareMembers(a.members[0]!, b.members[0]!)
}
