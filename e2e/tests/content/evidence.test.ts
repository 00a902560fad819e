import { readFile } from "node:fs/promises"
import type { Page } from "@playwright/test"
import { violationsLightAndDark } from "../../support/axe.ts"
import { saved, savedPath } from "../../support/files.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet, seesDrawing } from "../../support/scenes.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

const ORIGINAL = "The roof leaks"
const ANSWER = "I repair it on Monday"

/** Ada's evidence of a conversation with Bob and of their board. */
async function archiveOf(origin: string, ada: Person, bob: Person): Promise<Buffer> {
  await meet(origin, ada, bob)
  await ada.say(ORIGINAL)
  await expect.poll(() => bob.texts()).toEqual([ORIGINAL])
  await bob.say(ANSWER)
  await expect.poll(() => ada.texts()).toEqual([ORIGINAL, ANSWER])
  const place = { x: 350, y: 300 }
  await bob.board.draw(place)
  await seesDrawing(ada, place)
  await ada.lock.click()
  await ada.unfold("Evidence")
  return readFile(await savedPath(ada, "Save as evidence"))
}

const open = (page: Page, name: string, buffer: Buffer): Promise<void> =>
  page.getByLabel("Evidence file").setInputFiles({ name, mimeType: "application/octet-stream", buffer })

test("a stranger checks saved evidence offline, and one changed byte is named", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  const archive = await archiveOf(server.origin, ada, bob)

  for (const kind of ["chromium", "firefox"] as const) {
    const judge = await people.arrive("Judge", kind)
    const { page } = judge
    await page.goto(`${server.origin}/verify`, { waitUntil: "networkidle" })
    await expect(page.getByRole("heading", { name: "Check an evidence file" })).toBeVisible()
    const requests: string[] = []
    page.on("request", (request) => requests.push(request.url()))
    await page.context().setOffline(true)

    await open(page, "roof.keymoot", archive)
    await expect(page.getByRole("status")).toHaveText("Valid: 2 messages, each signed by its author.")
    await expect(page.locator(".evidence-messages li")).toContainText([ORIGINAL, ANSWER])
    await expect(page.locator(".evidence-messages li").nth(1)).toContainText("after 1")
    await expect(page.locator(".evidence-messages li").nth(1)).toContainText(/key \d+, group [\da-f]{8}, number \d+/u)
    await expect(page.getByText("Only the person who saved this file vouches for these.")).toBeVisible()
    const names = page.locator(".evidence-people").first().locator("bdi")
    await expect(names).toHaveText(["Ada", "Bob"])
    const board = page.getByRole("button", { name: /^board\.excalidraw/u })
    await expect(board).toBeVisible()
    // A Firefox that is driven by WebDriver BiDi reports no downloads.
    if (kind === "chromium") {
      const file = await saved(judge, await board.innerText())
      expect(JSON.parse(file)).toMatchObject({ elements: [{ type: "freedraw" }] })
      expect(await violationsLightAndDark(page)).toEqual([])
    }

    const changed = Buffer.from(archive)
    const at = changed.indexOf(ANSWER)
    changed[at] = changed[at]! ^ 1
    await open(page, "changed.keymoot", changed)
    await expect(judge.problem).toHaveText("Not valid. Message 2 is not what its author signed for this conference.")
    await expect(page.getByText(ORIGINAL)).toBeHidden()
    await open(page, "cut.keymoot", archive.subarray(0, -1))
    await expect(judge.problem).toContainText("This is not an evidence file of this version, or it was cut off")
    expect(requests.filter((url) => !url.startsWith("blob:"))).toEqual([])
  }
})

test("the page that checks evidence lets no script contact a server", async ({ server, people }) => {
  const judge = await people.arrive("Judge")
  await judge.page.goto(`${server.origin}/verify`)
  await expect(judge.page.getByLabel("Evidence file")).toBeVisible()
  const sent = await judge.page.evaluate(() =>
    fetch("/").then(
      () => true,
      () => false,
    ),
  )
  expect(sent).toBe(false)
  // The alarm that makes other tests fail.
  await expect.poll(() => judge.complaints.splice(0).join()).toContain("connect-src")
})
