import { expect, test } from "vitest"
import type { MemberId } from "../../src/members/ids.ts"
import { ANNOUNCERS_MAX, DEGREE_MAX, GRAFT_AFTER_MS, GRAFT_AGAIN_MS, NEWS_MS } from "../../src/bounds/overlay-bounds.ts"
import { Flooding, type FloodingOutput } from "../../src/overlay/link-state/flooding.ts"
import { LinkStates, type LinkState } from "../../src/overlay/link-state/link-states.ts"
import type { Heartbeat } from "../../src/wire/messages.ts"
import { session } from "../wire/sample-session.ts"

const [self, a, b, c, origin] = ["self", "a", "b", "c", "origin"].map((name) => name as MemberId) as [
  MemberId,
  MemberId,
  MemberId,
  MemberId,
  MemberId,
]
type Versioned = LinkState & { readonly status: Heartbeat }

const links = [a, b]
const standing = session.flatMap(({ message }) => (message.type === "heartbeat" ? [message.heartbeat] : []))[0]!
const record = (sequence: number, neighbours: readonly MemberId[] = links): Versioned => ({
  origin,
  incarnation: 1,
  sequence,
  neighbours: [...neighbours],
  status: { ...standing, orderLength: sequence },
})
const sentRecords = (...records: Versioned[]) => ({ kind: "records", records }) as const
const news = (...versions: Versioned[]) => ({ kind: "news", versions }) as const
const wanted = { kind: "wanted", origins: [origin] } as const

/** `tree`: of the neighbours those with whom the link is in it. The first record of `origin` has gone everywhere. */
function linkedWith(peers: readonly MemberId[], tree: readonly MemberId[]): Flooding<Versioned> {
  const flooding = new Flooding<Versioned>(new LinkStates(self), (peer) => tree.includes(peer))
  for (const peer of peers) flooding.linkUp(peer)
  flooding.publish(record(1))
  flooding.tick(0)
  return flooding
}

function sent(outputs: readonly FloodingOutput<Versioned>[], kind: "records" | "news" | "wanted"): MemberId[] {
  return outputs.flatMap(({ to, message }) => (message.kind === kind ? [to] : []))
}

test("floods news of links to every neighbour at once but their sender", () => {
  const flooding = linkedWith([a, b, c], [a])
  expect(flooding.receive(c, sentRecords(record(2, [a])), 100)).toHaveLength(1)
  const outputs = flooding.tick(100)
  expect([sent(outputs, "records"), sent(outputs, "news")]).toEqual([[a, b], []])
  expect(flooding.tick(2 * NEWS_MS)).toEqual([])
})

test("floods a new incarnation of a member as news, though its links are the same", () => {
  const flooding = linkedWith([a, b], [])
  flooding.receive(b, sentRecords({ ...record(1), incarnation: 2 }), 100)
  expect(sent(flooding.tick(100), "records")).toEqual([a])
})

test("floods news of the view that a member is in, or has promised", () => {
  const { promised } = standing
  const others = [
    { view: "00".repeat(32) as Heartbeat["view"] },
    { promised: { ...promised, epoch: promised.epoch + 1 } },
  ]
  for (const other of others) {
    const flooding = linkedWith([a, b], [])
    flooding.receive(b, sentRecords({ ...record(2), status: { ...standing, ...other } }), 100)
    expect(sent(flooding.tick(100), "records")).toEqual([a])
  }
})

test("sends a member's other data over the tree at once, its version later elsewhere", () => {
  const flooding = linkedWith([a, b, c], [a, c])
  flooding.receive(c, sentRecords(record(2)), 100)
  const outputs = flooding.tick(100)
  expect([sent(outputs, "records"), sent(outputs, "news")]).toEqual([[a], []])
  flooding.receive(c, sentRecords(record(3)), 200)
  const later = flooding.tick(NEWS_MS)
  expect([sent(later, "records"), sent(later, "news")]).toEqual([[a], [b]])
  expect(later.find(({ message }) => message.kind === "news")?.message).toMatchObject({ versions: [{ sequence: 3 }] })
  expect(flooding.tick(2 * NEWS_MS)).toEqual([])
})

test("reports new links as such, though the same member has since said more", () => {
  const flooding = linkedWith([a, b], [])
  flooding.receive(b, sentRecords(record(2, [a])), 100)
  flooding.receive(b, sentRecords(record(3, [a])), 100)
  expect(sent(flooding.tick(100), "records")).toEqual([a])
})

test("counts a record as known to its announcer, before and after it came", () => {
  for (const early of [true, false]) {
    const flooding = linkedWith([a, b, c], [c])
    if (early) flooding.receive(a, news(record(2)), 50)
    flooding.receive(c, sentRecords(record(2)), 100)
    if (!early) flooding.receive(a, news(record(2)), 150)
    expect(sent(flooding.tick(NEWS_MS), "news")).toEqual([b])
  }
})

test("requests a missing announced record from one announcer after another", () => {
  const flooding = linkedWith([a, b, c], [c])
  flooding.receive(a, news(record(2)), 100)
  flooding.receive(b, news(record(2)), 100)
  expect(flooding.tick(99 + GRAFT_AFTER_MS)).toEqual([])
  expect(sent(flooding.tick(100 + GRAFT_AFTER_MS), "wanted")).toEqual([a])
  const again = 100 + GRAFT_AFTER_MS + GRAFT_AGAIN_MS
  expect(flooding.tick(again)).toEqual([{ to: b, message: wanted }])
  flooding.receive(b, sentRecords(record(2)), again)
  expect(sent(flooding.tick(again + GRAFT_AGAIN_MS), "wanted")).toEqual([])

  expect(flooding.receive(a, wanted, again + GRAFT_AGAIN_MS)).toEqual([])
  expect(flooding.tick(again + GRAFT_AGAIN_MS)).toEqual([{ to: a, message: sentRecords(record(2)) }])
  expect(flooding.tick(again + GRAFT_AGAIN_MS + 1)).toEqual([])
})

