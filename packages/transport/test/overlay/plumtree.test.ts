import { expect, test } from "vitest"
import type { MemberId } from "../../src/members/ids.ts"
import {
  ANNOUNCERS_MAX,
  GRAFT_AFTER_MS,
  GRAFT_AGAIN_MS,
  GRAFTED_BYTES_MAX,
  MISSING_MAX,
} from "../../src/bounds/overlay-bounds.ts"
import { Plumtree, type Gossip, type GossipId, type PlumtreeOutput } from "../../src/overlay/dissemination/plumtree.ts"

const [a, b, c] = ["a", "b", "c"].map((name) => name as MemberId) as [MemberId, MemberId, MemberId]
const gossip = (name: string): Gossip<string> => ({ id: name as GossipId, message: name, bytes: 1 })
const said = (name: string) => ({ kind: "gossip", gossip: gossip(name) }) as const
const announced = (...names: string[]) => ({ kind: "announce", ids: names as GossipId[] }) as const

function linkedWith(...peers: readonly MemberId[]): Plumtree<string> {
  const tree = new Plumtree<string>()
  for (const peer of peers) tree.linkUp(peer)
  return tree
}
const to = (outputs: readonly PlumtreeOutput<string>[], kind: string): MemberId[] =>
  outputs.flatMap((output) => (output.type === "send" && output.message.kind === kind ? [output.to] : []))
const delivered = (outputs: readonly PlumtreeOutput<string>[]): string[] =>
  outputs.flatMap((output) => (output.type === "deliver" ? [output.message] : []))

test("delivers and passes on a new message at once; a repeat prunes its link", () => {
  const tree = linkedWith(a, b, c)
  const first = tree.receive(a, said("one"), 0)
  expect([delivered(first), to(first, "gossip")]).toEqual([["one"], [b, c]])
  const again = tree.receive(b, said("one"), 1)
  expect([delivered(again), to(again, "gossip"), to(again, "prune")]).toEqual([[], [], [b]])
  expect([...tree.eager]).toEqual([a, c])
})

test("over links outside of the tree only the id goes, with the next tick", () => {
  const tree = linkedWith(a, b)
  tree.receive(b, { kind: "prune" }, 0)
  expect(to(tree.broadcast(gossip("one"), 0), "gossip")).toEqual([a])
  expect(tree.tick(1)).toEqual([{ type: "send", to: b, message: announced("one") }])
  expect(tree.tick(2)).toEqual([])
})

test("requests a missing message from one announcer after another, and grafts links", () => {
  const tree = linkedWith(a, b, c)
  for (const peer of [a, b]) tree.receive(peer, { kind: "prune" }, 0)
  tree.receive(a, announced("one"), 0)
  tree.receive(b, announced("one"), 1)
  expect(tree.tick(GRAFT_AFTER_MS - 1)).toEqual([])
  expect(to(tree.tick(GRAFT_AFTER_MS), "graft")).toEqual([a])
  expect(tree.eager.has(a)).toBe(true)
  expect(to(tree.tick(GRAFT_AFTER_MS + GRAFT_AGAIN_MS), "graft")).toEqual([b])
  expect(delivered(tree.receive(b, said("one"), 700))).toEqual(["one"])
  expect(to(tree.tick(2000), "graft")).toEqual([])
})

test("gives a message on request, and recent announcements to a new link", () => {
  const tree = linkedWith(a)
  tree.broadcast(gossip("one"), 0)
  tree.receive(a, { kind: "prune" }, 0)
  expect(to(tree.receive(a, { kind: "graft", id: "one" as GossipId }, 1), "gossip")).toEqual([a])
  expect(tree.eager.has(a)).toBe(true)
  expect(tree.linkUp(b)).toEqual([{ type: "send", to: b, message: announced("one") }])
})

test("strangers are not listened to", () => {
  const tree = linkedWith(a)
  expect(tree.receive(b, said("one"), 0)).toEqual([])
})

test("still learns of real messages when a neighbour announces false ones", () => {
  const tree = new Plumtree<string>()
  const [liar, honest] = [a, b]
  tree.linkUp(liar)
  tree.linkUp(honest)
  const made = Array.from({ length: 2 * MISSING_MAX }, (_, i) => i.toString(16).padStart(32, "0") as GossipId)
  tree.receive(liar, { kind: "announce", ids: made }, 0)
  const id = "f".repeat(32) as GossipId
  tree.receive(honest, { kind: "announce", ids: [id] }, 0)
  expect(tree.tick(GRAFT_AFTER_MS)).toContainEqual({ type: "send", to: honest, message: { kind: "graft", id } })
  // And again, when what was made up has been asked for in vain.
  tree.tick(10 * GRAFT_AFTER_MS)
  tree.receive(liar, { kind: "announce", ids: [made[0]!] }, 5000)
  const asked = tree.tick(5000 + GRAFT_AFTER_MS)
  expect(asked).toContainEqual({ type: "send", to: liar, message: { kind: "graft", id: made[0]! } })
})

test("grafts an honest announcer when another one repeats its announcement", () => {
  const [liar, honest] = [a, b]
  const tree = linkedWith(liar, honest)
  tree.receive(liar, announced(...Array.from({ length: ANNOUNCERS_MAX }, () => "one")), 0)
  tree.receive(honest, announced("one"), 0)
  expect(to(tree.tick(GRAFT_AFTER_MS), "graft")).toEqual([liar])
  tree.receive(liar, announced("one", "one"), GRAFT_AFTER_MS)
  expect(to(tree.tick(GRAFT_AFTER_MS + GRAFT_AGAIN_MS), "graft")).toEqual([honest])
})

test("a few request bytes cause no flood: one neighbour is sent a bounded amount", () => {
  const tree = new Plumtree<string>()
  const greedy = a
  tree.linkUp(greedy)
  const id = "a".repeat(32) as GossipId
  const bytes = GRAFTED_BYTES_MAX / 4
  tree.broadcast({ id, message: "large", bytes }, 0)
  const served = (): number =>
    Array.from({ length: 100 }, () => tree.receive(greedy, { kind: "graft", id }, 1)).filter(({ length }) => length > 0)
      .length
  expect(served()).toBe(4)
  tree.tick(100)
  expect(served()).toBe(4)
})
