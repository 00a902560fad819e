import { expect, test, vi } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openInProcess } from "../../src/node/open-identity.ts"
import { ConferenceRuntime } from "../../src/runtime/conference-runtime.ts"
import { securedWith } from "../conference-run/waiting.ts"
import { DistantServer } from "../joining/distant-server.ts"
import { VirtualTime } from "../joining/virtual-time.ts"

const SERVER = "http://localhost:1"
const SECONDS = 20

test("ticks a member alone three times a second at most", async () => {
  const time = new VirtualTime()
  const ticks = vi.spyOn(ConferenceRuntime.prototype, "tick")
  try {
    const identity = await time.passUntil(openInProcess("Ada", createMemoryStore(), new DistantServer().createHost(0)))
    const conference = await time.passUntil(Conference.create({ server: SERVER, identity }))
    await time.passUntil(securedWith(conference, 1))
    const pass = (): Promise<void> => time.passUntil(new Promise((done) => setTimeout(done, SECONDS * 1000)))
    await pass()
    ticks.mockClear()
    await pass()
    expect(ticks.mock.calls.length / SECONDS).toBeLessThanOrEqual(3)
    await time.passUntil(identity.close())
  } finally {
    ticks.mockRestore()
    time.end()
  }
})
