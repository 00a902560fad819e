/**
 * With whom this member could form a view now. Everybody computes it for itself; the lowest of the set proposes.
 */
import type { MemberId } from "../ids.ts"
import type { Neighbours } from "../liveness/neighbours.ts"
import { MEMBERS_MAX, type MemberInstance } from "../wire/messages.ts"

/**
 * The members, this one included and `MEMBERS_MAX` at most, that are all linked with one another in both directions,
 * those of its own view first. A member of another view comes only with everybody whom it still holds up there: nobody
 * is torn out of a working view because the proposer has not met the rest of it yet.
 */
export function viewCandidates(
  self: MemberInstance,
  ownView: readonly MemberInstance[],
  neighbours: Neighbours,
): MemberInstance[] {
  const inOwnView = new Set(ownView.map((member) => member.id))
  const linkedBothWays = neighbours.up().filter((peer) => neighbours.heartbeatOf(peer)?.up.includes(self.id))
  const ordered = [
    ...byStanding(
      linkedBothWays.filter((peer) => inOwnView.has(peer)),
      neighbours,
    ),
    ...byStanding(
      linkedBothWays.filter((peer) => !inOwnView.has(peer)),
      neighbours,
    ),
  ]
  const clique: MemberId[] = []
  for (const peer of ordered) {
    if (clique.length === MEMBERS_MAX - 1) break
    if (clique.every((other) => mutuallyUp(neighbours, peer, other))) clique.push(peer)
  }
  const whole = withWholeViews(clique, self, inOwnView, neighbours)
  return [self, ...whole.map((id) => ({ id, incarnation: neighbours.incarnationOf(id)! }))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
}

/**
 * Of two that are not linked one has to go. First come those who are linked with more of the others; among equals those who
 * deny fewer links that the other end affirms, or a member could have others left out by saying that it does not see them.
 */
function byStanding(peers: readonly MemberId[], neighbours: Neighbours): MemberId[] {
  const standing = peers.map((peer) => {
    const others = peers.filter((other) => other !== peer)
    const links = others.filter((other) => mutuallyUp(neighbours, peer, other)).length
    const denied = others.filter(
      (other) => holdsUp(neighbours, other, peer) && !holdsUp(neighbours, peer, other),
    ).length
    return { peer, links, denied }
  })
  return standing
    .sort((a, b) => b.links - a.links || a.denied - b.denied || (a.peer < b.peer ? -1 : 1))
    .map(({ peer }) => peer)
}

function holdsUp(neighbours: Neighbours, a: MemberId, b: MemberId): boolean {
  return neighbours.heartbeatOf(a)!.up.includes(b)
}

function mutuallyUp(neighbours: Neighbours, a: MemberId, b: MemberId): boolean {
  return holdsUp(neighbours, a, b) && holdsUp(neighbours, b, a)
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
