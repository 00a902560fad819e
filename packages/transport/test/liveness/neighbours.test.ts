import { beforeEach, expect, it } from "vitest"
import { Neighbours } from "../../src/liveness/neighbours.ts"
import { memberIdFromBytes, type MemberId } from "../../src/members/ids.ts"
import { viewCandidates } from "../../src/membership/candidates.ts"
import { defaultTimes } from "../../src/view/group-types.ts"
import type { Heartbeat } from "../../src/wire/messages.ts"

const [SELF, PEER] = [1, 2].map((byte) => memberIdFromBytes(new Uint8Array(16).fill(byte))) as [MemberId, MemberId]
const TICK_MS = 100

let neighbours: Neighbours
let nowMs: number

beforeEach(() => {
  neighbours = new Neighbours(SELF, defaultTimes)
  nowMs = 0
  neighbours.linkUp(PEER, 1, nowMs)
  neighbours.tick(nowMs)
})

/** Returns after how long a silent peer is suspected. */
function suspectedAfterMs(): number {
  neighbours.heard(PEER, nowMs)
  const sinceMs = nowMs
  while (neighbours.isUp(PEER)) pass(TICK_MS)
  return nowMs - sinceMs
}

function pass(ms: number): void {
  for (const untilMs = nowMs + ms; nowMs < untilMs;) neighbours.tick((nowMs += TICK_MS))
}

it("waits longer for a peer that it suspected by mistake", () => {
  const first = suspectedAfterMs()
  expect(suspectedAfterMs()).toBeGreaterThan(1.4 * first)
})

it("waits no longer for a peer that was out of reach for longer than any timeout", () => {
  const first = suspectedAfterMs()
  for (let cut = 0; cut < 4; cut++) {
    pass(8 * defaultTimes.suspectMs)
    expect(suspectedAfterMs()).toBe(first)
  }
})

it("keeps a member in the view when its link comes back before its heartbeat", () => {
  const self = { id: SELF, incarnation: 1 }
  const view = [self, { id: PEER, incarnation: 1 }]
  const candidates = () => viewCandidates(self, view, neighbours, 2)
  // A heartbeat over the overlay names no members.
  const promised = { epoch: 1, coordinator: SELF }
  const brief = { incarnation: 1, view: null, promised, viewMembers: [], up: [] } as unknown as Heartbeat
  neighbours.linkUp(PEER, 1, nowMs, true)
  neighbours.heartbeat(PEER, brief, nowMs)
  expect(candidates()).toEqual(view)
  neighbours.linkUp(PEER, 1, nowMs)
  expect(candidates()).toEqual(view)
  neighbours.heartbeat(PEER, brief, nowMs)
  expect(candidates()).toEqual([self])
})
