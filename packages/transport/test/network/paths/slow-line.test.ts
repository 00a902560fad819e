import { expect, test } from "vitest"
import type { HostEvent } from "../../../src/host/index.ts"
import { PATH_SILENT_MS } from "../../../src/bounds/network-bounds.ts"
import { linkedPair } from "../conference.ts"
import type { TestMember } from "../member.ts"

const MESSAGE_BYTES = 128 * 1024
const BYTES_PER_TICK = 6 * 1024

function sendHeartbeat(from: TestMember, to: TestMember): void {
  const reliability = from.mesh.heartbeatLane(to.member)
  if (reliability) from.mesh.send(to.member, new Uint8Array(60), { reliability })
}

test.each([
  ["both ends ask", true],
  ["only the sender asks", false],
])("keeps its direct path while a long message is under way and %s", async (_, bothAsk) => {
  const { conference, low, high } = await linkedPair(3)
  const { network } = conference
  await conference.pass(5_000)
  const waiting: HostEvent[] = []
  const onDelivery: typeof network.onDelivery = (to, event) => {
    if (to === "low" || event.type !== "peer-frames" || event.reliability === "unreliable") return [event]
    waiting.push(...event.frames.map((frame) => ({ ...event, frames: [frame] })))
    return []
  }
  network.onDelivery = onDelivery
  const pathsBefore = low.of("path").length
  expect(low.of("path").at(-1)).toMatchObject({ path: "direct" })
  low.mesh.send(high.member, new Uint8Array(MESSAGE_BYTES), { payload: true })
  const startMs = conference.nowMs
  const hasArrived = () => high.received.some(({ length }) => length === MESSAGE_BYTES)
  for (let carried = 0; !hasArrived() && conference.nowMs < startMs + 10_000;) {
    sendHeartbeat(low, high)
    if (bothAsk) sendHeartbeat(high, low)
    await conference.pass(100)
    carried += BYTES_PER_TICK
    network.onDelivery = null
    for (let [next] = waiting; next?.type === "peer-frames" && next.frames[0]!.length <= carried; [next] = waiting) {
      carried -= next.frames[0]!.length
      network.inject("high", waiting.shift()!)
    }
    await network.run()
    network.onDelivery = onDelivery
  }
  expect(hasArrived()).toBe(true)
  expect(conference.nowMs - startMs).toBeGreaterThan(2 * PATH_SILENT_MS)
  expect(low.of("path").slice(pathsBefore)).toEqual([])
})
