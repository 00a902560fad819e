import { expect, test } from "vitest"
import type { MemberId } from "../../src/ids.ts"
import { GRAFT_AFTER_MS, GRAFT_AGAIN_MS } from "../../src/overlay/bounds.ts"
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

test("what is new is delivered and passed on at once; what comes again is not, and its link leaves the tree", () => {
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

test("what was announced and does not come is asked for, of one announcer after another, and their links join the tree", () => {
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

test("who is asked gives it, and a new link is told what was said of late", () => {
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
