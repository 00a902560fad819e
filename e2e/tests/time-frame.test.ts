import { expect, test } from "../support/fixtures.ts"

/** As an input for date and time has it: tomorrow by this machine's clock. */
function tomorrow(): string {
  const at = new Date(Date.now() + 24 * 60 * 60 * 1000)
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
