import { expect, test } from "vitest"
import { compareProposals, type ProposalId } from "../../src/wire/messages.ts"
import { Cores, times, type Member } from "./cores.ts"

/**
 * A view of `count`, in which the highest crashes. The first of those who are left proposes; the others' answers get lost, the
 * next one's for `everyMs`, the one after that's for twice as long, and so on. What the first proposes is noted, with repetitions.
 */
function slowlyAnswering(count: number, everyMs: number): { cores: Cores; proposed: ProposalId[] } {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  const [lowest, ...others] = cores.members.slice(0, -1) as [Member, ...Member[]]
  const fromMs = cores.nowMs
  for (const [i, member] of others.entries()) {
    const lost = (): boolean => cores.nowMs < fromMs + (i + 1) * everyMs
    member.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "sync" && lost() ? null : sent)
  }
  const proposed: ProposalId[] = []
  lowest.tamper = (sent, to) => {
    if (sent.type === "frame" && sent.frame.kind === "propose" && to === others.at(-1)!.id)
      proposed.push(sent.frame.message.proposal)
    return sent
  }
  cores.crash(cores.members.at(-1)!)
  return { cores, proposed }
}

function different(proposals: readonly ProposalId[]): ProposalId[] {
  return proposals.filter((proposal, i) => i === 0 || compareProposals(proposal, proposals[i - 1]!) !== 0)
}

test("a proposal is not given up while answers to it still come", () => {
  const { cores, proposed } = slowlyAnswering(4, 0.65 * times.proposalMs)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 3 * times.proposalMs)).toBe(true)
  expect(different(proposed)).toHaveLength(1)
  expect(cores.members[0]!.faults).toEqual([])
})

test("but not for ever, however they come one by one", () => {
  const { cores, proposed } = slowlyAnswering(12, 0.4 * times.proposalMs)
  expect(cores.runUntil(() => different(proposed).length > 1, 3.5 * times.proposalMs)).toBe(true)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 11), 30 * times.proposalMs)).toBe(true)
})

test("what is not answered is said again less and less often", () => {
  const { cores, proposed } = slowlyAnswering(3, 10 * times.proposalMs)
  cores.run(0.9 * times.proposalMs)
  expect(different(proposed)).toHaveLength(1)
  // At once, and after 1, 3 and 7 times the time for a repetition.
  expect(proposed).toHaveLength(4)
})
