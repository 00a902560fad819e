import type { Locator, Page, ViewportSize } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"
import type { People } from "../../support/people.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

const SMALL_PHONE = { width: 360, height: 640 }
/** Between two pictures that are buttons; they are 38 pixels wide where letters are twice as large. */
const DISTANCE_MIN_PX = 16

test("all tools of the board stay within a window that is made narrow, and wide again", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  const tools = ada.page.getByRole("region", { name: "Whiteboard" }).getByRole("radio")
  await expect(tools.last()).toBeAttached()

  for (const width of [740, 1280, 700, 1280]) {
    await ada.page.setViewportSize({ width, height: 800 })
    // The board of a phone has fewer words and other places for its buttons; a wide one shows how far it is zoomed.
    await expect(ada.page.getByRole("button", { name: "Reset zoom" })).toBeVisible({ visible: width === 1280 })
    const pane = await ada.page.getByRole("region", { name: "Whiteboard" }).boundingBox()
    for (const tool of await tools.all()) {
      const box = await tool.locator("xpath=ancestor::label").boundingBox()
      expect(box!.x + box!.width, `the right of a tool at ${width}`).toBeLessThanOrEqual(pane!.x + pane!.width)
    }
  }
})

test("at double text size no phone button covers the lock's words or leaves the screen", async ({ server, people }) => {
  const ada = await people.arrive("Ada", "chromium", { viewport: SMALL_PHONE })
  await ada.start(server.origin)
  await ada.page.evaluate(() => (document.documentElement.style.fontSize = "200%"))
  // Bounds of the words, not of their box: the words can extend beyond it.
  const words = await ada.lock.locator(".lock-text").evaluate((text) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    return range.getBoundingClientRect().toJSON() as DOMRect
  })
  for (const name of ["Copy link", "Leave"]) {
    const button = (await ada.page.getByRole("button", { name, exact: true }).boundingBox())!
    expect(button.x + button.width, `the right of "${name}"`).toBeLessThanOrEqual(SMALL_PHONE.width)
    const isBeside = button.x >= words.x + words.width || button.y >= words.y + words.height
    expect(isBeside, `"${name}" is beside the words`).toBe(true)
  }

  await ada.press("Chat")
  const close = (await ada.page.getByRole("button", { name: "Close", exact: true }).boundingBox())!
  expect(close.x + close.width, "the right of what closes the sheet").toBeLessThanOrEqual(SMALL_PHONE.width)
  await expect(ada.page.getByLabel("Message", { exact: true })).toBeInViewport({ ratio: 1 })
  const pictures = await ada.page
    .locator(".composer-tools svg")
    .evaluateAll((all) =>
      all.map((picture) => picture.getBoundingClientRect().toJSON() as DOMRect).toSorted((a, b) => a.x - b.x),
    )
  expect(pictures.length).toBeGreaterThan(1)
  for (const [i, { x }] of pictures.slice(1).entries())
    expect(x - pictures[i]!.right, "what is between two pictures below the messages").toBeGreaterThan(DISTANCE_MIN_PX)
})

for (const width of [360, 900])
  test(`a window of ${width} pixels shows the end, and lets a host change it`, async ({ server, people }) => {
    const ada = await people.arrive("Ada", "chromium", { viewport: { width, height: 640 } })
    await ada.start(server.origin)
    const change = ada.page.getByRole("banner").getByRole("button", { name: /Change the end$/u })
    await expect(change).toBeInViewport({ ratio: 1 })
    await expect(change).toHaveText(/^Ends: \S/u)
    await change.click()
    await expect(ada.page.getByRole("menuitem", { name: "End it for everybody" })).toBeInViewport({ ratio: 1 })
  })

test("a window of 1024 pixels shows all of the bar in a language with long words", async ({ server, people }) => {
  const ada = await people.arrive("Ada", "chromium", { viewport: { width: 1024, height: 700 } })
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  await ada.press("Settings")
  await ada.page.getByLabel("Language").selectOption("Deutsch")
  await ada.page.keyboard.press("Escape")
  await expect(ada.page.getByText("Verschlüsselt. 2 Personen können das lesen.")).toBeInViewport({ ratio: 1 })
  for (const name of ["Link kopieren", "Einstellungen", "Verlassen"])
    await expect(ada.page.getByRole("button", { name, exact: true }), name).toBeInViewport({ ratio: 1 })
})

test("a small phone shows the join form at once, and covers nothing with focus", async ({ server, people }) => {
  const bob = await invited(server.origin, people, SMALL_PHONE)
  const join = bob.page.getByRole("button", { name: "Join", exact: true })
  await expect(join).toBeInViewport({ ratio: 1 })
  await expect(bob.page.getByLabel("Your name")).toBeFocused()
  expect(await isUncovered(bob.page.getByLabel("Your name")), "the field for a name").toBe(true)

  await bob.page.keyboard.press("Tab")
  const more = bob.page.getByText("More about this conference", { exact: true })
  await expect(more).toBeFocused()
  expect(await isUncovered(more), "the facts below it").toBe(true)
  await bob.page.keyboard.press("Tab")
  await expect(join).toBeFocused()
})

test("a small phone keeps Start in view when all options are open, and covers no field", async ({ server, people }) => {
  const { page } = await people.arrive("Ada", "chromium", { viewport: SMALL_PHONE })
  await page.goto(server.origin)
  const start = page.getByRole("button", { name: "Start a conference" })
  for (const summary of ["Options", "Cryptography"]) {
    await page.getByText(summary, { exact: true }).click()
    await expect(start).toBeInViewport({ ratio: 1 })
  }

  await page.getByLabel("Your name").focus()
  const fields: string[] = []
  while (!(await start.evaluate((button) => button === document.activeElement))) {
    await expect(start, `Start, at ${fields.at(-1)}`).toBeInViewport({ ratio: 1 })
    const focused = await lookAtFocus(page)
    expect(focused.isUncovered, focused.name).toBe(true)
    fields.push(focused.name)
    await page.keyboard.press("Tab")
  }
  for (const name of ["Who may join", "Key agreement", "What proves who drew"])
    expect(
      fields.some((field) => field?.startsWith(name)),
      name,
    ).toBe(true)
})

test("a desktop window shows both the join form and the start form at once", async ({ server, people }) => {
  const bob = await invited(server.origin, people, { width: 1280, height: 800 })
  for (const name of ["Join", "Start a conference of your own instead"])
    await expect(bob.page.getByRole("button", { name, exact: true })).toBeInViewport({ ratio: 1 })
})

/** A person at the invitation, in a window of that size. */
async function invited(origin: string, people: People, viewport: ViewportSize): Promise<Person> {
  const ada = await people.arrive("Ada")
  await ada.start(origin, { title: "A conference with a title, which takes two lines" })
  const link = await ada.copyLink()
  const bob = await people.arrive("Bob", "chromium", { viewport })
  await bob.page.goto(link)
  await expect(bob.page.getByText("Not verified: the name is what that person typed.")).toBeVisible()
  return bob
}

/** The element with the focus, which may be inside a date field. There `:focus` does not match the field. */
function lookAtFocus(page: Page): Promise<{ readonly name: string; readonly isUncovered: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement
    const { x, y, width, height } = element.getBoundingClientRect()
    return {
      name: element.labels?.[0]?.textContent ?? element.textContent,
      isUncovered: document.elementFromPoint(x + width / 2, y + height / 2) === element,
    }
  })
}

/** Whether a finger on its middle finds it. */
function isUncovered(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height / 2) === element
  })
}
