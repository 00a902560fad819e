import type { Fail, Stay } from "./record.ts"
import { isOrderedService } from "./record.ts"

/** 7, 11, 12 and 13, for those who leave one view. */
export function judgeMovers(stays: readonly Stay[], everybody: ReadonlyMap<string, readonly Stay[]>, fail: Fail): void {
  const byMove = new Map<string, Stay>()
  for (const stay of stays) {
    const { next, view, member } = stay
    if (!next) continue
    const lost = stay.sent.find(({ m }) => !stay.position.has(m))
    if (lost) fail("7 self delivery", `${member} leaves ${view.id} without its own ${lost.m}`)
    for (const other of everybody.get(next.id) ?? []) {
      if (other.member === member || !next.T.includes(other.member)) continue
      if (!stays.some((mover) => mover.member === other.member && mover.next === other.view)) {
        fail("11 transitional set", `${member} takes ${other.member} along from ${view.id}, which comes from elsewhere`)
      }
    }
    // What holds for each and the first of them holds for any two.
    const first = byMove.get(`${next.id} ${next.T.join()}`)
    if (first) judgePair(first, stay, fail)
    else byMove.set(`${next.id} ${next.T.join()}`, stay)
    const left = stays.find((q) => q.next?.id === next.id && !next.T.includes(q.member))
    if (left) fail("11 transitional set", `${member} goes from ${view.id} with ${left.member}, which is not in its T`)
    const differs = stays.find(
      (q) => q.next?.id === next.id && next.T.includes(q.member) && q.next.T.join() !== next.T.join(),
    )
    if (differs) fail("11 transitional set", `${member} and ${differs.member} from ${view.id}: different T`)
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
