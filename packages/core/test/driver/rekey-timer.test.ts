import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { RekeyTimer } from "../../src/driver/key-renewal.ts"

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
/** Interval of rekeys among eight members. */
const INTERVAL_MS = HOUR_MS / 8
const members = Array.from({ length: 8 }, (_, i) => ({ id: `${i}` as MemberId, incarnation: 1 }))
const [lowest] = members.map(({ id }) => id) as [MemberId]

function viewOf(present: View["members"]): View {
  return { members: present, attachments: new Map([[lowest, new Uint8Array(1)]]) } as unknown as View
}

/** A lowest member with a timer, and the times at which it starts a rekey. */
class Conference {
  readonly refreshedMs: number[] = []
  readonly #timer = new RekeyTimer()
  #view = viewOf([])
  nowMs = 0
  /** A rekey leads to a view of the same members. */
  isRekeyed = true

  change(present: View["members"], isSecured = true): void {
    this.#view = viewOf(present)
    for (const status of ["agreeing", "keyed"] as const) this.#timer.onStatus(status, this.#view)
    if (isSecured) this.#timer.onStatus("secured", this.#view)
  }

  run(untilMs: number, isActive = true): void {
    for (; this.nowMs < untilMs; this.nowMs += SECOND_MS) {
      if (isActive) this.#timer.onActivity()
      if (this.#timer.due(this.nowMs, { view: this.#view, self: lowest, progress: 0 }) !== "refresh") continue
      this.refreshedMs.push(this.nowMs)
      if (this.isRekeyed) this.change(this.#view.members)
    }
  }
}

test("rekeys once an interval when a member comes or goes every half of it", () => {
  const conference = new Conference()
  for (let half = 0; half * INTERVAL_MS < 2 * HOUR_MS; half++) {
    conference.change(half % 2 === 0 ? members : members.slice(0, -1))
    conference.run(((half + 1) * INTERVAL_MS) / 2)
  }
  // With seven members the interval is a little longer.
  expect(conference.refreshedMs.length).toBeGreaterThanOrEqual(HOUR_MS / INTERVAL_MS - 1)
  expect(conference.refreshedMs.length).toBeLessThanOrEqual(HOUR_MS / INTERVAL_MS)
})

test("rekeys once an interval when a member returns before a view is secured", () => {
  const conference = new Conference()
  conference.change(members)
  for (let half = 1; half * INTERVAL_MS < 2 * HOUR_MS; half++) {
    conference.run((half * INTERVAL_MS) / 2)
    conference.change(members.slice(0, -1), false)
    conference.change(members)
  }
  expect(conference.refreshedMs.length).toBeGreaterThanOrEqual(HOUR_MS / INTERVAL_MS - 1)
  expect(conference.refreshedMs.length).toBeLessThanOrEqual(HOUR_MS / INTERVAL_MS)
})

test("counts what was sent before a member came or went", () => {
  const conference = new Conference()
  conference.change(members)
  conference.run(SECOND_MS)
  conference.change(members.slice(0, -1))
  conference.run(HOUR_MS, false)
  expect(conference.refreshedMs).toHaveLength(1)
})

test("rekeys again after a minute when somebody comes instead, and not earlier", () => {
  const conference = new Conference()
  conference.isRekeyed = false
  conference.change(members.slice(0, -1))
  conference.run(HOUR_MS / 7 + SECOND_MS)
  conference.change(members)
  conference.run(HOUR_MS / 7 + 90 * SECOND_MS)
  expect(conference.refreshedMs.map((atMs) => Math.round((atMs - HOUR_MS / 7) / SECOND_MS))).toEqual([1, 61])
})
