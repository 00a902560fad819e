import { expect, test } from "vitest"
import { ACK_PATIENCE_MS, LINK_BYTES_FIRST, SLOWEST_LINE } from "../../../src/bounds/network-bounds.ts"
import { TestConference } from "../conference.ts"
import { HostileMember } from "./hostile-member.ts"

const HEARTBEAT_TICKS = 2
const TICKS_UNTIL_IT_ACKNOWLEDGES = 90

const BYTES = 128 * 1024

test.each([
  ["what a third one sends", 1],
  ["what a third one gets", 1],
  ["what it sends to each of two", 2],
])("gives a member the time for %s", async (traffic, copies) => {
  const conference = new TestConference(3)
  const victim = conference.join("victim", conference.identity(1))
  const third = conference.join("third", conference.identity(2))
  await conference.pass(1_000)
  const hostile = new HostileMember(conference, conference.identity(0), victim)
  const { member } = hostile.identity
  await conference.network.run()
  await hostile.introduce()
  await hostile.link()
  expect(victim.links).toContain(member)

  const dueMs = conference.nowMs + ACK_PATIENCE_MS + (copies * BYTES) / SLOWEST_LINE
  victim.mesh.send(member, new Uint8Array(8), { payload: true })
  if (traffic === "what a third one sends") third.mesh.send(victim.member, new Uint8Array(BYTES))
  else if (traffic === "what a third one gets") victim.mesh.send(third.member, new Uint8Array(BYTES))
  else await hostile.message(new Uint8Array(BYTES))
  for (let tick = 1; victim.of("obstructed").length === 0 && conference.nowMs < dueMs + 10_000; tick++) {
    if (tick % HEARTBEAT_TICKS === 0) await hostile.message(new Uint8Array(60))
    await conference.pass(100)
  }
  expect(victim.of("obstructed")).toEqual([{ type: "obstructed", peer: member }])
  expect(conference.nowMs).toBeGreaterThan(dueMs)
})

test("gives up a member that takes messages and acknowledges one in nine seconds", async () => {
  const conference = new TestConference(2)
  const victim = conference.join("victim", conference.identity(1))
  await conference.pass(500)
  const hostile = new HostileMember(conference, conference.identity(0), victim)
  const { member } = hostile.identity
  await conference.network.run()
  await hostile.introduce()
  await hostile.link()
  expect(victim.links).toEqual([member])

  const startMs = conference.nowMs
  let acknowledged = 0
  for (let tick = 1; victim.of("linkDown").length === 0 && conference.nowMs < startMs + 120_000; tick++) {
    // As the sender of a conference does: a full window stops it.
    if (!victim.mesh.congested(member)) victim.mesh.send(member, new Uint8Array(8 * 1024), { payload: true })
    if (tick % HEARTBEAT_TICKS === 0) {
      await hostile.message(new Uint8Array(60))
    }
    if (tick % TICKS_UNTIL_IT_ACKNOWLEDGES === 0) await hostile.control({ kind: "ack", received: ++acknowledged })
    await conference.pass(100)
  }
  expect(victim.of("linkDown")).toEqual([{ type: "linkDown", peer: member, reason: "it took too little for too long" }])
  expect(victim.of("obstructed")).toEqual([{ type: "obstructed", peer: member }])
  // The second deadline begins with a full window, when the first message is acknowledged.
  const patienceMs = ACK_PATIENCE_MS + (LINK_BYTES_FIRST + 32 * 1024) / SLOWEST_LINE
  expect(conference.nowMs - startMs).toBeLessThan(100 * TICKS_UNTIL_IT_ACKNOWLEDGES + patienceMs)
})
