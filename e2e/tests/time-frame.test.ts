import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"

const DAY_MS = 24 * 60 * 60 * 1000

/** As an input for date and time has it: tomorrow by this machine's clock. */
function tomorrow(): string {
  const at = new Date(Date.now() + DAY_MS)
  const two = (n: number): string => `${n}`.padStart(2, "0")
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

test("a conference is made for tomorrow: its link is there at once, and nobody enters by it before", async ({
  server,
  people,
}) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob", "firefox")]
  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.page.getByText("Advanced").click()
  await ada.page.getByLabel("Opens at (empty: at once)").fill("2020-01-01T00:00")
  await ada.press("Start a conference")
  await expect(ada.problem).toHaveText("Choose a time to come, so that the conference ends within 30 days.")
  await ada.page.getByLabel("Opens at (empty: at once)").fill(tomorrow())
  await ada.press("Start a conference")
  await expect(ada.page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
  await ada.page.context().grantPermissions(["clipboard-read", "clipboard-write"])
  await ada.press("Copy link")
  await expect(ada.page.getByRole("button", { name: "Link copied" })).toBeVisible()
  const link = await ada.page.evaluate(() => navigator.clipboard.readText())

  await bob.join(link)
  await expect(bob.page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
  await expect(bob.page.getByText(/This conference opens at .+\./u)).toBeVisible()
  await ada.page.reload()
  await expect(ada.page.getByRole("heading", { name: "Not open yet" })).toBeVisible()
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

test("who waits for the time goes in by itself when it has come, and meets the others", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  const putForward = [await clockOf(ada), await clockOf(bob)]
  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.page.getByText("Advanced").click()
  await ada.page.getByLabel("Opens at (empty: at once)").fill(tomorrow())
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
