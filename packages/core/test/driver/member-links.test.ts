import { encodeLinkMessage, memberIdFromBytes, type Heartbeat, type LinkMessage, type View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { MemberLinks, type LinkSender } from "../../src/driver/member-links.ts"

const [bob, carol] = [1, 2].map((fill) => memberIdFromBytes(new Uint8Array(16).fill(fill)))
const heartbeat: Heartbeat = {
  view: "0".repeat(64) as View["id"],
  received: [],
  orderLength: 0,
  acknowledged: 0,
  frameChains: new Uint8Array(0),
  orderChain: new Uint8Array(8),
  incarnation: 1,
  epoch: 1,
  promised: { epoch: 1, coordinator: bob! },
  viewMembers: [],
  up: [],
}

type Lane = ReturnType<LinkSender["heartbeatLane"]>

/** A link that was given a heartbeat. `sent`: the lanes of all heartbeats. */
function linkTo(lane: Lane) {
  const sent: unknown[] = []
  const mesh: LinkSender = {
    send: (_, __, { reliability } = {}) => sent.push(reliability) > 0,
    congested: () => false,
    heartbeatLane: () => lane,
    windowBytes: () => null,
  }
  const links = new MemberLinks(mesh, null)
  const become = (next: Lane): void => void (lane = next)
  const beat = (): void => links.send([bob!], { type: "heartbeat", heartbeat }, "reliable")
  beat()
  return { links, sent, become, beat }
}

test.for([
  ["unreliable", ["unreliable", "reliable"]],
  [null, ["reliable"]],
] as const)("repeats a heartbeat that its link may lose or has refused (%s)", ([lane, expected]) => {
  const { links, sent, become } = linkTo(lane)
  links.repeatHeartbeats()
  expect(links.isUnsure).toBe(true)
  become("reliable")
  links.repeatHeartbeats()
  links.repeatHeartbeats()
  expect([sent, links.isUnsure]).toEqual([expected, false])
})

test("repeats no heartbeat after a later one, or to a member without a link", () => {
  const [followed, ended] = [linkTo("unreliable"), linkTo(null)]
  for (const { become } of [followed, ended]) become("reliable")
  followed.beat()
  ended.links.linkDown(bob!)
  for (const { links } of [followed, ended]) links.repeatHeartbeats()
  expect([followed.sent, ended.sent, ended.links.isUnsure]).toEqual([["unreliable", "reliable"], [], false])
})

test("sends a heartbeat as its link says, or not at all, and anything else reliably", () => {
  const sent: unknown[] = []
  const mesh: LinkSender = {
    send: (to, bytes, { reliability } = {}) => sent.push([to, bytes, reliability]) > 0,
    congested: () => false,
    heartbeatLane: (to) => (to === carol ? null : "unreliable"),
    windowBytes: () => null,
  }
  const links = new MemberLinks(mesh, null)
  const left: LinkMessage = { type: "outOfGroup", bytes: new Uint8Array(3) }
  for (const message of [{ type: "heartbeat", heartbeat }, left] as const)
    links.send([bob!, carol!], message, "reliable")
  const beat = encodeLinkMessage({ type: "heartbeat", heartbeat })
  const other = encodeLinkMessage(left)
  expect(sent).toEqual([
    [bob, beat, "unreliable"],
    [bob, other, "reliable"],
    [carol, other, "reliable"],
  ])
})
