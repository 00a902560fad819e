import type { CDPSession } from "@playwright/test"
import type { Place } from "../../support/board.ts"
import { expect, test } from "../../support/fixtures.ts"
import { PHONE, type People } from "../../support/people.ts"
import type { Person } from "../../support/person.ts"
import { savedBoard, saveWithoutAsking } from "../../support/saving.ts"
import { meet, seesDrawing } from "../../support/scenes.ts"

type Stroke = { readonly pressures: readonly number[]; readonly simulatePressure: boolean }

const STEPS = 8
const STEP_PX = 10
/** On a phone, of what is drawn across most of a larger screen. */
const BROAD_PX = 200
/** How hard a pen is pressed, of 1. */
const [LIGHTLY, HARD] = [0.1, 0.9]
/** Chromium reports pressure as a single-precision number. */
const FORCE_DIGITS = 3

test("on a phone a finger draws and uses the chat as a sheet; a pen draws too", async ({ server, people }) => {
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
  await drawByPen(hand, await onScreen(bob, byPen), HARD)
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

test("a pen's pressure sets the line's width, on all screens and in the saved board", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await saveWithoutAsking(ada)
  await meet(server.origin, ada, bob)
  const hand = await bob.page.context().newCDPSession(bob.page)
  const [light, hard] = [
    { x: 300, y: 250 },
    { x: 300, y: 350 },
  ]
  await bob.board.take("Draw")
  await drawByPen(hand, await onScreen(bob, light), LIGHTLY)
  await drawByPen(hand, await onScreen(bob, hard), HARD)

  for (const person of [bob, ada]) {
    for (const place of [light, hard]) await seesDrawing(person, place)
    const isBroader = async () => (await person.board.inkOf(hard)) > 1.5 * (await person.board.inkOf(light))
    await expect.poll(isBroader, { message: `the harder stroke is the broader for ${person.name}` }).toBe(true)
  }
  const { elements: strokes } = await savedBoard<Stroke>(ada)
  expect(strokes.map(({ simulatePressure }) => simulatePressure)).toEqual([false, false])
  for (const [i, force] of [LIGHTLY, HARD].entries()) {
    // The last is of the pen that was lifted.
    const pressed = strokes[i]!.pressures.slice(0, -1)
    expect(pressed.length).toBeGreaterThan(1)
    for (const pressure of pressed) expect(pressure).toBeCloseTo(force, FORCE_DIGITS)
  }
})

test("shows a newcomer with a small screen what was drawn on a large one", async ({ server, people }) => {
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

test("a small screen that is there first shows a drawing begun beyond its edge", async ({ server, people }) => {
  const [ada, bob] = await comeBeforeAnythingIsDrawn(server.origin, people)
  // On both screens, and away again: nothing is being handed over any more.
  await ada.board.draw({ x: 250, y: 300 })
  await seesDrawing(bob, { x: 250, y: 300 })
  await ada.press("Undo")
  await expect.poll(() => bob.board.showsAnything(), { message: "Bob sees an empty board" }).toBe(false)

  await ada.board.draw({ x: 700, y: 300 })
  await expect.poll(() => bob.board.showsAnything(), { message: "Bob sees the stroke" }).toBe(true)
})

test("a small screen shows the whole of a drawing that grows beyond its edge", async ({ server, people }) => {
  const [ada, bob] = await comeBeforeAnythingIsDrawn(server.origin, people)

  await ada.board.beginDrawing({ x: 700, y: 200 })
  await expect.poll(() => bob.board.showsAnything(), { message: "Bob sees how the stroke begins" }).toBe(true)
  expect((await bob.board.showsWhole()).width).toBeLessThan(BROAD_PX)
  // By more than a phone is wide; and the pen stays down.
  await ada.board.point({ x: 600, y: 500 })
  await ada.board.point({ x: 200, y: 500 })
  const isSeen = async () => {
    const { width, isWhole } = await bob.board.showsWhole()
    return isWhole && width > BROAD_PX
  }
  await expect.poll(isSeen, { message: "Bob sees all of the stroke" }).toBe(true)
})

test("a touched board keeps the chosen view when others draw elsewhere", async ({ server, people }) => {
  const [ada, bob] = await comeBeforeAnythingIsDrawn(server.origin, people)
  const board = bob.page.getByRole("region", { name: "Whiteboard" })
  await board
    .locator("label")
    .filter({ has: bob.page.getByRole("radio", { name: "Draw" }) })
    .tap()

  for (const y of [300, 400]) {
    await ada.board.draw({ x: 700, y })
    await seesDrawing(ada, { x: 700, y })
    await expect(bob.page.getByText("Scroll back to content")).toBeVisible()
  }
  await ada.board.draw({ x: 250, y: 400 })
  await seesDrawing(bob, { x: 250, y: 400 })
})

/** The second with a phone. */
async function comeBeforeAnythingIsDrawn(origin: string, people: People): Promise<[Person, Person]> {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "chromium", PHONE)
  await bob.join(await meet(origin, ada))
  for (const person of [ada, bob]) {
    await person.seesEncryptedFor(2)
    await expect(person.page.getByRole("radio", { name: "Draw" })).toBeAttached()
  }
  return [ada, bob]
}

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

async function drawByPen(hand: CDPSession, start: Place, force: number): Promise<void> {
  const pen = { button: "left", buttons: 1, clickCount: 1, pointerType: "pen", force } as const
  await hand.send("Input.dispatchMouseEvent", { type: "mousePressed", ...pen, ...start })
  for (const place of along(start))
    await hand.send("Input.dispatchMouseEvent", { type: "mouseMoved", ...pen, ...place })
  const [last = start] = along(start).slice(-1)
  await hand.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...pen, ...last, buttons: 0 })
}
