import { afterEach, beforeEach, expect, test } from "vitest"
import { InMemoryRoom } from "../src/order/room.ts"
import { latencies, throughput } from "../src/order/throughput.ts"
import { viewChange } from "../src/order/view-changes.ts"

let room: InMemoryRoom
beforeEach(async () => {
  room = await InMemoryRoom.of(3)
})
afterEach(() => room.close())

test("order: every member gets every message, rates are positive, a leave is secured", async () => {
  const times = await latencies(room, "safe", 5)
  expect(times.length).toBe(5)
  expect(Math.min(...times)).toBeGreaterThan(0)
  const { perSecond, perProcessorSecond } = await throughput(room, "agreed", 100)
  expect(perSecond).toBeGreaterThan(0)
  expect(perProcessorSecond).toBeGreaterThan(0)
  expect(await viewChange(room, "leave")).toBeGreaterThan(0)
  expect(room.members.map(({ secured }) => secured?.members.length)).toEqual([3, 3, 3])
})
