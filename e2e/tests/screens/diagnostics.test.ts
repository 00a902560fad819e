import { violationsLightAndDark } from "../../support/axe.ts"
import { expect, test } from "../../support/fixtures.ts"
import { meet } from "../../support/scenes.ts"

test("shows paths and departures, and copies them without names or content", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const { page } = ada
  const link = await meet(server.origin, ada, bob)
  await bob.say("Meet me at the harbour")
  await expect.poll(() => ada.texts()).toEqual(["Meet me at the harbour"])

  await page.keyboard.press("Alt+KeyI")
  const panel = page.getByRole("dialog", { name: "Diagnostics" })
  await expect(panel.getByText(/^Direct, round trip \d+\sms/u)).toBeVisible()
  // On a busy machine the view can change once more before the key.
  await expect(panel.getByText(/^Bob \([\da-f]{8}\) joined\./u)).toBeVisible()
  await bob.leave()
  await expect(panel.getByText(/^Bob \([\da-f]{8}\) left\.$/u)).toBeVisible()
  expect(await violationsLightAndDark(page, { within: ".modal" })).toEqual([])
  await panel.getByRole("button", { name: "Copy diagnostics" }).click()
  await expect(panel.getByRole("status")).toHaveText("Copied")
  await page.keyboard.press("Escape")
  await expect(panel).toBeHidden()

  const message = page.getByLabel("Message", { exact: true })
  await message.click()
  await page.keyboard.press("ControlOrMeta+V")
  const copied = await message.inputValue()
  expect(copied).toMatch(/^ {2}[-\d:.TZ]+ epoch \d+ left, members 1, .* -[\da-f]{8} \(left\)$/mu)
  expect(copied).toContain(" secure-group info secured epoch=")
  expect(ada.trace.join()).toContain(" group info farewell member=")
  const { hash, pathname, host } = new URL(link)
  const secrets = ["Ada", "Bob", "harbour", host, ...hash.split(/[#.]/u), ...pathname.split("/")]
  expect(secrets.filter((secret) => secret.length > 2 && copied.includes(secret))).toEqual([])
  await page.keyboard.press("ControlOrMeta+A")
  await page.keyboard.press("Delete")

  await ada.press("Settings")
  await page.getByRole("dialog", { name: "Settings" }).getByRole("button", { name: "Diagnostics" }).click()
  await expect(panel).toBeVisible()
  await expect(page.getByRole("dialog", { name: "Settings" })).toBeHidden()
})
