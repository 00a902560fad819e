import { expect, test } from "vitest"
import type { MemberId } from "../../src/members/ids.ts"
import { defaultTimes, type GroupConfig, type GroupOutput } from "../../src/view/group-types.ts"
import type { Participant } from "../../src/membership/participant.ts"
import { Heartbeats } from "../../src/group/heartbeats.ts"
import type { Heartbeat } from "../../src/wire/messages.ts"
import { Cores, numbered, times, type Member } from "./cores.ts"

const FOR_MS = 6000

function together(count: number): Cores {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), FOR_MS)).toBe(true)
  cores.run(10 * times.heartbeatMs)
  return cores
}

/** Heartbeats of each member to one neighbour while time passes. */
function heartbeatsOf(cores: Cores): Map<Member, number> {
  const counts = new Map<Member, number>()
  cores.watch = (member, output: GroupOutput) => {
    if (output.type === "heartbeat")
      counts.set(member, (counts.get(member) ?? 0) + output.to.length / (cores.members.length - 1))
  }
  cores.run(FOR_MS)
  return counts
}

test("sends fewer heartbeats when nothing changes", () => {
  const cores = together(4)
  for (const count of heartbeatsOf(cores).values()) expect(count).toBeLessThan((0.7 * FOR_MS) / times.heartbeatMs)
  expect(cores.members.map(({ size }) => size)).toEqual([4, 4, 4, 4])
})

test("keeps every heartbeat while a member states less than the others hold", () => {
  const cores = together(3)
  const [a, , lazy] = cores.members as [Member, Member, Member]
  lazy.tamper = (sent) => {
    if (sent.type !== "heartbeat") return sent
    return { ...sent, heartbeat: { ...sent.heartbeat, received: sent.heartbeat.received.map(() => 0) } }
  }
  cores.send(a, "one")
  cores.run(2 * times.heartbeatMs)
  const counts = new Map<Member, number>()
  cores.watch = (member, output) => {
    if (output.type === "heartbeat") counts.set(member, (counts.get(member) ?? 0) + 1)
  }
  cores.run(10 * times.heartbeatMs)
  expect(counts.get(a)).toBeGreaterThanOrEqual(9)
})

/** Heartbeats of `from` to each of the others while time passes, in units of the most that it may send. */
function rates(cores: Cores, from: Member): Map<MemberId, number> {
  const counts = new Map<MemberId, number>()
  cores.watch = (member, output) => {
    if (member !== from || output.type !== "heartbeat") return
    for (const to of output.to) counts.set(to, (counts.get(to) ?? 0) + times.heartbeatMs / FOR_MS)
  }
  cores.run(FOR_MS)
  return counts
}

test("sends every heartbeat only to the member that states less", () => {
  const cores = together(3)
  const [a, b, lazy] = cores.members as [Member, Member, Member]
  lazy.tamper = (sent) => {
    if (sent.type !== "heartbeat") return sent
    return { ...sent, heartbeat: { ...sent.heartbeat, received: sent.heartbeat.received.map(() => 0) } }
  }
  cores.send(a, "one")
  cores.run(2 * times.heartbeatMs)
  const found = rates(cores, a)
  expect(found.get(lazy.id)).toBeGreaterThan(0.9)
  expect(found.get(b.id)).toBeLessThan(0.7)
})

test("a member that stays outside of the view makes nobody send more", () => {
  const cores = together(5)
  const [a, b, c, outside, e] = cores.members as [Member, Member, Member, Member, Member]
  cores.step(e, { type: "linkDown", peer: outside.id })
  cores.step(outside, { type: "linkDown", peer: e.id })
  expect(cores.runUntil(() => [a, b, c, e].every(({ size }) => size === 4), FOR_MS)).toBe(true)
  cores.run(10 * times.heartbeatMs)
  const found = rates(cores, a)
  expect([...found.keys()]).toHaveLength(4)
  for (const rate of found.values()) expect(rate).toBeLessThan(0.7)
})

