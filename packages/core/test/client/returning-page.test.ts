import { afterEach, expect, test } from "vitest"
import { openConnection } from "../../src/client/identity.ts"
import type { ConferenceEvent } from "../../src/rpc/protocol.ts"

const before = Object.getOwnPropertyDescriptor(globalThis, "addEventListener")
afterEach(() => {
  if (before) Object.defineProperty(globalThis, "addEventListener", before)
  else Reflect.deleteProperty(globalThis, "addEventListener")
})

/** An open conference in a page that a person leaves and returns to. */
function scene(isOnline = true) {
  const page = new EventTarget()
  const value = page.addEventListener.bind(page)
  Object.defineProperty(globalThis, "addEventListener", { configurable: true, value })
  const events: ConferenceEvent[] = []
  const thread = { post: () => undefined, listen: () => undefined, close: () => undefined }
  const connection = openConnection(undefined, thread, isOnline)
  connection.listen("c0", (event) => events.push(event))
  const show = (persisted: boolean): void => {
    page.dispatchEvent(new Event("pagehide"))
    page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }))
  }
  return { connection, events, show }
}

test("closes its conferences when the page returns from the back-forward cache", async () => {
  const { connection, events, show } = scene()
  const waiting = connection.call("conference.code", { id: "c0" })
  show(true)
  expect(events).toEqual([{ type: "closed", reason: "engine-failed" }])
  await expect(waiting).rejects.toMatchObject({ code: "closed" })
  expect(connection.isClosed).toBe(true)
})

test("keeps an engine that enters no conference when the page returns", () => {
  const { events, show } = scene(false)
  show(true)
  expect(events).toEqual([])
})

test("keeps its conferences when the page is shown for the first time", () => {
  const { connection, events, show } = scene()
  show(false)
  expect(events).toEqual([])
  expect(connection.isClosed).toBe(false)
  connection.close()
})
