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

/** A link that was given a heartbeat at 0 ms. `sent`: the lanes of all heartbeats. */
function linkTo(lane: Lane) {
  const sent: Lane[] = []
  const link = { lane, isUp: true, isDistant: false, underWay: [] as Uint8Array[] }
  const mesh: LinkSender = {
    send: (_, bytes, { reliability = null } = {}) => {
      link.underWay.push(bytes)
      return sent.push(reliability) > 0
    },
    congested: () => false,
    isUnderWay: (_, bytes) => link.underWay.includes(bytes),
    heartbeatLane: () => (link.isUp ? link.lane : null),
    windowBytes: () => (link.isUp ? 1000 : null),
  }
  const overlay = { isDistant: () => link.isDistant, carry: () => undefined }
  const links = new MemberLinks(mesh, overlay as unknown as NonNullable<MemberLinks["overlay"]>)
  const beat = (): void => links.send([bob!], { type: "heartbeat", heartbeat }, "reliable")
  links.tick(0)
  beat()
  return { links, sent, link, beat }
}

test.for([
  ["unreliable", ["unreliable", "reliable"]],
  [null, ["reliable"]],
] as const)("repeats a heartbeat that its link may lose or has refused (%s)", ([lane, expected]) => {
  const { links, sent, link } = linkTo(lane)
  links.tick(1000)
  expect(links.isUnsure).toBe(true)
  link.lane = "reliable"
  links.tick(1050)
  links.tick(2000)
  expect([sent, links.isUnsure]).toEqual([expected, false])
})

test("gives the next heartbeat the time to replace one that may be lost", () => {
  const { links, sent, link, beat } = linkTo("unreliable")
  link.lane = "reliable"
  links.tick(250)
  expect(sent).toEqual(["unreliable"])
  beat()
  links.tick(1000)
  expect([sent, links.isUnsure]).toEqual([["unreliable", "reliable"], false])
})

test.for(["before", "after"])("repeats nothing to a member whose link ended %s its heartbeat", (when) => {
  const { links, sent, link, beat } = linkTo(null)
  link.isUp = false
  if (when === "before") beat()
  links.tick(1000)
  Object.assign(link, { lane: "reliable", isUp: true })
  links.tick(2000)
  expect([sent, links.isUnsure]).toEqual([[], false])
})

test.for(["once", "again"])("repeats nothing over a link whose member is distant when it is sent to %s", (when) => {
  const { links, sent, link, beat } = linkTo(null)
  Object.assign(link, { lane: "reliable", isDistant: true })
  if (when === "again") beat()
  else links.tick(1000)
  link.isDistant = false
  links.tick(2000)
  expect([sent, links.isUnsure]).toEqual([[], false])
})

test("sends no further heartbeats when one is late, and the last one after it", () => {
  const { links, sent, link, beat } = linkTo("reliable")
  for (let nowMs = 200; nowMs <= 5_000; nowMs += 200) {
    links.tick(nowMs)
    beat()
  }
  expect(sent).toEqual(Array(6).fill("reliable"))
  expect(links.isUnsure).toBe(true)
  link.underWay = []
  links.tick(5_300)
  expect([sent.length, links.isUnsure]).toEqual([7, false])
})

test("sends a heartbeat as its link says, or not at all, and anything else reliably", () => {
  const sent: unknown[] = []
  const mesh: LinkSender = {
    send: (to, bytes, { reliability } = {}) => sent.push([to, bytes, reliability]) > 0,
    congested: () => false,
    isUnderWay: () => false,
    heartbeatLane: (to) => (to === carol ? null : "unreliable"),
    windowBytes: () => 1000,
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