/** Neighbours: in the view, elsewhere although they are in it, or outside of it and elsewhere. */
type Places = { readonly inside: number; readonly astray?: number; readonly outside?: number; readonly gone?: number }

/** Heartbeats of a member that has something new to state, always or once, and hears its neighbours all the time. */
function alone(
  { inside, astray = 0, outside = 0, gone = 0 }: Places,
  phase: Participant["phase"],
  { isSteady = false } = {},
) {
  const others = Array.from({ length: inside + astray + gone + outside }, (_, i) => numbered(i))
  const everybody = [numbered(99), ...others]
  const linked = others
  const members = everybody.slice(0, 1 + inside + astray + gone).map((id) => ({ id, incarnation: 1 }))
  const here = { id: "11".repeat(32), epoch: 1, members }
  const isGone = (peer: MemberId): boolean => linked.slice(inside + astray, inside + astray + gone).includes(peer)
  let sent = 0
  const promised = { epoch: 1, coordinator: numbered(0) }
  const context = {
    config: { self: members[0], heartbeatMs: 100 },
    view: here,
    neighbours: {
      linked: () => linked,
      isDistant: () => false,
      isAnswering: () => true,
      heardAtMs: () => Infinity,
      up: () => linked.filter((peer) => !isGone(peer)),
      heartbeatOf: (peer: MemberId) => ({ promised, view: linked.indexOf(peer) < inside ? here.id : "22".repeat(32) }),
    },
    emit: () => sent++,
  }
  const chains = { frameChains: new Uint8Array(0), orderChain: new Uint8Array(8) }
  const orderLength = (): number => (isSteady ? 0 : sent)
  const acknowledgements = { take: () => ({ view: here.id, orderLength: orderLength(), received: [], ...chains }) }
  const heartbeats = new Heartbeats(context as never, { phase, promised } as never, acknowledgements as never)
  return { heartbeats, count: () => sent }
}

test.for<[name: string, Places, Participant["phase"], expected: number]>([
  ["few neighbours", { inside: 6, astray: 1 }, "flushed", 1],
  ["many in one view", { inside: 20 }, "sending", 1],
  ["many, while this member changes the view", { inside: 12 }, "draining", 1.5],
  ["many, while another one does", { inside: 11, astray: 1 }, "sending", 1.5],
  ["more, and no longer than 2.5", { inside: 23 }, "flushed", 2.5],
  ["a view that begins to form", { inside: 3, outside: 9 }, "sending", 1.5],
  ["members outside of the view", { inside: 13, outside: 3 }, "sending", 1],
  ["a member that is gone", { inside: 15, gone: 1 }, "sending", 1],
])("lengthens the interval of heartbeats only in a large view change: %s", ([, places, phase, expected]) => {
  const { heartbeats, count } = alone(places, phase)
  for (let nowMs = 0; nowMs < 10_000; nowMs += 10) heartbeats.tick(nowMs, true)
  expect(100 / count()).toBeCloseTo(expected, 1)
})

test("news at short intervals does not put off what comes with each heartbeat", () => {
  const { heartbeats } = alone({ inside: 3 }, "sending")
  let due = 0
  for (let nowMs = 0; nowMs < 10_000; nowMs += 10) {
    if (nowMs % 50 === 0) heartbeats.send(nowMs)
    if (heartbeats.tick(nowMs, true)) due++
  }
  expect(due).toBeGreaterThan(90)
})

test("repeats to a member outside of the view what that may have dropped", () => {
  // The others have lower ids, so it is they who ask.
  const { heartbeats, count } = alone({ inside: 0, outside: 1 }, "sending", { isSteady: true })
  for (let nowMs = 0; nowMs < 10_000; nowMs += 10) heartbeats.tick(nowMs, true)
  expect(count()).toBeGreaterThan(30)
  expect(count()).toBeLessThan(40)
})

