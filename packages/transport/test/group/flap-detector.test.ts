import { expect, test } from "vitest"
import { Cores, times, type Member } from "./cores.ts"

function inOneView(count: number): Cores {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  return cores
}

/** It is cut off, the others go on without it, and it comes again. */
function goAndCome(cores: Cores, member: Member, awayMs: number, hereMs: number): void {
  cores.links(member, "linkDown")
  cores.run(awayMs)
  cores.links(member, "linkUp")
  cores.run(hereMs)
}

function faultsOf(cores: Cores): string[] {
  return cores.members.flatMap(({ faults }) => faults.map(({ reason, member }) => `${reason} ${member}`))
}

test("admits a member at once when it returns for the fifth time within seconds", () => {
  const cores = inOneView(4)
  const reloading = cores.members[3]!
  for (let i = 0; i < 5; i++) {
    cores.links(reloading, "linkDown")
    expect(cores.runUntil(() => cores.members[0]!.size === 3, times.proposalMs)).toBe(true)
    cores.links(reloading, "linkUp")
    expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), times.proposalMs)).toBe(true)
  }
  expect(faultsOf(cores)).toEqual([])
})

test.each([0, 3])("changes few views when member %i goes and comes without end", (flapping) => {
  const cores = inOneView(4)
  const member = cores.members[flapping]!
  const other = cores.members[1]!
  const before = other.views.length
  for (let i = 0; i < 60; i++) goAndCome(cores, member, times.proposalMs / 2, times.proposalMs / 2)
  // Five times out and in before it must wait at all; then seldom, where it was 60 times.
  expect(other.views.length - before).toBeGreaterThanOrEqual(10)
  expect(other.views.length - before).toBeLessThanOrEqual(36)
  expect(other.size).toBe(3)
  expect(new Set(other.faults.map((fault) => fault.member))).toEqual(new Set([member.id]))
})

test("admits a flapping member again when it stays", () => {
  const cores = inOneView(4)
  const member = cores.members[3]!
  for (let i = 0; i < 8; i++) goAndCome(cores, member, times.proposalMs / 2, times.proposalMs / 2)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 10 * times.proposalMs)).toBe(true)
})

test("a member that leaves at each proposal neither blocks views nor shifts the blame", () => {
  const cores = inOneView(5)
  const [lowest, , , , member] = cores.members as [Member, Member, Member, Member, Member]
  const others = cores.members.filter((other) => other !== member)
  cores.links(member, "linkDown")
  expect(cores.runUntil(() => others.every(({ size }) => size === 4), times.proposalMs)).toBe(true)
  let proposed = false
  lowest.tamper = (sent, to) => {
    if (sent.type === "frame" && sent.frame.kind === "propose" && to === member.id) proposed = true
    return sent
  }
  member.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "sync" ? null : sent)
  let sendable = 0
  const steps = 1000
  for (let i = 0; i < steps; i++) {
    if (i % 20 === 0) cores.links(member, "linkUp")
    cores.run(20)
    if (proposed) cores.links(member, "linkDown")
    proposed = false
    if (others.every(({ core }) => core.maySend)) sendable++
  }
  expect(sendable).toBeGreaterThan(0.9 * steps)
  for (const { faults } of others) expect(new Set(faults.map((fault) => fault.member))).toEqual(new Set([member.id]))
})

test("halves that part and meet again and again take each other in each time", () => {
  const cores = inOneView(6)
  const halves = [cores.members.slice(0, 3), cores.members.slice(3)] as const
  const across = (type: "linkDown" | "linkUp"): void => {
    for (const a of halves[0]) {
      for (const b of halves[1]) {
        for (const [at, peer] of [
          [a, b.id],
          [b, a.id],
        ] as const) {
          cores.step(at, type === "linkUp" ? { type, peer, incarnation: 1 } : { type, peer })
        }
      }
    }
    cores.drain()
  }
  for (let i = 0; i < 12; i++) {
    across("linkDown")
    expect(cores.runUntil(() => cores.members.every(({ size }) => size === 3), 3 * times.proposalMs)).toBe(true)
    across("linkUp")
    expect(cores.runUntil(() => cores.members.every(({ size }) => size === 6), 3 * times.proposalMs)).toBe(true)
  }
  expect(faultsOf(cores)).toEqual([])
})

test("does not take a healthy member that is left out of views for a flapping one", () => {
  const cores = inOneView(5)
  const [lowest, ...others] = cores.members as [Member, ...Member[]]
  const well = others.at(-1)!
  for (let i = 0; i < 7; i++) {
    const members = cores.members.map(({ id }) => id).filter((id) => id !== well.id)
    cores.step(lowest, { type: "propose", members })
    cores.drain()
    expect(lowest.size).toBe(4)
    expect(cores.runUntil(() => cores.members.every(({ size }) => size === 5), 2 * times.proposalMs)).toBe(true)
  }
  expect(cores.members.flatMap(({ faults }) => faults.filter(({ member }) => member === well.id))).toEqual([])
})
