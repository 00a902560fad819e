import type { Page } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"

const SMALL_PHONE = { width: 360, height: 640 }
/** Height of a banner above the sheet: two lines of its text. */
const BANNER_MIN_PX = 80

/** While the page is open, as a person does who finds them too small. */
async function doubleLetters(page: Page): Promise<void> {
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"))
}

test("at double text size a banner fits above a small phone's sheet and its field", async ({ server, people }) => {
  const ada = await people.arrive("Ada", "chromium", { viewport: SMALL_PHONE })
  await ada.start(server.origin)
  await doubleLetters(ada.page)
  await ada.press("Chat")
  await server.stop()
  const words = ada.page.getByText("Server unreachable. The conference goes on")
  await expect(words).toBeInViewport()
  const [banners, sheet] = [ada.page.locator(".banners"), ada.page.locator(".drawer")]
  const [above, below] = [(await banners.boundingBox())!, (await sheet.boundingBox())!]
  expect(above.height).toBeGreaterThan(BANNER_MIN_PX)
  expect(above.y + above.height).toBeLessThanOrEqual(below.y)
  await expect(ada.page.getByLabel("Message", { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(ada.page.getByRole("button", { name: "Close", exact: true })).toBeInViewport({ ratio: 1 })
  // The rest can be reached by scrolling.
  await ada.page.getByRole("button", { name: "Try now" }).scrollIntoViewIfNeeded()
  await expect(ada.page.getByRole("button", { name: "Try now" })).toBeInViewport()
})

test("with letters twice as large what opens a person's menu stands beside the name", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  const bob = await people.arrive("Bob", "chromium", { viewport: SMALL_PHONE })
  await bob.join(await ada.copyLink())
  await bob.seesEncryptedFor(2)
  await doubleLetters(bob.page)
  await bob.press("People")
  const row = bob.page.locator(".person-row").filter({ hasText: "Ada" })
  // She made the conference: her row has the most in it.
  await expect(row.getByText("Host")).toBeVisible()
  const name = (await row.locator("bdi").boundingBox())!
  const button = (await row.getByRole("button", { name: "More about Ada" }).boundingBox())!
  const middle = button.y + button.height / 2
  expect(middle).toBeGreaterThan(name.y)
  expect(middle).toBeLessThan(name.y + name.height)
  expect(button.x).toBeGreaterThanOrEqual(name.x + name.width)
  expect(button.x + button.width).toBeLessThanOrEqual(SMALL_PHONE.width)
})

test("with letters that become twice as large all tools of the board stay within it", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  const board = ada.page.getByRole("region", { name: "Whiteboard" })
  const tools = board.getByRole("radio")
  await expect(tools.last()).toBeAttached()
  await doubleLetters(ada.page)
  for (const width of [1600, 1280, 800, SMALL_PHONE.width]) {
    await ada.page.setViewportSize({ width, height: 800 })
    const reach = async () => {
      const pane = await board.boundingBox()
      const labels = await board.locator("label:has([type=radio])").all()
      const shown = await Promise.all(labels.map((label) => label.boundingBox()))
      const boxes = shown.filter((box) => box !== null)
      if (!pane || boxes.length < shown.length) return false
      const left = Math.min(...boxes.map(({ x }) => x)) - pane.x
      const right = pane.x + pane.width - Math.max(...boxes.map((box) => box.x + box.width))
      return boxes.length > 5 && left >= 0 && right >= 0
    }
    // It is laid out anew a picture or two later.
    await expect.poll(reach, { message: `all tools are within the board at ${width}` }).toBe(true)
  }
})