test("repeats over the overlay what a link may have lost", () => {
  const cores = together(2)
  const [a, b] = cores.members as [Member, Member]
  let to: readonly MemberId[] = []
  cores.watch = (member, output) => {
    if (member === a && output.type === "heartbeat") to = output.to
  }
  cores.step(a, { type: "linkUp", peer: b.id, incarnation: 1, distant: true })
  expect(to).toEqual([b.id])
})

test("states a lost link with the next tick, also just after a heartbeat", () => {
  const cores = together(4)
  const [, a, lazy, gone] = cores.members as [Member, Member, Member, Member]
  // Otherwise this member would be calm, and check with each tick.
  lazy.tamper = (sent) =>
    sent.type === "heartbeat" ? { ...sent, heartbeat: { ...sent.heartbeat, received: [] } } : sent
  const sent: Heartbeat[] = []
  cores.watch = (member, output) => {
    if (member === a && output.type === "heartbeat") sent.push(output.heartbeat)
  }
  cores.run(3 * times.heartbeatMs)
  const { length } = sent
  expect(cores.runUntil(() => sent.length > length, 2 * times.heartbeatMs)).toBe(true)
  cores.step(a, { type: "linkDown", peer: gone.id })
  cores.run(20)
  expect(sent.at(-1)!.up).not.toContain(gone.id)
})

test("suspects a calm member that falls silent within the timeout", () => {
  const cores = together(3)
  const [a, b, gone] = cores.members as [Member, Member, Member]
  gone.tamper = () => null
  expect(cores.runUntil(() => a.size === 2 && b.size === 2, times.suspectMs + 3 * times.heartbeatMs)).toBe(true)
})

test("tells the others at once when it hears a suspected member again", () => {
  const cores = together(3)
  const [a, b, back] = cores.members as [Member, Member, Member]
  back.tamper = () => null
  expect(cores.runUntil(() => a.size === 2 && b.size === 2, 10 * times.suspectMs)).toBe(true)
  const said: (readonly MemberId[])[] = []
  cores.watch = (member, output) => {
    if (member === b && output.type === "heartbeat") said.push(output.heartbeat.up)
  }
  cores.step(b, { type: "alive", from: back.id })
  expect(said).toEqual([[a.id, back.id]])
})

/** Calm members of one view. The layer below answers each heartbeat. `asked`: heartbeats of each to one neighbour. */
function answering(count: number, config: Partial<GroupConfig> = {}): { cores: Cores; asked: Map<Member, number> } {
  const cores = new Cores(count, () => config)
  const asked = new Map<Member, number>()
  cores.watch = (member, output) => {
    if (output.type !== "heartbeat") return
    asked.set(member, (asked.get(member) ?? 0) + output.to.length / (count - 1))
    for (const to of output.to) cores.later(member, { type: "alive", from: to })
  }
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 4 * FOR_MS)).toBe(true)
  cores.run(FOR_MS)
  asked.clear()
  return { cores, asked }
}

test("asks all neighbours at once, and at one end of each pair, when all are calm", () => {
  const count = 16
  const { cores, asked } = answering(count, defaultTimes)
  let ticks = 0
  cores.omitsTicks = (omitted) => void (ticks += omitted ? 0 : 1)
  cores.run(FOR_MS)
  const perSecond = (sum: number): number => (1000 * sum) / (count * FOR_MS)
  expect(perSecond([...asked.values()].reduce((sum, each) => sum + each))).toBeLessThanOrEqual(1.6)
  expect(perSecond(ticks)).toBeLessThanOrEqual(4)
  expect(cores.members.map(({ size }) => size)).toEqual(Array.from({ length: count }, () => count))
})

test("asks a lower neighbour that stopped asking", () => {
  const { cores, asked } = answering(2)
  const [lower, higher] = cores.members as [Member, Member]
  lower.tamper = () => null
  cores.run(times.suspectMs / 2)
  expect(asked.get(higher)).toBeGreaterThanOrEqual(1)
  expect(higher.size).toBe(2)
})
