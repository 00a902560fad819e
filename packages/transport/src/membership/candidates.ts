/**
 * The members with which this one could form a view now. Every member computes its own set, and the lowest of the set
 * proposes.
 */
import type { MemberId } from "../members/ids.ts"
import type { Neighbours } from "../liveness/neighbours.ts"
import type { Heartbeat, MemberInstance } from "../wire/messages.ts"

/** Cache of a heartbeat's `up` list as a set: each new heartbeat of one neighbour reads those of all others. */
const heldUp = new WeakMap<Heartbeat, ReadonlySet<MemberId>>()

function heldUpBy(heartbeat: Heartbeat | null): ReadonlySet<MemberId> | null {
  if (heartbeat === null) return null
  let known = heldUp.get(heartbeat)
  if (!known) heldUp.set(heartbeat, (known = new Set(heartbeat.up)))
  return known
}

/** The members that each neighbour states to be up, or that have just stated a link to it. */
type Links = ReadonlyMap<MemberId, ReadonlySet<MemberId>>

/**
 * A set of at most `membersMax` members, this one included, that are all linked with one another. Both ends of a link
 * state it, or one end has just done so (liveness/early-links.ts). Members of the own view come first.
 *
 * A member of another view is included only together with all members that are still up for it there. So no member
 * leaves a working view because the proposer does not know the rest of that view yet.
 */
export function viewCandidates(
  self: MemberInstance,
  ownView: readonly MemberInstance[],
  neighbours: Neighbours,
  membersMax: number,
): MemberInstance[] {
  const inOwnView = new Set(ownView.map((member) => member.id))
  if (neighbours.overOverlay) return reachableCandidates(self, inOwnView, neighbours, membersMax)
  const linkedBothWays = neighbours.up().filter((peer) => heldUpBy(neighbours.heartbeatOf(peer))?.has(self.id))
  const links: Links = new Map(linkedBothWays.map((peer) => [peer, linksOf(peer, neighbours)]))
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
    const up = links.get(peer)!
    if (clique.every((other) => up.has(other) && links.get(other)!.has(peer))) clique.push(peer)
  }
  const whole = withWholeViews(clique, self, inOwnView, neighbours)
  return [self, ...whole.map((id) => ({ id, incarnation: neighbours.incarnationOf(id)! }))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  )
}

function linksOf(peer: MemberId, neighbours: Neighbours): ReadonlySet<MemberId> {
  const up = heldUpBy(neighbours.heartbeatOf(peer))!
  const early = neighbours.justLinkedTo(peer).filter((other) => !up.has(other))
  return early.length > 0 ? new Set([...up, ...early]) : up
}

/**
 * Over the overlay members need no direct links: each reachable member can be in a view once its heartbeat has come.
 */
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
 * Sorts members. If two are not linked, only the first of them gets in. Members with more links to the others come
 * first. Among equals, those come first that deny fewer links which the other end affirms. Otherwise a member could
 * exclude others by denying its links to them.
 */
function byStanding(peers: readonly MemberId[], links: Links): MemberId[] {
  const upOf = peers.map((peer) => links.get(peer)!)
  const standing = peers.map((peer, i) => {
    let [linked, denied] = [0, 0]
    for (let j = 0; j < peers.length; j++) {
      if (i === j || !upOf[j]!.has(peer)) continue
      if (upOf[i]!.has(peers[j]!)) linked++
      else denied++
    }
    return { peer, linked, denied }
  })
  return standing
    .sort((a, b) => b.linked - a.linked || a.denied - b.denied || (a.peer < b.peer ? -1 : 1))
    .map(({ peer }) => peer)
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
  const up = heldUpBy(heartbeat)!
  return heartbeat.viewMembers.map((member) => member.id).filter((id) => up.has(id))
}
