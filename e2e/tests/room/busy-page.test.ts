import { expect, test } from "../../support/fixtures.ts"
import { seesDrawing } from "../../support/scenes.ts"

const STROKE = { x: 350, y: 300 } as const
/** How many times slower than this machine: the board takes seconds to load, in tasks of half a second and more. */
const SLOWER = 10
/** In one task: longer than any silence is borne. */
const BUSY_MS = 5_000

test("a newcomer with a slow board and a frozen page is not suspected", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  await ada.board.draw(STROKE)
  const link = await ada.copyLink()
  const bob = await people.arrive("Bob")
  await bob.page.goto(link)
  await bob.type("Your name", "Bob")
  const session = await bob.page.context().newCDPSession(bob.page)
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOWER })
  await bob.press("Join")
  await ada.seesEncryptedFor(2)
  const epoch = await ada.epoch()
  await seesDrawing(bob, STROKE)
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 })

  await bob.page.evaluate((busyMs) => {
    const untilMs = performance.now() + busyMs
    while (performance.now() < untilMs);
  }, BUSY_MS)
  await bob.say("I am here")

  await expect.poll(() => ada.texts()).toEqual(["I am here"])
  // A suspected member is excluded from a view, and each view has its own epoch.
  expect(await ada.epoch()).toBe(epoch)
})
