/**
 * With whom this member could form a view now. Everybody computes it for itself; the lowest of the set proposes.
 */
import type { MemberId } from "../ids.ts"
import type { Neighbours } from "../liveness/neighbours.ts"
import type { MemberInstance } from "../wire/messages.ts"

/** Whom each neighbour says it holds up. */
type Links = ReadonlyMap<MemberId, ReadonlySet<MemberId>>

/**
 * The members, this one included and `membersMax` at most, that are all linked with one another in both directions,
 * those of its own view first. A member of another view comes only with everybody whom it still holds up there: nobody
 * is torn out of a working view because the proposer has not met the rest of it yet.
 */
export function viewCandidates(
  self: MemberInstance,
  ownView: readonly MemberInstance[],
  neighbours: Neighbours,
  membersMax: number,
): MemberInstance[] {
  const inOwnView = new Set(ownView.map((member) => member.id))
  if (neighbours.overOverlay) return reachableCandidates(self, inOwnView, neighbours, membersMax)
  const linkedBothWays = neighbours.up().filter((peer) => neighbours.heartbeatOf(peer)?.up.includes(self.id))
  const links: Links = new Map(linkedBothWays.map((peer) => [peer, new Set(neighbours.heartbeatOf(peer)!.up)]))
  const ordered = [
    ...byStanding(
      linkedBothWays.filter((peer) => inOwnView.has(peer)),
      links,
    ),
    ...byStanding(
      linkedBothWays.filter((peer) => !inOwnView.has(peer)),
      links,
    ),
  ]
  const clique: MemberId[] = []
  for (const peer of ordered) {
    if (clique.length === membersMax - 1) break
    if (clique.every((other) => mutuallyUp(links, peer, other))) clique.push(peer)
  }
  const whole = withWholeViews(clique, self, inOwnView, neighbours)
  return [self, ...whole.map((id) => ({ id, incarnation: neighbours.incarnationOf(id)! }))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
}

/** Over the overlay links need not be everybody's: whoever can be reached can be in a view, once it has told its state. */
function reachableCandidates(
  self: MemberInstance,
  inOwnView: ReadonlySet<MemberId>,
  neighbours: Neighbours,
  membersMax: number,
): MemberInstance[] {
  const present = neighbours.up().filter((peer) => neighbours.heartbeatOf(peer) !== null)
  const chosen =
    present.length < membersMax
      ? present
      : ownFirst(present, inOwnView)
          .slice(0, membersMax - 1)
          .sort()
  const candidates = chosen.map((id) => ({ id, incarnation: neighbours.incarnationOf(id)! }))
  const place = chosen.findIndex((id) => id > self.id)
  candidates.splice(place < 0 ? candidates.length : place, 0, self)
  return candidates
}

function ownFirst(present: readonly MemberId[], inOwnView: ReadonlySet<MemberId>): MemberId[] {
  return [...present.filter((peer) => inOwnView.has(peer)), ...present.filter((peer) => !inOwnView.has(peer))]
}

/**
 * Of two that are not linked one has to go. First come those who are linked with more of the others; among equals those who
 * deny fewer links that the other end affirms, or a member could have others left out by saying that it does not see them.
 */
function byStanding(peers: readonly MemberId[], links: Links): MemberId[] {
  const standing = peers.map((peer) => {
    const others = peers.filter((other) => other !== peer)
    const linked = others.filter((other) => mutuallyUp(links, peer, other)).length
    const denied = others.filter((other) => holdsUp(links, other, peer) && !holdsUp(links, peer, other)).length
    return { peer, linked, denied }
  })
  return standing
    .sort((a, b) => b.linked - a.linked || a.denied - b.denied || (a.peer < b.peer ? -1 : 1))
    .map(({ peer }) => peer)
}

function holdsUp(links: Links, a: MemberId, b: MemberId): boolean {
  return links.get(a)!.has(b)
}

function mutuallyUp(links: Links, a: MemberId, b: MemberId): boolean {
  return holdsUp(links, a, b) && holdsUp(links, b, a)
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
