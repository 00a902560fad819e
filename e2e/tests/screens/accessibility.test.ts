import { violations, violationsLightAndDark } from "../../support/axe.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

/** The whiteboard's inside has a test of its own. */
const BOARD = ".excalidraw"

/** Each step leads to another screen; in each of them, light or dark, nothing may stand in the way of anybody. */
async function walk(person: Person, screens: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  for (const [screen, reach] of Object.entries(screens)) {
    await reach()
    expect.soft(await violationsLightAndDark(person.page, { without: BOARD }), screen).toEqual([])
  }
}

test("axe finds no violation on any screen, light or dark", async ({ server, people }) => {
  test.slow() // Some fifty looks of axe, of seconds each.
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const { page } = ada

  await walk(ada, {
    start: async () => void (await page.goto(server.origin)),
    settings: async () => {
      await ada.press("Settings")
      await page.getByText("New identity, with a backup if you like").click()
      await page.getByText("Import an identity from a backup").click()
    },
    "start again": () => page.keyboard.press("Escape"),
    "start, options unfolded": () => page.getByText("Options", { exact: true }).click(),
    "start, cryptography unfolded": () => ada.unfold("Cryptography"),
    "start, naming people": async () => {
      await page.getByLabel("Who may join").selectOption("only people I name")
      await page.getByText("My card for a guest list", { exact: true }).click()
    },
    "start, name missing": async () => {
      await ada.press("Start a conference")
      await expect(ada.problem).toHaveCount(2)
    },
    "what is protected": () => ada.press("What is protected?"),
  })
  const link = await meet(server.origin, ada, bob)
  await bob.say("Bob knows https://stranger.example/")
  await ada.say("Ada does not")
  await expect.poll(() => ada.texts()).toHaveLength(2)
  await walk(ada, {
    "conference, chat": () => Promise.resolve(),
    "conference, people": () => page.getByRole("tab", { name: "People" }).click(),
    "conference, security": () => ada.lock.click(),
    "conference, details of security": () => ada.unfold("Details"),
    "comparing digits": async () => {
      await page.keyboard.press("Escape")
      await ada.compareCodesWith("Bob")
    },
    "comparing words": () => page.getByRole("tab", { name: "Words" }).click(),
    "comparing by the camera": () => page.getByRole("tab", { name: "Scan" }).click(),
    "codes that differ": () => ada.press("They differ"),
    verified: async () => {
      await ada.press("Compare again")
      await ada.press("They are the same")
      await expect(page.getByText("You have verified Bob.")).toBeVisible()
    },
    "invitation as a code": async () => {
      await page.keyboard.press("Escape")
      await ada.press("Show QR code")
      await expect(page.getByRole("dialog", { name: "Invitation" })).toBeVisible()
    },
    "a changed key": async () => {
      await page.keyboard.press("Escape")
      const impostor = await people.arrive("Bob")
      await impostor.join(link)
      await ada.seesEncryptedFor(3, 1)
      await expect(ada.problem).toBeVisible()
    },
    "conference on a phone": async () => {
      await page.setViewportSize({ width: 390, height: 844 })
    },
    "conference on a phone, chat closed": () => ada.press("Close"),
  })
  await server.stop()
  await walk(bob, {
    "conference without its server": () =>
      expect(bob.page.getByText("Server unreachable. The conference goes on")).toBeVisible(),
  })
  await server.startAgain()

  const eve = await people.arrive("Eve")
  await walk(eve, {
    "before entering": async () => void (await eve.page.goto(link)),
    "a link without its secret": async () => {
      await eve.page.evaluate(() => sessionStorage.clear())
      await eve.page.goto("about:blank")
      await eve.page.goto(link.replace(/#.*/u, ""))
      await expect(eve.problem).toBeVisible()
    },
  })
})

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds no violation in the whiteboard and its dialogs, ${colorScheme}`, async ({ server, people }) => {
    test.slow() // Six looks of axe at a large tree.
    const ada = await people.arrive("Ada", "chromium", { colorScheme })
    const { page } = ada
    await ada.start(server.origin)
    const nothingIsWrong = (where: string) =>
      // While something fades in, its colours are paler.
      expect
        .poll(() => violations(page, { within: BOARD }, colorScheme === "dark" ? "in other colours" : "anything"), {
          message: where,
        })
        .toEqual([])
    const place = { x: 300, y: 300 }

    await expect(page.getByRole("button", { name: "Whiteboard menu" })).toBeVisible()
    await nothingIsWrong("the tools")
    await ada.board.draw(place)
    await expect(page.getByRole("group", { name: "Stroke", exact: true })).toBeVisible()
    await nothingIsWrong("the pen's properties")
    await page.keyboard.press("v")
    await page.keyboard.press("ControlOrMeta+A")
    await expect(page.getByRole("button", { name: "Duplicate" })).toBeVisible()
    await nothingIsWrong("the properties of what is selected")
    await page.getByRole("button", { name: "Whiteboard menu" }).click()
    await page.getByText("Export image...").click()
    await expect(page.getByRole("dialog", { name: "Export image" })).toBeVisible()
    await expect(page.getByRole("radio", { name: "2×" })).toBeAttached()
    await nothingIsWrong("the export of a picture")
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Help" }).click()
    await expect(page.getByRole("dialog", { name: "Help" })).toBeVisible()
    await nothingIsWrong("the help")
  })
}

test("leads home from an unknown address, and says that it needs JavaScript", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const { page } = ada
  const answer = await page.goto(`${server.origin}/foo`)
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole("heading", { name: "There is no page here" })).toBeFocused()
  expect(await violationsLightAndDark(page, {})).toEqual([])
  await ada.press("Go to the start page")
  await expect(page.getByLabel("Your name")).toBeFocused()
  expect(page.url()).toBe(`${server.origin}/`)

  const bob = await people.arrive("Bob", "chromium", { javaScriptEnabled: false })
  await bob.page.goto(server.origin)
  await expect(bob.page.getByRole("heading", { name: "Keymoot needs JavaScript" })).toBeVisible()
  for (const language of ["de", "es", "fr", "ja"])
    await expect(bob.page.locator(`p[lang=${language}]`), language).toContainText("JavaScript")
  await expect(bob.page.getByRole("link")).toHaveText("Reload · Neu laden · Volver a cargar · Recharger · 再読み込み")
})

test("gives every control of the board a name, and no tab stop to what is invisible", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const { page } = ada
  await ada.start(server.origin, { title: "The roof" })
  await expect(page.getByRole("heading", { name: "The roof" }), "after Start").toBeFocused()
  await expect(page.getByRole("button", { name: "Whiteboard menu" })).toBeVisible()
  await expect(page.getByRole("checkbox", { name: "Library" })).toHaveCount(0)

  await page.locator(".excalidraw canvas.interactive").click({ position: { x: 500, y: 300 } })
  await page.keyboard.press("r")
  await expect(page.getByRole("radio", { name: "Extra bold" })).toBeAttached()
  await expect(page.getByRole("button", { name: "light blue", exact: true })).toBeVisible()
  await page.getByRole("button", { name: "Stroke", exact: true }).click()
  await expect(page.getByText("Hex code")).toBeVisible()
  const unnamed = await page
    .locator(".excalidraw")
    .first()
    .evaluate((board) => {
      const nameOf = (control: HTMLElement) =>
        control.getAttribute("aria-label") ?? (control.textContent || control.title)
      const controls = [
        ...board.querySelectorAll<HTMLElement>("button:not([aria-hidden]), input[type=radio], input[type=checkbox]"),
      ]
      return controls
        .filter((control) => !nameOf(control) || /#[\da-f]{6}/iu.test(nameOf(control)))
        .map((c) => c.outerHTML)
    })
  expect(unnamed).toEqual([])
})
