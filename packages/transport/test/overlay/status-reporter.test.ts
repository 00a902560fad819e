import { expect, test } from "vitest"
import { StatusReporter } from "../../src/overlay/link-state/status-reporter.ts"
import type { Heartbeat } from "../../src/wire/messages.ts"
import type { MemberId } from "../../src/members/ids.ts"
import { NO_VIEW, type ViewId } from "../../src/wire/codec.ts"

const MEMBERS = 60
/** 30 ms for each member. */
const INTERVAL_MS = 1_800
const COORDINATOR = "00".repeat(16) as MemberId
const FIRST: Heartbeat = {
  incarnation: 1,
  epoch: 1,
  promised: { epoch: 1, coordinator: COORDINATOR },
  viewMembers: [],
  up: [],
  view: NO_VIEW,
  orderLength: 0,
  acknowledged: 0,
  received: [0],
  frameChains: new Uint8Array(0),
  orderChain: new Uint8Array(32),
}

/** Reports a status at 0, and then the next one at each tick of 100 ms. Returns the times of the further reports. */
function reportTimes(next: (nowMs: number) => Partial<Heartbeat>): number[] {
  let nowMs = 0
  const times: number[] = []
  const reporter = new StatusReporter(() => times.push(nowMs))
  for (; nowMs <= 4 * INTERVAL_MS; nowMs += 100) {
    reporter.heartbeat({ ...FIRST, ...(nowMs === 0 ? {} : next(nowMs)) })
    reporter.tick(nowMs, MEMBERS)
  }
  return times.slice(1)
}

test("reports acknowledgements as often as so many members can handle", () => {
  const times = reportTimes((nowMs) => ({ received: [nowMs] }))
  expect(times).toEqual([1, 2, 3, 4].map((count) => count * INTERVAL_MS))
})

test("repeats an unchanged status after three intervals", () => {
  expect(reportTimes(() => ({}))).toEqual([3 * INTERVAL_MS])
})

test.each([
  ["view", { view: "11".repeat(32) as ViewId }],
  ["epoch of a promise", { promised: { epoch: 2, coordinator: COORDINATOR } }],
  ["coordinator of a promise", { promised: { epoch: 1, coordinator: "11".repeat(16) as MemberId } }],
])("reports a new %s at once", (_, changed) => {
  expect(reportTimes((nowMs) => (nowMs < 500 ? {} : changed))[0]).toBe(500)
})
