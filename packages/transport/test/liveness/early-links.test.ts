import { expect, test } from "vitest"
import { EARLY_SHARE } from "../../src/liveness/early-links.ts"
import { Neighbours } from "../../src/liveness/neighbours.ts"
import { memberIdFromBytes, type MemberId } from "../../src/members/ids.ts"
import { viewCandidates } from "../../src/membership/candidates.ts"
import { defaultTimes } from "../../src/view/group-types.ts"
import type { Heartbeat } from "../../src/wire/messages.ts"

const [SELF, FAR, NEWCOMER] = [1, 2, 3].map((byte) => memberIdFromBytes(new Uint8Array(16).fill(byte))) as [
  MemberId,
  MemberId,
  MemberId,
]
const EARLY_MS = EARLY_SHARE * defaultTimes.proposalMs
const view = [SELF, FAR].map((id) => ({ id, incarnation: 1 }))

/** A member whose view has a far member, and a newcomer that is linked with this one. */
function member() {
  const neighbours = new Neighbours(SELF, defaultTimes)
  const states = (from: MemberId, up: readonly MemberId[], nowMs: number) => {
    const heartbeat = { incarnation: 1, view: null, promised: { epoch: 1, coordinator: SELF }, viewMembers: [], up }
    neighbours.heartbeat(from, heartbeat as unknown as Heartbeat, nowMs)
  }
  neighbours.tick(0)
  for (const peer of [FAR, NEWCOMER]) neighbours.linkUp(peer, 1, 0)
  states(FAR, [SELF], 0)
  states(NEWCOMER, [SELF], 0)
  const pass = (untilMs: number) => {
    for (let nowMs = 0; nowMs <= untilMs; nowMs += 50) {
      for (const peer of [FAR, NEWCOMER]) neighbours.heard(peer, nowMs)
      neighbours.tick(nowMs)
    }
  }
  const candidates = () => viewCandidates(view[0]!, view, neighbours, 8).map(({ id }) => id)
  return { neighbours, states, pass, candidates }
}

test.each([
  ["the newcomer", NEWCOMER, FAR],
  ["the far member", FAR, NEWCOMER],
])("takes a newcomer into the view when %s alone has stated their link", (_, from, to) => {
  const { states, candidates } = member()
  expect(candidates()).toEqual([SELF, FAR])
  states(from, [SELF, to], 100)
  expect(candidates()).toEqual([SELF, FAR, NEWCOMER])
})

test("gives up a newcomer when the far end of its link says nothing for too long", () => {
  const { neighbours, states, pass, candidates } = member()
  states(NEWCOMER, [SELF, FAR], 100)
  expect(neighbours.nextTickMs).toBeLessThanOrEqual(100 + EARLY_MS)
  pass(100 + EARLY_MS)
  expect(candidates()).toEqual([SELF, FAR])
})

test("refuses a newcomer when it states the same link again and again", () => {
  const { states, pass, candidates } = member()
  states(NEWCOMER, [SELF, FAR], 100)
  pass(100 + EARLY_MS)
  states(NEWCOMER, [SELF], 1200)
  states(NEWCOMER, [SELF, FAR], 1300)
  expect(candidates()).toEqual([SELF, FAR])
})

test("notices at once when a link that is not early breaks", () => {
  const { states, pass, candidates } = member()
  states(NEWCOMER, [SELF, FAR], 100)
  states(FAR, [SELF, NEWCOMER], 200)
  pass(200 + EARLY_MS)
  expect(candidates()).toEqual([SELF, FAR, NEWCOMER])
  states(FAR, [SELF], 1300)
  expect(candidates()).toEqual([SELF, FAR])
})
