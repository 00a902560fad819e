/** In a call each member proves a key only when its media worker has stopped the former one. */
import { afterEach, expect, test, vi } from "vitest"
import { DriverRoom } from "./driver-harness.ts"

let room: DriverRoom
afterEach(() => room.close())

const PATIENCE = { timeout: 10_000 }
/** The drivers get a tick every 10 ms. Without a reason to wait, a view is secured within a few. */
const TICKS = 50

test("secures no view while a member's media worker has not stopped the former key", async () => {
  const held: (() => void)[] = []
  const onceInstalled = (prove: () => void): void => void held.push(prove)
  const ignore = (): void => undefined
  room = new DriverRoom({ media: { onAgreeing: ignore, onKeyed: ignore, onSecured: ignore, onceInstalled } })
  const ada = await room.join("Ada")
  const bob = await room.join("Bob")
  const isKeyed = (): boolean => [ada, bob].every(({ events }) => events.at(-1)?.type === "keyed")
  const isOfTwo = (): boolean => [ada, bob].every(({ driver }) => driver.view.members.length === 2)
  // Views of one member may come first.
  await vi.waitFor(() => expect(isOfTwo() && isKeyed()).toBe(true), PATIENCE)
  const [last, ...others] = held.splice(-2)
  for (const prove of others) prove()
  for (let tick = 0; tick < TICKS; tick++) {
    for (const { driver } of [ada, bob]) driver.tick(performance.now())
    await new Promise((done) => setTimeout(done))
  }
  expect([ada.secured, bob.secured].flat()).not.toContain(2)
  last!()
  await vi.waitFor(() => expect([ada.secured.at(-1), bob.secured.at(-1)]).toEqual([2, 2]), PATIENCE)
  await Promise.all([ada.say("hello"), bob.say("hello")])
})
