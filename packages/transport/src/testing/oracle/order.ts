import { hasCausalPast, isOrderedService, setOf, type Fail, type Stay } from "./record.ts"

/**
 * Properties 14 and 15. A sender's messages are delivered in its order. A causal, agreed or safe message is delivered
 * after everything that its sender had delivered.
 */
export function judgeCausality(stays: readonly Stay[], fail: Fail): void {
  const byMember = new Map(stays.map((stay) => [stay.member, stay]))
  for (const stay of stays) {
    const last = new Map<string, number>()
    /** Per sender: how many of its delivered messages were found here, at or before the present place. */
    const found = new Map<string, number>()
    for (const [position, { sent, t }] of stay.delivered.entries()) {
      const { by, number, service, m } = sent
      const former = last.get(by) ?? 0
      if (number !== former + 1) fail("14 fifo", `${stay.member} delivers ${m} as number ${number} after ${former}`, t)
      last.set(by, number)
      if (!hasCausalPast(service) || by === stay.member) continue
      const past = byMember.get(by)!.delivered
      for (let i = found.get(by) ?? 0; i < sent.past; i++) {
        const at = stay.position.get(past[i]!.sent.m)
        if (at === undefined || at > position) {
          fail("15 causal", `${stay.member} delivers ${m} before ${past[i]!.sent.m}`, t)
          break
        }
      }
      found.set(by, Math.max(found.get(by) ?? 0, sent.past))
    }
  }
}

/**
 * Property 16: one numbering that no member delivers against. It has no gaps before trans, and after it none among the
 * senders of T.
 */
export function judgeAgreed(stays: readonly Stay[], fail: Fail): void {
  const byNumber = new Map<number, Stay["delivered"][number]>()
  for (const stay of stays) {
    let last = 0
    for (const delivered of stay.delivered) {
      const { sent, g, t } = delivered
      if (!isOrderedService(sent.service)) continue
      if (g === 0) {
        if (!delivered.afterTrans) fail("16 agreed", `${stay.member} delivers ${sent.m} without order before trans`, t)
        continue
      }
      if (g <= last) fail("16 agreed", `${stay.member} delivers ${sent.m} (${g}) after ${last}`, t)
      last = g
      const other = byNumber.get(g) ?? delivered
      if (other.sent !== sent) fail("16 agreed", `${g} in ${stay.view.id} is ${sent.m} and ${other.sent.m}`, t)
      byNumber.set(g, delivered)
    }
  }
  for (const stay of stays) judgeHoles(stay, byNumber, fail)
}

function judgeHoles(stay: Stay, byNumber: ReadonlyMap<number, Stay["delivered"][number]>, fail: Fail): void {
  let next = 1
  for (const { sent, g, afterTrans, t } of stay.delivered) {
    if (g === 0) continue
    for (; next < g; next++) {
      const missing = byNumber.get(next)?.sent
      const excused = !missing || (afterTrans && !(stay.next && setOf(stay.next.T).has(missing.by)))
      if (!excused) fail("16 agreed", `${stay.member} delivers ${sent.m} (${g}) without ${missing.m} (${next})`, t)
    }
    next = g + 1
  }
}

/**
 * Property 17. A message delivered as safe before trans is delivered by all members of the view that do not crash in
 * it. After trans it is delivered by T.
 */
export function judgeSafe(stays: readonly Stay[], fail: Fail): void {
  const left = stays.filter(({ next }) => next !== null)
  for (const stay of stays) {
    for (const { sent, afterTrans, t } of stay.delivered) {
      if (sent.service !== "safe" || (afterTrans && !stay.next)) continue
      for (const other of left) {
        if (other.position.has(sent.m) || (afterTrans && !setOf(stay.next!.T).has(other.member))) continue
        fail("17 safe", `${stay.member} delivers ${sent.m}, ${other.member} leaves ${stay.view.id} without it`, t)
      }
    }
  }
}
