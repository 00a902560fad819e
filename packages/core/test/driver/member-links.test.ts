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
