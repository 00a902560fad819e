import { expect, test } from "vitest"
import { ACK_PATIENCE_MS, LINK_BYTES_FIRST, SLOWEST_LINE } from "../../../src/bounds/network-bounds.ts"
import { packParcels } from "../../../src/network/association/channel.ts"
import { TestConference } from "../conference.ts"
import { HostileMember } from "./hostile-member.ts"

const HEARTBEAT_TICKS = 2
const TICKS_UNTIL_IT_ACKNOWLEDGES = 90

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
      const heartbeat = [{ control: false, bytes: new Uint8Array(60) }]
      await hostile.send(packParcels(heartbeat, (plain) => hostile.sealer!.seal(plain)))
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
