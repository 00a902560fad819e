import { expect, test } from "vitest"
import { withholding as withholdingMembers, type SyncFrame } from "../../../src/membership/decision.ts"
import type { ViewId } from "../../../src/wire/codec.ts"
import type { Frame } from "../../../src/wire/frame.ts"
import { Cores, numbered, times, type Member } from "../cores.ts"

const LONG_MS = 12 * times.proposalMs

function inOneView(count: number): { cores: Cores; sender: Member; others: Member[] } {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), 3000)).toBe(true)
  const [lowest, sender, ...others] = cores.members as [Member, Member, ...Member[]]
  return { cores, sender, others: [lowest, ...others] }
}

/** Only `sender` holds its last message when another member crashes. The others have to fetch it for the cut. */
function cut(cores: Cores, sender: Member, crashed: Member): void {
  const { tamper } = sender
  sender.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "data" ? null : sent)
  cores.send(sender, "last words")
  sender.tamper = tamper
  cores.crash(crashed)
}

/** The member sends no frame that `isKept` names. */
function withholding(isKept: (frame: Frame, to: Member["id"]) => boolean): Member["tamper"] {
  return (sent, to) => (sent.type === "frame" && isKept(sent.frame, to) ? null : sent)
}

test("excludes a member that is silent in each cut, and not the sender that served all", () => {
  const { cores, sender, others } = inOneView(6)
  const [lowest, silent, other, ...crashing] = others as [Member, Member, Member, ...Member[]]
  silent.tamper = withholding(({ kind }) => kind === "ackCut")
  for (const crashed of crashing) {
    const { length } = other.views
    cut(cores, sender, crashed)
    expect(cores.runUntil(() => other.views.length > length, LONG_MS)).toBe(true)
  }
  const honest = [lowest, sender, other]
  const faults = honest.flatMap((member) => member.faults)
  expect(new Set(faults.map(({ member }) => member))).toEqual(new Set([silent.id]))
  expect(honest.map(({ size }) => size)).toEqual([3, 3, 3])
})

test("excludes a sender that serves nobody", () => {
  const { cores, sender, others } = inOneView(5)
  const [lowest, , , crashed] = others as [Member, Member, Member, Member]
  sender.tamper = withholding(({ kind }) => kind === "data")
  cut(cores, sender, crashed)
  expect(cores.runUntil(() => lowest.size === 3, LONG_MS)).toBe(true)
  expect(new Set(lowest.faults.map(({ member }) => member))).toEqual(new Set([sender.id]))
})

test("completes the cut from others when the sender serves all members but one", () => {
  const { cores, sender, others } = inOneView(5)
  const [, , victim, crashed] = others as [Member, Member, Member, Member]
  sender.tamper = withholding(({ kind }, to) => kind === "data" && to === victim.id)
  cut(cores, sender, crashed)
  expect(cores.runUntil(() => victim.size === 4, times.proposalMs)).toBe(true)
  expect(victim.texts).toEqual(["last words"])
  expect(cores.members.flatMap(({ faults }) => faults)).toEqual([])
})

test("asks a third holder in time when two others serve nobody", () => {
  const { cores, sender, others } = inOneView(6)
  const [lowest, second, third, waiting, crashed] = others as [Member, Member, Member, Member, Member]
  for (const member of [sender, second]) member.tamper = withholding(({ kind }) => kind === "data")
  const holders = [sender, second, third].map(({ id }) => id)
  crashed.tamper = withholding(({ kind }, to) => kind === "data" && !holders.includes(to))
  cores.send(crashed, "last words")
  cores.crash(crashed)
  expect(cores.runUntil(() => lowest.size === 5, times.proposalMs)).toBe(true)
  expect([lowest.texts, waiting.texts]).toEqual([["last words"], ["last words"]])
  expect(cores.members.flatMap(({ faults }) => faults)).toEqual([])
})

/** Members have a view, of which `holder` alone holds the last message. Then the lowest of all joins them. */
function joining(
  holderAt: number,
  count = 5,
): { cores: Cores; newcomer: Member; holder: Member; companions: Member[] } {
  const cores = new Cores(count + 1)
  const [newcomer, ...former] = cores.members as [Member, ...Member[]]
  cores.links(newcomer, "linkDown")
  expect(cores.runUntil(() => former.every(({ size }) => size === count), 3000)).toBe(true)
  const holder = former[holderAt]!
  const { tamper } = holder
  holder.tamper = withholding(({ kind }) => kind === "data")
  cores.send(holder, "last words")
  holder.tamper = tamper
  return { cores, newcomer, holder, companions: former.filter((member) => member !== holder) }
}

/** The newcomer proposes a view. It ends in one with the three honest ones at least. */
function join({ cores, newcomer }: ReturnType<typeof joining>): void {
  cores.links(newcomer, "linkUp")
  expect(cores.runUntil(() => newcomer.size > 3, LONG_MS)).toBe(true)
}

test.for([0, 4])("joins without blame when holder %i serves one member alone", (at) => {
  const room = joining(at)
  const served = room.companions.at(-1)!
  room.holder.tamper = withholding(({ kind }, to) => kind === "data" && to !== served.id)
  join(room)
  expect(room.cores.members.flatMap(({ faults }) => faults)).toEqual([])
})

test("blames two that serve only one another, and no other, when a newcomer proposes", () => {
  const room = joining(4)
  const [accomplice] = room.companions as [Member, ...Member[]]
  room.holder.tamper = withholding(({ kind }, to) => kind === "data" && to !== accomplice.id)
  accomplice.tamper = withholding(({ kind }) => kind === "data")
  join(room)
  const blamed = room.newcomer.faults.map(({ member }) => member)
  expect(new Set(blamed)).toEqual(new Set([room.holder.id, accomplice.id]))
})

test("blames also the silent half of another view, when a newcomer proposes", () => {
  const { cores, newcomer, holder, companions } = joining(0, 4)
  const [served, ...silent] = companions as [Member, ...Member[]]
  // The same as if these two dropped all that they are served.
  for (const member of [holder, served]) {
    member.tamper = withholding(({ kind }, to) => kind === "data" && silent.some(({ id }) => id === to))
  }
  cores.links(newcomer, "linkUp")
  const isBlamed = ({ id }: Member): boolean => newcomer.faults.some(({ member }) => member === id)
  expect(cores.runUntil(() => silent.every(isBlamed), LONG_MS)).toBe(true)
})

test.for<[named: number[], acknowledged: number[], of: number]>([
  [[1, 2], [], 5],
  [[1, 2], [1, 3], 5],
  [[], [1, 2, 3], 5],
  [[1, 2], [3], 4],
  [[1, 2, 3, 4], [1, 2], 4],
  [[1, 2, 4], [1, 3], 4],
  [[], [1, 2, 3], 4],
])("names %j as withholding when %j of %i in another view acknowledge", ([named, acknowledged, of]) => {
  const received = [
    [1, 1, 0],
    [0, 2, 0],
    [0, 1, 0],
    [0, 1, 0],
    [0, 1, 0],
  ]
  const frames = received.slice(0, of).map((counts, i) => {
    const message = { previousView: "theirs" as ViewId, received: counts }
    return [numbered(i + 1), { origin: numbered(i + 1), message } as unknown as SyncFrame] as const
  })
  const members = withholdingMembers(new Map(frames), new Set(acknowledged.map(numbered)), "ours" as ViewId)
  expect(members).toEqual(named.map(numbered))
  expect(withholdingMembers(new Map(frames), new Set(), "theirs" as ViewId)).toEqual([])
})
