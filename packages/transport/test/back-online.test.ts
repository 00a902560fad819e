import { createServer } from "node:http"
import { afterEach, expect, test, vi } from "vitest"
import { keepConnected, type SocketEvent } from "../src/host/persistent-socket.ts"
import { listen } from "./hostile-bootstrap.ts"

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A browser whose clock stands still, so no attempt times out and none is due. */
function browser(): EventTarget {
  const target = new EventTarget()
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target))
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  return target
}

/** Takes connections and answers nothing, as a network does that drops packets. */
async function silent(): Promise<{ readonly url: string; readonly requests: () => number }> {
  let requests = 0
  const server = createServer(() => requests++)
  server.on("upgrade", () => requests++)
  ends.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: await listen(server), requests: () => requests }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => void setImmediate(done))
}

test("begins again at once when the device is back on a network", async () => {
  const target = browser()
  const { url, requests } = await silent()
  const events: SocketEvent["type"][] = []
  ends.push(keepConnected(url, ({ type }) => events.push(type)))
  await until(() => requests() === 1)
  vi.advanceTimersByTime(1000)
  target.dispatchEvent(new Event("online"))
  await until(() => requests() === 2)
  expect(events).toEqual(["attempt", "attempt"])
})

test("begins no attempt just after another, and none after its end", async () => {
  const target = browser()
  const { url } = await silent()
  const events: SocketEvent["type"][] = []
  const close = keepConnected(url, ({ type }) => events.push(type))
  for (let i = 0; i < 10; i++) target.dispatchEvent(new Event("online"))
  expect(events).toEqual(["attempt"])
  close()
  vi.advanceTimersByTime(1000)
  target.dispatchEvent(new Event("online"))
  expect(events).toEqual(["attempt"])
})
