import { createServer } from "node:http"
import { afterEach, expect, test, vi } from "vitest"
import { keepConnected, type SocketEvent } from "../src/host/persistent-socket.ts"
import { listen, serveGarbage } from "./hostile-bootstrap.ts"

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

/** Welcomes the first WebSocket, expects silence to be noticed after a second, and then says nothing to anybody. */
async function fallsSilent(): Promise<{ readonly url: string; readonly attempts: () => number }> {
  const [handshake, welcome] = [`0{"sid":"a","upgrades":[],"pingInterval":500,"pingTimeout":500}`, `40{"sid":"b"}`]
  const ended = (end: () => void): void => void ends.push(end)
  const { url, connections } = await serveGarbage(ended, [handshake, welcome], 1)
  return { url, attempts: connections }
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

test("begins several attempts within seconds when the server falls silent", async () => {
  browser()
  const { url, attempts } = await fallsSilent()
  const events: SocketEvent["type"][] = []
  ends.push(keepConnected(url, ({ type }) => events.push(type)))
  await until(() => events.includes("up"))
  vi.advanceTimersByTime(1_000)
  expect(events).toEqual(["attempt", "up", "down"])
  const begun = (): number => events.filter((type) => type === "attempt").length
  // At most 450 ms before each, which take 1.5, 2.25 and 3.4 s. Real connections need real time, so each may arrive first.
  for (let passedMs = 0; passedMs < 8_500; passedMs += 100) {
    vi.advanceTimersByTime(100)
    await until(() => attempts() >= begun())
  }
  expect(begun()).toBeGreaterThanOrEqual(4)
})
