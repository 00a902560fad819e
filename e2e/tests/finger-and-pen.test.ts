import type { CDPSession } from "@playwright/test"
import type { Place } from "../support/board.ts"
import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"
import { meet, seesDrawing } from "../support/scenes.ts"

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const STEPS = 8
const STEP_PX = 10

test("on a phone a finger draws, opens the chat as a sheet, writes and closes it; a pen draws too", async ({
  server,
  people,
}) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "chromium", PHONE)
  const link = await meet(server.origin, ada)
  await bob.join(link)
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  const hand = await bob.page.context().newCDPSession(bob.page)

  await bob.page
    .getByRole("region", { name: "Whiteboard" })
    .locator("label")
    .filter({ has: bob.page.getByRole("radio", { name: "Draw" }) })
    .tap()
  const [byFinger, byPen] = [
    { x: 100, y: 250 },
    { x: 100, y: 350 },
  ]
  await drawByFinger(hand, await onScreen(bob, byFinger))
  await seesDrawing(ada, byFinger)
  await drawByPen(hand, await onScreen(bob, byPen))
  await seesDrawing(ada, byPen)

  await expect(bob.page.getByRole("log")).toBeHidden()
  await bob.page.getByRole("button", { name: /^Chat/u }).tap()
  await bob.page.getByLabel("Message", { exact: true }).tap()
  await bob.page.keyboard.type("by hand")
  await bob.page.getByRole("button", { name: "Send" }).tap()
  await expect.poll(() => ada.texts()).toEqual(["by hand"])
  await bob.page.getByRole("button", { name: "Close", exact: true }).tap()
  await expect(bob.page.getByRole("log")).toBeHidden()
})

test("who comes with a small screen sees at first what was drawn on a large one", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "chromium", PHONE)
  const link = await meet(server.origin, ada)
  const beyond = { x: 700, y: 300 }
  await ada.board.draw(beyond)
  await seesDrawing(ada, beyond)

  await bob.join(link)
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  await expect.poll(() => bob.board.showsAnything(), { message: "Bob sees the stroke" }).toBe(true)
})

async function onScreen({ page }: Person, { x, y }: Place): Promise<Place> {
  const box = await page.getByRole("region", { name: "Whiteboard" }).boundingBox()
  if (box === null) throw new Error("The whiteboard is not shown.")
  return { x: box.x + x, y: box.y + y }
}

/** To the right and down, as `Board.draw` does with the mouse. */
function along(start: Place): readonly Place[] {
  return Array.from({ length: STEPS }, (_, i) => ({
    x: start.x + (i + 1) * STEP_PX,
    y: start.y + ((i + 1) * STEP_PX) / 4,
  }))
}

async function drawByFinger(hand: CDPSession, start: Place): Promise<void> {
  await hand.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [start] })
  for (const place of along(start))
    await hand.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [place] })
  await hand.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
}

async function drawByPen(hand: CDPSession, start: Place): Promise<void> {
  const pen = { button: "left", buttons: 1, clickCount: 1, pointerType: "pen", force: 0.7 } as const
  await hand.send("Input.dispatchMouseEvent", { type: "mousePressed", ...pen, ...start })
  for (const place of along(start))
    await hand.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...pen, ...place })
  const [last = start] = along(start).slice(-1)
  await hand.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...pen, ...last, buttons: 0 })
}
