import { readFile } from "node:fs/promises"
import { verifyEvidence } from "@keymoot/core/evidence"
import { expect, test } from "../../support/fixtures.ts"
import { saved, savedPath } from "../../support/files.ts"
import type { Person } from "../../support/person.ts"
import { seesDrawing } from "../../support/scenes.ts"

const MINUTE_MS = 60 * 1000
const DAY_MS = 24 * 60 * MINUTE_MS

/** As an input for date and time has it: tomorrow by this machine's clock. */
function tomorrow(): string {
  const at = new Date(Date.now() + DAY_MS)
  const two = (n: number): string => `${n}`.padStart(2, "0")
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

test("a conference for tomorrow has its link at once, and admits nobody before", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob", "firefox")]
  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.page.getByText("Options", { exact: true }).click()
  await ada.page.getByLabel("Opens at (empty: now)").press("1")
  await ada.press("Start a conference")
  await expect(ada.problem).toHaveText("Choose a time in the future. The conference must end within 30 days.")
  await ada.page.getByLabel("Opens at (empty: now)").fill("2020-01-01T00:00")
  await ada.press("Start a conference")
  await expect(ada.problem).toHaveText("Choose a time in the future. The conference must end within 30 days.")
  await ada.page.getByLabel("Opens at (empty: now)").fill(tomorrow())
  await ada.press("Start a conference")
  await expect(ada.page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
  await ada.page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await ada.press("Copy link")
  await expect(ada.page.getByRole("button", { name: "Link copied" })).toBeVisible()
  const link = await ada.page.evaluate(() => navigator.clipboard.readText())

  await bob.join(link)
  await expect(bob.page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
  await expect(bob.page.getByText(/This conference opens: .+\./u)).toBeVisible()
  await ada.page.reload()
  await expect(ada.page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
  // Ada may have closed the tab before she sent it.
  await ada.page.evaluate(() => navigator.clipboard.writeText(""))
  await ada.press("Copy link")
  await expect(ada.page.getByRole("button", { name: "Link copied" })).toBeVisible()
  expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await expect(bob.page.getByRole("button", { name: "Copy link" })).toBeHidden()
})

/** This person's clock, which can be put forward: the page's, and the one of the engine's thread, which has its own. */
async function clockOf({ page }: Person): Promise<(ms: number) => Promise<void>> {
  let aheadMs = 0
  await page.clock.install()
  await page.route(/\/worker-[^/]+\.js$/u, async (route) => {
    const response = await route.fetch()
    const clock = `{
      const now = Date.now.bind(Date)
      let aheadMs = ${aheadMs}
      new BroadcastChannel("clock").onmessage = ({ data }) => (aheadMs = data)
      Date.now = () => now() + aheadMs
    }`
    await route.fulfill({ response, body: `${clock}\n${await response.text()}` })
  })
  return async (ms) => {
    aheadMs += ms
    await page.evaluate((ahead) => new BroadcastChannel("clock").postMessage(ahead), aheadMs)
    await page.clock.fastForward(ms)
  }
}

test("enters by itself when the time has come, and meets the others", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  const putForward = [await clockOf(ada), await clockOf(bob)]
  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.page.getByText("Options", { exact: true }).click()
  await ada.page.getByLabel("Opens at (empty: now)").fill(tomorrow())
  await ada.press("Start a conference")
  await expect(ada.page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
  await ada.page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await ada.press("Copy link")
  await bob.join(await ada.page.evaluate(() => navigator.clipboard.readText()))
  await expect(bob.page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
  // An hour before it is still shut; nobody touches anything when it opens.
  for (const forward of putForward) await forward(DAY_MS - 60 * 60 * 1000)
  for (const { page } of [ada, bob]) await expect(page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
  for (const forward of putForward) await forward(60 * 60 * 1000)
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
})

test("warns before the end, and keeps the content until it is forgotten", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const putForward = await clockOf(ada)
  await ada.start(server.origin, { title: "The roof" })
  await ada.board.draw({ x: 300, y: 300 })
  await ada.say("before the end")
  await expect.poll(() => ada.texts()).toEqual(["before the end"])
  await expect(ada.page.getByText(/^Ends: /u).first()).toBeVisible()
  await putForward(DAY_MS - 9 * MINUTE_MS)
  await expect(ada.page.getByText("in less than 10 minutes")).toBeVisible()
  await putForward(7.5 * MINUTE_MS)
  await expect(ada.page.getByText("in less than 2 minutes")).toBeVisible()
  await putForward(2 * MINUTE_MS)
  await expect(ada.page.getByRole("heading", { name: "This conference is over" })).toBeVisible()
  expect(await saved(ada, "Save the chat")).toContain("before the end")

  await ada.press("Open the copy")
  await expect(ada.page.getByText("This conference is over. You see the copy on this device")).toBeVisible()
  await expect.poll(() => ada.texts()).toEqual(["before the end"])
  expect(await saved(ada, "Save the chat")).toContain("before the end")
  await seesDrawing(ada, { x: 300, y: 300 })
  expect(JSON.parse(await saved(ada, "Save the board"))).toMatchObject({ elements: [{ type: "freedraw" }] })
  const evidence = await verifyEvidence(await readFile(await savedPath(ada, "Save as evidence")))
  expect(evidence).toMatchObject({
    valid: true,
    evidence: { messages: [{ text: expect.stringContaining("before the end") }], documents: [{ name: "board" }] },
  })
  await expect(ada.page.getByLabel("Message", { exact: true })).toBeHidden()
  await ada.page.getByRole("banner").getByRole("button", { name: "Close" }).click()

  await ada.page.getByText("My conferences").click()
  await expect(ada.page.getByText(/^Over since /u)).toBeVisible()
  await ada.press("Return to The roof")
  await ada.press("Forget it")
  await ada.press("Forget for good")
  await ada.page.getByText("My conferences").click()
  await expect(ada.page.getByText("No conferences.")).toBeVisible()
})

test("continues when a host extends the conference, and ends when the host says so", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  const putForward = [await clockOf(ada), await clockOf(bob)]
  await ada.start(server.origin)
  await bob.join(await ada.copyLink())
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  for (const forward of putForward) await forward(DAY_MS - 9 * MINUTE_MS)
  await expect(bob.page.getByText("in less than 10 minutes")).toBeVisible()
  await expect(bob.page.getByRole("button", { name: /Change the end$/u })).toHaveCount(0)
  const change = ada.page.getByRole("banner").getByRole("button", { name: /Change the end$/u })
  await change.click()
  await ada.page.getByRole("menuitem", { name: "30 minutes longer" }).click()
  for (const { page } of [ada, bob]) await expect(page.getByText("in less than 10 minutes")).toBeHidden()
  for (const forward of putForward) await forward(15 * MINUTE_MS)
  await ada.say("we go on")
  await expect.poll(() => bob.texts()).toEqual(["we go on"])

  await change.click()
  await ada.page.getByRole("menuitem", { name: "End it for everybody" }).click()
  await ada.press("End it for everybody")
  for (const { page } of [ada, bob]) {
    await expect(page.getByRole("heading", { name: "This conference is over" })).toBeVisible()
    await expect(page.getByText(/^A host ended this conference \(.+\)\.$/u)).toBeVisible()
  }
  expect(await saved(bob, "Save the chat")).toContain("we go on")
  await bob.page.reload()
  await expect(bob.page.getByText("This conference is over. You see the copy on this device")).toBeVisible()
  await expect(bob.page.getByRole("banner").getByText("Ended by a host").first()).toBeVisible()
  await bob.press("Ask the others whether it goes on")
  await expect(bob.page.getByRole("heading", { name: "This conference is over" })).toBeVisible()
  await expect(bob.page.getByText("Nobody answered that it goes on.")).toBeVisible()
})

test("tells somebody with the link when the creator has ended the conference early", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob", "firefox")]
  await ada.start(server.origin, { title: "The roof" })
  const link = await ada.copyLink()
  await bob.page.goto(link)
  await expect(bob.page.getByText("The roof")).toBeVisible()
  await expect(bob.page.getByRole("button", { name: "Join" })).toBeVisible()
  await ada.page
    .getByRole("banner")
    .getByRole("button", { name: /Change the end$/u })
    .click()
  await ada.page.getByRole("menuitem", { name: "End it for everybody" }).click()
  await ada.press("End it for everybody")
  await expect(ada.page.getByRole("heading", { name: "This conference is over" })).toBeVisible()

  await bob.page.reload()
  await expect(bob.page.getByText(/^Ada ended this conference \(.+\)\.$/u)).toBeVisible()
  await expect(bob.page.getByRole("heading", { name: "This conference is over" })).toBeVisible()
  await expect(bob.page.getByText("The roof")).toBeVisible()
  await expect(bob.page.getByRole("button", { name: "Join" })).toHaveCount(0)
  await bob.press("Start a conference of your own instead")
  await expect(bob.page.getByRole("button", { name: "Start a conference" })).toBeVisible()
})
