/** One conference of an engine fails by a fault of its own, planted where its time passes; the engine has others. */
import { afterEach, expect, test, vi } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import { Gate } from "../../src/admission/gate.ts"
import { Room, SERVER } from "./harness.ts"

const room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
})

const WAIT = { timeout: 60_000 }

test("closes one conference with a reason when its own state throws, and no other", async () => {
  const gates: Gate[] = []
  const tick = Gate.prototype.tick
  let broken: Gate | null = null
  vi.spyOn(Gate.prototype, "tick").mockImplementation(function (this: Gate, nowMs) {
    if (!gates.includes(this)) gates.push(this)
    if (this === broken) throw new Error("planted")
    tick.call(this, nowMs)
  })
  const identity = await room.identity("Ada")
  const first = await Conference.create({ server: SERVER, identity })
  const second = await Conference.create({ server: SERVER, identity })
  await expect.poll(() => [first, second].map(({ view }) => view.status), WAIT).toEqual(["secured", "secured"])

  const told: string[] = []
  first.on("security", ({ code, detail }) => told.push(`${code} ${detail}`))
  const closed = new Promise((resolve) => first.on("closed", resolve))
  broken = gates[0]!
  expect(await closed).toBe("engine-failed")
  expect(told).toEqual([expect.stringMatching(/^handling-failed this program has failed: Error: planted/u)])

  const bob = await room.join("Bob", second.invitation.url)
  await expect.poll(() => [second, bob].map(({ view }) => view.members.length), WAIT).toEqual([2, 2])
})
