import { expect, test } from "vitest"
import { RELAY_FIRST_MS, RELAY_RETRY_MS } from "../../../src/bounds/network-bounds.ts"
import type { MemberId } from "../../../src/members/ids.ts"
import type { Contact } from "../../../src/network/base/contact.ts"
import { ConnectionTable } from "../../../src/network/link/connection-table.ts"
import { RelaySchedule } from "../../../src/network/link/relay-schedule.ts"

const [low, high] = ["00", "ff"] as [MemberId, MemberId]
const random = { bytes: (length: number) => new Uint8Array(length).fill(128) }
const contact = (member: MemberId): Contact => ({ credential: { member }, heardAtMs: 0 }) as Contact

test("a member just met opens the relay, and the lower one only if it does not", () => {
  const schedule = new RelaySchedule(low, random, new ConnectionTable())
  const due = (nowMs: number): number => schedule.due([contact(high)], nowMs).length
  expect(due(0)).toBe(0)
  expect(schedule.nextTickMs).toBe(RELAY_FIRST_MS)
  expect([RELAY_FIRST_MS - 1, RELAY_FIRST_MS, RELAY_FIRST_MS + 1].map(due)).toEqual([0, 1, 0])
  expect(due(2 * RELAY_RETRY_MS)).toBe(1)
})

test("the higher one of two members opens no relay by itself", () => {
  const schedule = new RelaySchedule(high, random, new ConnectionTable())
  for (let nowMs = 0; nowMs < 5_000; nowMs += 50) expect(schedule.due([contact(low)], nowMs)).toEqual([])
})
