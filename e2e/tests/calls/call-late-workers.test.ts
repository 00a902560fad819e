import { arriveWithDevices, enterCall, mediaOf, seeEachOther } from "../../support/calls/call.ts"
import { changeTransformers, tellWorker } from "../../support/calls/changed-worker.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

// Plaintext that leaves now and then has left: no second try.
test.describe.configure({ retries: 0 })

/** Sum of one of the browser's counters over all connections of somebody. */
function sumOf({ page }: Person, counter: string): Promise<number> {
  return page.evaluate(async (name) => {
    const { connections } = (globalThis as unknown as { watched: { connections: RTCPeerConnection[] } }).watched
    const reports = await Promise.all(connections.map((connection) => connection.getStats()))
    const all = reports.flatMap((report) => [...(report as Map<string, Record<string, unknown>>).values()])
    const rtp = all.filter(({ type }) => type === "outbound-rtp" || type === "inbound-rtp")
    return rtp.reduce((sum, { [name]: value }) => sum + (typeof value === "number" ? value : 0), 0)
  }, counter)
}

for (const kind of ["chromium", "firefox"] as const)
  test.describe(kind, () => {
    test("no frame leaves or is decoded before a late transform begins", async ({ server, people }) => {
      const ada = await arriveWithDevices(people, "Ada", kind)
      const bob = await arriveWithDevices(people, "Bob", kind)
      await changeTransformers(ada, async (original) => {
        const begin = new BroadcastChannel("begin")
        await new Promise((resolve) => begin.addEventListener("message", resolve))
        return original
      })
      await meet(server.origin, ada, bob)
      await enterCall(bob, "Microphone", "Camera")
      await enterCall(ada, "Microphone", "Camera")
      await expect.poll(() => sumOf(ada, "framesEncoded"), { message: "Ada's camera is encoded" }).toBeGreaterThan(0)
      await expect.poll(async () => (await mediaOf(ada)).received, "bytes of Bob's frames").toBeGreaterThan(50_000)
      // The browsers' framesSent counts what leaves the encoder, so it is no sign of a frame that leaves.
      for (const counter of ["packetsSent", "bytesSent"]) expect(await sumOf(ada, counter), counter).toBe(0)
      for (const counter of ["framesDecoded", "totalAudioEnergy"]) expect(await sumOf(ada, counter), counter).toBe(0)
      for (const counter of ["packetsReceived", "framesDecoded", "totalAudioEnergy"])
        expect(await sumOf(bob, counter), counter).toBe(0)

      await tellWorker(ada, "begin", "now")
      await seeEachOther(ada, bob)
    })
  })
