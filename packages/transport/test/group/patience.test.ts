import { expect, test } from "vitest"
import { compareProposals, type ProposalId } from "../../src/wire/messages.ts"
import { Cores, times, type Member } from "./cores.ts"

/**
 * A view of `count`, in which the highest crashes. The first remaining member proposes. The others' answers are lost:
 * the next member's for `everyMs`, the one after that's for twice as long, and so on. Records the first one's
 * proposals, with repetitions.
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

test.each([
  [4, 2],
  [30, 1],
])("the proposer among %i gets answers after 1.06 times the timeout: proposals %i", (count, proposals) => {
  // Then a repetition comes between both timeouts.
  const cores = new Cores(count, () => ({ membersMax: count, resendMs: 50 }))
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  const [lowest, ...others] = cores.members.slice(0, -1) as [Member, ...Member[]]
  const untilMs = cores.nowMs + 1.06 * times.proposalMs
  for (const member of others)
    member.tamper = (sent) =>
      sent.type === "frame" && sent.frame.kind === "sync" && cores.nowMs < untilMs ? null : sent
  const proposed: ProposalId[] = []
  lowest.tamper = (sent, to) => {
    if (sent.type === "frame" && sent.frame.kind === "propose" && to === others.at(-1)!.id)
      proposed.push(sent.frame.message.proposal)
    return sent
  }
  cores.crash(cores.members.at(-1)!)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count - 1), 5 * times.proposalMs)).toBe(true)
  expect(different(proposed)).toHaveLength(proposals)
  expect(lowest.faults).toEqual([])
})

test("gives a proposal up in the end when answers come one by one", () => {
  const { cores, proposed } = slowlyAnswering(12, 0.4 * times.proposalMs)
  expect(cores.runUntil(() => different(proposed).length > 1, 3.5 * times.proposalMs)).toBe(true)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 11), 30 * times.proposalMs)).toBe(true)
})

/** As `slowlyAnswering`. After the PROPOSE the second member reports for so long that it has no link with the third. */
function withReport(forMs: number): { cores: Cores; proposed: ProposalId[] } {
  const { cores, proposed } = slowlyAnswering(4, 0.25 * times.proposalMs)
  const [, second, third] = cores.members as [Member, Member, Member]
  const { tamper } = second
  let sinceMs: number | null = null
  second.tamper = (sent, to) => {
    if (proposed.length > 0) sinceMs ??= cores.nowMs
    if (sent.type !== "heartbeat" || sinceMs === null || cores.nowMs - sinceMs > forMs) return tamper(sent, to)
    const up = sent.heartbeat.up.filter((id) => id !== third.id)
    return { ...sent, heartbeat: { ...sent.heartbeat, up } }
  }
  return { cores, proposed }
}

test("a proposal outlives a short report that two of its members have no link", () => {
  const { cores, proposed } = withReport(2 * times.heartbeatMs)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), times.proposalMs)).toBe(true)
  expect(different(proposed)).toHaveLength(1)
})

test("gives a proposal up when such a report lasts", () => {
  const { cores, proposed } = withReport(times.proposalMs)
  // The second one denies a link that the third one affirms, so the third one stays.
  expect(cores.runUntil(() => different(proposed).length > 1, times.proposalMs)).toBe(true)
  expect(cores.runUntil(() => cores.members[0]!.size === 2, times.proposalMs)).toBe(true)
})

test("repeats an unanswered proposal less and less often", () => {
  const { cores, proposed } = slowlyAnswering(3, 10 * times.proposalMs)
  cores.run(0.9 * times.proposalMs)
  expect(different(proposed)).toHaveLength(1)
  // At once, and after 1, 3 and 7 times the time for a repetition.
  expect(proposed).toHaveLength(4)
})

test("repeats an unanswered proposal soon after its member gets another link", () => {
  const { cores, proposed } = slowlyAnswering(3, 10 * times.proposalMs)
  cores.run(0.8 * times.proposalMs)
  expect(proposed).toHaveLength(4)
  const [lowest, silent] = cores.members as [Member, Member]
  cores.step(lowest, { type: "linkUp", peer: silent.id, incarnation: 1 })
  cores.run(0.1 * times.proposalMs)
  expect(proposed).toHaveLength(5)
})

