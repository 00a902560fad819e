import { expect, test } from "vitest"
import type { Departure } from "../../src/group/group-trace.ts"
import type { DeclaredEvent } from "../../src/trace/declared-event.ts"
import { Cores, times, type Member } from "./cores.ts"

type Four = [Member, Member, Member, Member]

/** Four members in one view. The lowest one coordinates view changes. */
function inOneView(): { cores: Cores; members: Four } {
  const cores = new Cores(4)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === 4), 3000)).toBe(true)
  const members = [...cores.members] as Four
  for (const { events } of members) events.length = 0
  return { cores, members }
}

/** The departures that a member has reported, and the cause of each of its views. */
function story({ events }: Member): { gone: (readonly [Member["id"], Departure])[]; causes: string[] } {
  return {
    gone: events.flatMap(({ event, ids }) => (event === "member-out" ? [[ids.member, ids.departure] as const] : [])),
    causes: events.flatMap(({ event, ids }) => (event === "view" ? [ids.cause] : [])),
  }
}

function names(member: Member): string[] {
  return member.events.map(({ event }) => event)
}

test("reports a member as left when it has said goodbye", () => {
  const { cores, members } = inOneView()
  const [a, , , leaving] = members
  cores.step(leaving, { type: "leave" })
  cores.drain()
  cores.crash(leaving)
  expect(story(a)).toEqual({ gone: [[leaving.id, "left"]], causes: ["left"] })
})

test("reports a member as link-lost when its link ends without a goodbye", () => {
  const { cores, members } = inOneView()
  const [a, , , crashed] = members
  cores.crash(crashed)
  expect(story(a)).toEqual({ gone: [[crashed.id, "link-lost"]], causes: ["lost"] })
})

test("reports a member as silent when nothing comes over its link", () => {
  const { cores, members } = inOneView()
  const [a, b, , silent] = members
  silent.tamper = () => null
  expect(cores.runUntil(() => a.size === 3, 10 * times.suspectMs)).toBe(true)
  expect(story(a)).toEqual({ gone: [[silent.id, "silent"]], causes: ["lost"] })
  expect(b.events).toContainEqual(expect.objectContaining({ event: "suspected", ids: { member: silent.id } }))
})

test("reports a suspicion as over when the member is heard before the view changes", () => {
  const { cores, members } = inOneView()
  const [a, b, , silent] = members
  // Without its coordinator's proposal a suspicion stays a suspicion.
  a.tamper = (sent) => (sent.type === "frame" && sent.frame.kind === "propose" ? null : sent)
  silent.tamper = (sent, to) => (to === b.id ? null : sent)
  expect(cores.runUntil(() => names(b).includes("suspected"), 10 * times.suspectMs)).toBe(true)
  silent.tamper = (sent) => sent
  expect(cores.runUntil(() => names(b).includes("trusted"), times.suspectMs)).toBe(true)
})

test("reports a member as excluded when the layer above could not continue", () => {
  const { cores, members } = inOneView()
  const [a, , , obstructing] = members
  cores.step(a, { type: "obstructed", by: obstructing.id })
  cores.drain()
  expect(cores.runUntil(() => a.size === 3, 3000)).toBe(true)
  expect(story(a)).toEqual({ gone: [[obstructing.id, "excluded"]], causes: ["lost"] })
})

test("names the coordinator when only that member has lost a link", () => {
  const { cores, members } = inOneView()
  const [coordinator, b, , cut] = members
  cores.step(coordinator, { type: "linkDown", peer: cut.id })
  cores.step(cut, { type: "linkDown", peer: coordinator.id })
  cores.drain()
  expect(cores.runUntil(() => b.size === 3, 3000)).toBe(true)
  expect(story(coordinator).gone).toEqual([[cut.id, "link-lost"]])
  expect(story(b).gone).toEqual([[cut.id, "coordinator"]])
  const change = { event: "view-change", ids: { coordinator: coordinator.id, drops: [cut.id], adds: [] } }
  expect(b.events.findLast(({ event }) => event === "view-change")).toMatchObject(change)
})

test("reports a partition when several links end, and a merge when they return", () => {
  const { cores, members } = inOneView()
  const [a, b, c, d] = members
  const links = (type: "linkDown" | "linkUp"): void => {
    for (const [one, other] of [
      [a, c],
      [a, d],
      [b, c],
      [b, d],
    ] as const) {
      cores.step(one, type === "linkUp" ? { type, peer: other.id, incarnation: 1 } : { type, peer: other.id })
      cores.step(other, type === "linkUp" ? { type, peer: one.id, incarnation: 1 } : { type, peer: one.id })
    }
    cores.drain()
  }
  links("linkDown")
  expect(cores.runUntil(() => members.every(({ size }) => size === 2), 5000)).toBe(true)
  expect(story(a).gone).toContainEqual([d.id, "link-lost"])
  links("linkUp")
  expect(cores.runUntil(() => members.every(({ size }) => size === 4), 5000)).toBe(true)
  expect(story(a).causes.at(-1)).toBe("merged")
  expect(story(d).causes.at(-1)).toBe("merged")
})

test("reports a view of the same members as rekeyed", () => {
  const { cores, members } = inOneView()
  const [a] = members
  cores.step(a, { type: "refresh" })
  cores.drain()
  expect(cores.runUntil(() => story(a).causes.length === 1, 3000)).toBe(true)
  expect(story(a)).toEqual({ gone: [], causes: ["rekeyed"] })
})

test("rejects an event that could hold text at compile time", () => {
  type Leaking = DeclaredEvent<"content", { said: { text: string } }>
  // @ts-expect-error A plain string could be a name, a key or content.
  const leaking: Leaking = { level: "info", layer: "content", event: "said", ids: { text: "hello" } }
  expect(leaking.event).toBe("said")
})
