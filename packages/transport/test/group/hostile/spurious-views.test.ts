import { expect, test } from "vitest"
import type { MemberId } from "../../../src/members/ids.ts"
import type { ProposalId } from "../../../src/wire/messages.ts"
import { Cores, times, type Member } from "../cores.ts"

test("excludes a lowest member that shows its needless proposals to one member first", () => {
  const cores = new Cores(4)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 3000)).toBe(true)
  const [lowest, ...others] = cores.members as [Member, ...Member[]]
  // The others see the promise of the first one before the proposal.
  const shownMs = new Map<ProposalId["epoch"], number>()
  lowest.tamper = (sent, to) => {
    if (sent.type !== "frame" || sent.frame.kind !== "propose") return sent
    const { epoch } = sent.frame.message.proposal
    if (!shownMs.has(epoch)) shownMs.set(epoch, cores.nowMs)
    const isFirst = to === others[epoch % others.length]!.id
    return isFirst || cores.nowMs - shownMs.get(epoch)! > 1.5 * times.heartbeatMs ? sent : null
  }
  const blamed = (): MemberId[] => others.flatMap(({ faults }) => faults.map(({ member }) => member))
  for (let i = 0; i < 60 && blamed().length === 0; i++) {
    cores.step(lowest, { type: "refresh" })
    cores.run(5 * times.heartbeatMs)
  }
  expect(new Set(blamed())).toEqual(new Set([lowest.id]))
})
