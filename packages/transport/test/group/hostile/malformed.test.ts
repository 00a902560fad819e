/** Signed and well encoded, and yet nothing that an honest member says in that view. */
import { expect, test } from "vitest"
import { voidViewId } from "../../../src/view/view.ts"
import { computeCut, type SyncFrame } from "../../../src/membership/decision.ts"
import type { FramePayload, Service } from "../../../src/wire/frame.ts"
import type { Dependency, ProposalId, Sync } from "../../../src/wire/messages.ts"
import { Cores, frameOf, numbered, times, type Member } from "../cores.ts"

const COME_MS = 3000

function inOneView(count: number): Cores {
  const cores = new Cores(count)
  expect(cores.runUntil(() => cores.members.every(({ size }) => size === count), COME_MS)).toBe(true)
  return cores
}

/** Members by number; the liar is the highest. */
const LIAR = 2
const NOBODY = 3

const malformed: readonly (readonly [string, FramePayload["kind"], Service, readonly Dependency[]])[] = [
  ["of no service", "data", "none", []],
  ["of key agreement that may get lost", "agreement", "unreliable", []],
  ["that needs no past and names one: unreliable", "data", "unreliable", [{ member: 0, count: 1 }]],
  ["that needs no past and names one: reliable", "data", "reliable", [{ member: 0, count: 1 }]],
  ["that needs no past and names one: fifo", "data", "fifo", [{ member: 0, count: 1 }]],
  ["whose past names somebody who is not there: causal", "data", "causal", [{ member: NOBODY, count: 1 }]],
  ["whose past names somebody who is not there: safe", "data", "safe", [{ member: NOBODY, count: 1 }]],
  ["whose past names its own sender: causal", "data", "causal", [{ member: LIAR, count: 1 }]],
  ["whose past names its own sender: agreed", "data", "agreed", [{ member: LIAR, count: 1 }]],
]

test.each(malformed)("reports a message %s, and leaves its number to another", (_, kind, service, dependencies) => {
  const cores = inOneView(3)
  const [a, b, liar] = cores.members as [Member, Member, Member]
  // Every named past exists at its sender.
  cores.send(a, "before", "fifo")
  const payload = { kind, message: { dependencies, body: new TextEncoder().encode("lie") } } as FramePayload
  for (const honest of [a, b]) cores.inject(honest, liar, payload, { service, sequence: 1 })
  for (const { faults } of [a, b]) expect(faults).toMatchObject([{ member: liar.id, reason: "malformed-message" }])
  cores.send(liar, "well formed", service === "unreliable" || service === "none" ? "fifo" : service)
  cores.run(3 * times.heartbeatMs)
  for (const { texts } of [a, b]) expect(texts).toEqual(["before", "well formed"])
})

/** The view after a crash, in which the third of four claims these counts as its deliveries; and the honest members. */
function moveWithLie(lie: (received: readonly number[]) => readonly number[]) {
  const cores = inOneView(4)
  const [a, b, liar, crashed] = cores.members as [Member, Member, Member, Member]
  cores.send(a, "hello", "fifo")
  liar.tamper = (sent) => {
    if (sent.type !== "frame" || sent.frame.kind !== "sync") return sent
    const message = { ...sent.frame.message, received: lie(sent.frame.message.received) }
    return { type: "frame", frame: frameOf(liar, { kind: "sync", message }, { view: sent.frame.view }) }
  }
  // The liar acknowledges every cut.
  let proposal: ProposalId | null = null
  a.tamper = (sent, to) => {
    if (sent.type === "frame" && sent.frame.kind === "cut" && to === liar.id) proposal = sent.frame.message.proposal
    return sent
  }
  cores.crash(crashed)
  expect(cores.runUntil(() => proposal !== null || a.size === 3, COME_MS)).toBe(true)
  if (proposal) cores.inject(a, liar, { kind: "ackCut", message: { proposal } })
  const views = [a, b].map(({ views }) => views.at(-1)!)
  expect(views.map(({ members }) => members.length)).toEqual([3, 3])
  return { honest: [a.id, b.id], liar: liar.id, views }
}

test.each<[string, (received: readonly number[]) => readonly number[]]>([
  ["too short", (received) => received.slice(0, -1)],
  ["too long", (received) => [...received, 0]],
  ["empty", () => []],
])("leaves a member out of the transitional set when its count is %s", (_, lie) => {
  const { honest, views } = moveWithLie(lie)
  for (const { transitional } of views) expect(transitional).toEqual(honest)
})

test("a member with wrong counts but right size moves along, and is detected there", () => {
  const { honest, liar, views } = moveWithLie((received) => received.map(() => 0))
  for (const { transitional } of views) expect(transitional).toEqual([...honest, liar])
})

test("members move together only from one view, incarnation and member count", () => {
  const members = [0, 1, 2].map((n) => ({ id: numbered(n), incarnation: 1 }))
  const [former, other] = members.map(voidViewId) as [Sync["previousView"], Sync["previousView"]]
  const cutWith = (said: Partial<Sync>) => {
    const honest = {
      previousView: former,
      incarnation: 1,
      received: [1, 0, 0],
      orderFirst: 0,
      order: [],
      deliveredOrder: 0,
    }
    const syncs = members.map(({ id }, n) => [id, { origin: id, message: n === 2 ? { ...honest, ...said } : honest }])
    return computeCut(new Map(syncs as [(typeof members)[0]["id"], SyncFrame][]), former, members)
  }
  const numbers = (said: Partial<Sync>) => {
    const { transitional, upTo } = cutWith(said)
    return { moved: transitional.map((id) => members.findIndex((member) => member.id === id)), upTo }
  }
  expect(numbers({ received: [1, 0, 5] })).toEqual({ moved: [0, 1, 2], upTo: [1, 0, 5] })
  for (const said of [{ received: [9, 9] }, { received: [9, 9, 9, 9] }, { incarnation: 2 }, { previousView: other }]) {
    expect(numbers({ received: [1, 0, 5], ...said }), JSON.stringify(said)).toEqual({ moved: [0, 1], upTo: [1, 0, 0] })
  }
})
