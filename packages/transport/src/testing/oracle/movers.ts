import { type Fail, isOrderedService, type Stay } from "./record.ts"

/** Properties 7, 11, 12 and 13, for the members that leave one view. */
export function judgeMovers(stays: readonly Stay[], everybody: ReadonlyMap<string, readonly Stay[]>, fail: Fail): void {
  const byMember = new Map(stays.map((stay) => [stay.member, stay]))
  /** By the next view, then by transitional set. */
  const moves = new Map<string, Map<string, Stay[]>>()
  for (const stay of stays) {
    if (!stay.next) continue
    const lost = stay.sent.find(({ m }) => !stay.position.has(m))
    if (lost) fail("7 self delivery", `${stay.member} leaves ${stay.view.id} without its own ${lost.m}`)
    const together = moves.get(stay.next.id) ?? new Map<string, Stay[]>()
    moves.set(stay.next.id, together)
    const transitional = stay.next.T.join()
    const group = together.get(transitional)
    if (group) group.push(stay)
    else together.set(transitional, [stay])
  }
  for (const [next, together] of moves) {
    for (const group of together.values()) {
      // A property of each and the first of them holds for any two.
      for (const stay of group.slice(1)) judgePair(group[0]!, stay, fail)
      judgeTransitional(group, byMember, everybody.get(next) ?? [], fail)
    }
  }
}

/**
 * Property 11, for members of one view that go to the same next view with the same T. The check is the same for each of
 * them.
 */
function judgeTransitional(
  group: readonly Stay[],
  byMember: ReadonlyMap<string, Stay>,
  arrivals: readonly Stay[],
  fail: Fail,
): void {
  const [{ member, view, next }] = group as [Stay]
  const transitional = new Set(next!.T)
  const same = new Set(group)
  for (const arrival of arrivals) {
    const mover = byMember.get(arrival.member)
    const comesAlong = mover?.next === arrival.view
    if (arrival.member !== member && transitional.has(arrival.member) && !comesAlong) {
      fail("11 transitional set", `${member} takes ${arrival.member} along from ${view.id}, which comes from elsewhere`)
    }
    if (!comesAlong) continue
    if (!transitional.has(arrival.member)) {
      fail("11 transitional set", `${member} goes from ${view.id} with ${arrival.member}, which is not in its T`)
    } else if (!same.has(mover)) {
      fail("11 transitional set", `${member} and ${arrival.member} from ${view.id}: different T`)
    }
  }
}

function judgePair(p: Stay, q: Stay, fail: Fail): void {
  const where = `${p.member} and ${q.member} from ${p.view.id} to ${p.next!.id}`
  const only =
    p.delivered.find(({ sent }) => !q.position.has(sent.m)) ?? q.delivered.find(({ sent }) => !p.position.has(sent.m))
  if (only) fail("12 virtual synchrony", `${where}: only one delivers ${only.sent.m}`)
  if (orderedPart(p, false) !== orderedPart(q, false)) fail("13 before trans", where)
  if (orderedPart(p, true) !== orderedPart(q, true)) fail("13 after trans", where)
}

function orderedPart(stay: Stay, afterTrans: boolean): string {
  return stay.delivered
    .filter((delivered) => delivered.afterTrans === afterTrans && isOrderedService(delivered.sent.service))
    .map(({ sent }) => sent.m)
    .join()
}
