/**
 * With whom this member could form a view now. Everybody computes it for itself; the lowest of the set proposes.
 */
import type { MemberId } from "../ids.ts"
import type { Neighbours } from "../liveness/neighbours.ts"
import type { Heartbeat, MemberInstance } from "../wire/messages.ts"

/** Of a heartbeat that is kept: with a new one of one neighbour, those of all others are asked for again. */
const heldUp = new WeakMap<Heartbeat, ReadonlySet<MemberId>>()

function heldUpBy(heartbeat: Heartbeat | null): ReadonlySet<MemberId> | null {
  if (heartbeat === null) return null
  let known = heldUp.get(heartbeat)
  if (!known) heldUp.set(heartbeat, (known = new Set(heartbeat.up)))
  return known
}

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
  const linkedBothWays = neighbours.up().filter((peer) => heldUpBy(neighbours.heartbeatOf(peer))?.has(self.id))
  const links: Links = new Map(linkedBothWays.map((peer) => [peer, heldUpBy(neighbours.heartbeatOf(peer))!]))
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
