import { expect, test } from "../support/fixtures.ts"

/** A small phone's. */
const WIDTH = 360

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

test("with letters twice as large no button of a phone covers the words of the lock or is beyond the edge", async ({
  server,
  people,
}) => {
  const ada = await people.arrive("Ada", "chromium", { viewport: { width: WIDTH, height: 640 } })
  await ada.start(server.origin)
  await ada.page.evaluate(() => (document.documentElement.style.fontSize = "200%"))
  // Of the words, not of their box: they can reach beyond it.
  const words = await ada.lock.locator(".lock-text").evaluate((text) => {
    const range = document.createRange()
    range.selectNodeContents(text)
    return range.getBoundingClientRect().toJSON() as DOMRect
  })
  for (const name of ["Copy link", "Leave"]) {
    const button = (await ada.page.getByRole("button", { name, exact: true }).boundingBox())!
    expect(button.x + button.width, `the right of "${name}"`).toBeLessThanOrEqual(WIDTH)
    const isBeside = button.x >= words.x + words.width || button.y >= words.y + words.height
    expect(isBeside, `"${name}" is beside the words`).toBe(true)
  }

  await ada.press("Chat")
  const close = (await ada.page.getByRole("button", { name: "Close", exact: true }).boundingBox())!
  expect(close.x + close.width, "the right of what closes the sheet").toBeLessThanOrEqual(WIDTH)
})
