/**
 * With whom this member could form a view now. Everybody computes it for itself; the lowest of the set proposes.
 */
import type { MemberId } from "../ids.ts"
import type { Neighbours } from "../liveness/neighbours.ts"
import type { MemberInstance } from "../wire/messages.ts"

/**
 * The members, this one included, that are all linked with one another in both directions, those of its own view
 * first. A member of another view comes only with everybody whom it still holds up there: nobody is torn out of a
 * working view because the proposer has not met the rest of it yet.
 */
export function viewCandidates(
  self: MemberInstance,
  ownView: readonly MemberInstance[],
  neighbours: Neighbours,
): MemberInstance[] {
  const inOwnView = new Set(ownView.map((member) => member.id))
  const linkedBothWays = neighbours.up().filter((peer) => neighbours.heartbeatOf(peer)?.up.includes(self.id))
  const ordered = [
    ...linkedBothWays.filter((peer) => inOwnView.has(peer)),
    ...linkedBothWays.filter((peer) => !inOwnView.has(peer)),
  ]
  const clique: MemberId[] = []
  for (const peer of ordered) {
    if (clique.every((other) => mutuallyUp(neighbours, peer, other))) clique.push(peer)
  }
  const whole = withWholeViews(clique, self, inOwnView, neighbours)
  return [self, ...whole.map((id) => ({ id, incarnation: neighbours.incarnationOf(id)! }))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
}

function mutuallyUp(neighbours: Neighbours, a: MemberId, b: MemberId): boolean {
  return neighbours.heartbeatOf(a)!.up.includes(b) && neighbours.heartbeatOf(b)!.up.includes(a)
}

function withWholeViews(
  clique: readonly MemberId[],
  self: MemberInstance,
  inOwnView: ReadonlySet<MemberId>,
  neighbours: Neighbours,
): MemberId[] {
  let kept = [...clique]
  for (let shrunk = true; shrunk;) {
    const set = new Set([self.id, ...kept])
    const next = kept.filter((peer) => inOwnView.has(peer) || companions(peer, neighbours).every((id) => set.has(id)))
    shrunk = next.length < kept.length
    kept = next
  }
  return kept
}

function companions(peer: MemberId, neighbours: Neighbours): MemberId[] {
  const heartbeat = neighbours.heartbeatOf(peer)!
  return heartbeat.viewMembers.map((member) => member.id).filter((id) => heartbeat.up.includes(id))
}