test("proposes nothing while it signs an INSTALL", () => {
  const cores = new Cores(4)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 3000)).toBe(true)
  const lowest = cores.members[0]!
  const before = lowest.views.length
  let ticks = 0
  cores.watch = (member, output) => {
    if (member !== lowest || output.type !== "sign" || output.payload.kind !== "install") return
    ticks += 1
    cores.later(lowest, { type: "tick", nowMs: cores.nowMs })
  }
  cores.crash(cores.members.at(-1)!)
  cores.run(times.proposalMs)
  expect(ticks).toBe(1)
  expect(lowest.views).toHaveLength(before + 1)
})

test("replaces no view while its INSTALL is under way to a member", () => {
  const cores = new Cores(4)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 3000)).toBe(true)
  const [lowest, , third] = cores.members as [Member, Member, Member]
  let lostUntilMs = Infinity
  lowest.tamper = (sent, to) => {
    if (sent.type !== "frame" || sent.frame.kind !== "install" || to !== third.id) return sent
    lostUntilMs = Math.min(lostUntilMs, cores.nowMs + 0.6 * times.proposalMs)
    return cores.nowMs < lostUntilMs ? null : sent
  }
  const before = lowest.views.length
  cores.crash(cores.members.at(-1)!)
  cores.run(2 * times.proposalMs)
  expect(cores.members.map(({ size }) => size)).toEqual([3, 3, 3])
  expect(lowest.views).toHaveLength(before + 1)
})

/** A view of `count`, in which the highest crashes; nothing that the others answer comes to the lowest while `lost`. */
function unheard(count: number, lost: () => boolean): Cores {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  const [lowest, ...others] = cores.members as [Member, ...Member[]]
  for (const member of others) {
    member.tamper = (sent, to) =>
      to === lowest.id && sent.type === "frame" && sent.frame.kind === "sync" && lost() ? null : sent
  }
  cores.crash(others.at(-1)!)
  return cores
}

test("a proposer without any answer blames nobody, and the others exclude it", () => {
  const cores = unheard(5, () => true)
  const [lowest, ...others] = cores.members as [Member, ...Member[]]
  expect(cores.runUntil(() => others.every(({ size }) => size === 3), 6 * times.proposalMs)).toBe(true)
  expect(lowest.faults).toEqual([])
  for (const { faults } of others) expect(faults.map(({ member }) => member)).toEqual([lowest.id])
})

test("readmits the proposer when it hears the others in time", () => {
  let lost = true
  const cores = unheard(5, () => lost)
  const [lowest, ...others] = cores.members as [Member, ...Member[]]
  expect(cores.runUntil(() => others.every(({ size }) => size === 3), 6 * times.proposalMs)).toBe(true)
  lost = false
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 4 * times.proposalMs)).toBe(true)
  expect(lowest.faults).toEqual([])
})

/** They answer nothing, and hold everybody up. */
function becomeSilent(cores: Cores, silent: readonly Member[]): void {
  for (const member of silent) {
    const up = cores.members.map(({ id }) => id).filter((id) => id !== member.id)
    member.tamper = (sent) => {
      if (sent.type === "heartbeat") return { type: "heartbeat", heartbeat: { ...sent.heartbeat, up } }
      return sent.type === "frame" && sent.frame.kind === "sync" ? null : sent
    }
  }
}

test("excludes members that answer nobody when another answers, or finally in any case", () => {
  for (const [answering, withinMs] of [
    [1, 4 * times.proposalMs],
    [0, 20 * times.proposalMs],
  ] as const) {
    const cores = new Cores(5)
    expect(cores.runUntil(() => cores.members.every(({ size }) => size === 5), 3000)).toBe(true)
    const [lowest, ...others] = cores.members as [Member, ...Member[]]
    const crashed = others.pop()!
    becomeSilent(cores, others.slice(answering))
    cores.crash(crashed)
    expect(cores.runUntil(() => lowest.size === 1 + answering, withinMs)).toBe(true)
  }
})