test("does not request an arrived record, and a false announcement blocks none", () => {
  const flooding = linkedWith([a, b, c], [c])
  flooding.receive(a, news(record(9)), 100)
  flooding.receive(b, news(record(2)), 100)
  flooding.receive(c, sentRecords(record(2)), 200)
  expect(flooding.tick(100 + GRAFT_AFTER_MS).filter(({ message }) => message.kind === "wanted")).toEqual([
    { to: a, message: wanted },
  ])
  expect(sent(flooding.tick(10_000), "wanted")).toEqual([])
  flooding.receive(b, news(record(3)), 10_000)
  expect(sent(flooding.tick(10_000 + GRAFT_AFTER_MS), "wanted")).toEqual([b])
})

test("requests a record of an honest announcer when another one repeats its own", () => {
  const flooding = linkedWith([a, b], [])
  for (let i = 0; i < ANNOUNCERS_MAX; i++) flooding.receive(a, news(record(9 + i)), 100)
  flooding.receive(b, news(record(2)), 100)
  expect(sent(flooding.tick(100 + GRAFT_AFTER_MS), "wanted")).toEqual([a])
  expect(sent(flooding.tick(100 + GRAFT_AFTER_MS + GRAFT_AGAIN_MS), "wanted")).toEqual([b])
})

test("does not assume that a neighbour has what its predecessor had", () => {
  const flooding = linkedWith([a, b], [a, b])
  flooding.receive(a, sentRecords(record(2)), 100)
  flooding.linkDown(a)
  flooding.linkUp(c)
  flooding.receive(c, { kind: "versions", versions: [record(1)] }, 100)
  expect(sent(flooding.tick(100), "records")).toEqual([b, c])
})

test("sends records to all of many neighbours", () => {
  const many = Array.from({ length: 40 }, (_, i) => `${i}` as MemberId)
  const flooding = linkedWith(many, many.slice(20))
  flooding.receive(many[0]!, sentRecords(record(2)), 100)
  expect(sent(flooding.tick(100), "records")).toEqual(many.slice(20))
  expect(sent(flooding.tick(NEWS_MS), "news")).toEqual(expect.arrayContaining(many.slice(1, 20)))
})

/** More neighbours than the overlay makes. The origin is linked with this member and `linked`, as both ends report. */
const many = Array.from({ length: DEGREE_MAX + 3 }, (_, i) => `${i}` as MemberId)
const linked = many.slice(2)

function inFullMesh(): Flooding<Versioned> {
  const flooding = linkedWith([origin, ...many], [])
  for (const peer of linked) flooding.receive(peer, sentRecords({ ...record(1, [origin]), origin: peer }), 50)
  flooding.receive(origin, sentRecords(record(2, linked)), 50)
  flooding.tick(NEWS_MS)
  return flooding
}

test("leaves a record to its origin in a full mesh, where that has a link", () => {
  const flooding = inFullMesh()
  flooding.receive(origin, sentRecords(record(3, linked)), 600)
  expect(sent(flooding.tick(600), "records")).toEqual(many.slice(0, 2))
  flooding.receive(origin, sentRecords({ ...record(4, linked), incarnation: 2 }), 700)
  expect(sent(flooding.tick(700), "records")).toEqual(many.slice(0, 2))
  expect(flooding.tick(2 * NEWS_MS)).toEqual([])
})

test("an origin with invented links keeps no record from a neighbour in the overlay", () => {
  const flooding = linkedWith([origin, a, b], [])
  flooding.receive(b, sentRecords({ ...record(1, [origin]), origin: b }), 50)
  const claimed = [b, ...many]
  flooding.receive(origin, sentRecords(record(2, claimed)), 50)
  flooding.tick(50)
  flooding.receive(origin, sentRecords({ ...record(3, claimed), incarnation: 2 }), 100)
  expect(sent(flooding.tick(100), "records")).toEqual([a, b])
})

test.for(["the neighbour", "the origin"])("forwards what it left to an origin whose link ends, as %s reports", (by) => {
  const flooding = inFullMesh()
  const [former] = linked
  flooding.receive(origin, sentRecords(record(3, linked)), 600)
  flooding.tick(600)
  const news = by === "the origin" ? record(4, linked.slice(1)) : { ...record(2, []), origin: former! }
  flooding.receive(by === "the origin" ? origin : former!, sentRecords(news), 700)
  const outputs = flooding.tick(700).filter(({ to }) => to === former)
  expect(outputs.flatMap(({ message }) => (message.kind === "records" ? message.records : []))).toContainEqual(
    by === "the origin" ? news : record(3, linked),
  )
})

test("sends a record on request, though it would be left to its origin", () => {
  const flooding = inFullMesh()
  flooding.receive(origin, sentRecords(record(3, linked)), 600)
  flooding.receive(linked[4]!, wanted, 600)
  expect(sent(flooding.tick(600), "records")).toEqual([...many.slice(0, 2), linked[4]])
})

test.for([
  [DEGREE_MAX, []],
  [DEGREE_MAX + 1, many.slice(0, DEGREE_MAX + 1)],
] as const)("sends own news besides links to those outside of the tree with %i links", ([count, expected]) => {
  const peers = many.slice(0, count)
  const flooding = linkedWith(peers, [])
  const own = { ...record(1, peers), origin: self }
  flooding.publish(own)
  flooding.tick(50)
  flooding.publish({ ...own, sequence: 2, status: { ...standing, orderLength: 2 } })
  expect(sent(flooding.tick(100), "records")).toEqual(expected)
})
