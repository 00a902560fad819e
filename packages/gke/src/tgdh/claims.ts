/** From the attachments of a view to its clusters. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { equalBytes, updateFields } from "../bytes.ts"
import type { MemberId } from "../member-id.ts"
import type { Attachment, Standing } from "./codec.ts"
import type { Cluster } from "./structure.ts"
import { leavesOf } from "./tree.ts"
import type { Node } from "./tree.ts"

/** At least two members that name the same epoch id and state hash; whether the state agrees is still to be seen. */
export type Claim = { readonly members: readonly MemberId[]; readonly standing: Standing }

export type Claims = { readonly shared: readonly Claim[]; readonly newcomers: readonly MemberId[] }

export function stateHashOf(stateBytes: Uint8Array): Uint8Array {
  const hash = sha256.create()
  updateFields(hash, ["keymoot v1 tgdh state", stateBytes])
  return hash.digest()
}

/** `members` is sorted, and so are the members of each claim. Who stands alone on its state counts as a newcomer. */
export function claimsOf(members: readonly MemberId[], attachmentOf: (member: MemberId) => Attachment): Claims {
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

function sameStanding(a: Standing, b: Standing): boolean {
  return equalBytes(a.epochId, b.epochId) && equalBytes(a.stateHash, b.stateHash)
}

/** The claimed state, if some member of the claim attached it; `liars` attached something else under the same hash. */
export function attachedState(
  claim: Claim,
  attachmentOf: (member: MemberId) => Attachment,
): { readonly state: Uint8Array | null; readonly liars: readonly MemberId[] } {
  const liars: MemberId[] = []
  for (const member of claim.members) {
    const { state } = attachmentOf(member)
    if (state.length === 0) continue
    if (equalBytes(stateHashOf(state), claim.standing.stateHash)) return { state, liars }
    liars.push(member)
  }
  return { state: null, liars }
}

/**
 * Members without a leaf in the state that they name never were in that epoch; they enter as newcomers. `tree` is null
 * for a state that does not decode, which no honest member can have signed: then they all do.
 */
export function clustersOfClaim(claim: Claim, tree: Node | null): Cluster[] {
  const owners = new Set(tree ? leavesOf(tree).map((leaf) => leaf.owner) : [])
  const standing = claim.members.filter((member) => owners.has(member))
  const liars = claim.members.filter((member) => !owners.has(member)).map(newcomerCluster)
  return standing.length > 0 ? [{ members: standing, tree }, ...liars] : liars
}

export function newcomerCluster(member: MemberId): Cluster {
  return { members: [member], tree: null }
}
