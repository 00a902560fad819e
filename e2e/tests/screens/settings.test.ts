import { readFileSync } from "node:fs"
import type { Page } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { invite } from "../../support/scenes.ts"

const PASSPHRASE = "four words of hers"

async function openSettings(person: Person, origin: string): Promise<void> {
  await person.page.goto(origin)
  await person.press("Settings")
  await expect(person.page.getByRole("dialog", { name: "Settings" })).toBeVisible()
}

/** Elements above it may still be loading, and move it away from under the mouse. */
async function unfold(page: Page, summary: string): Promise<void> {
  const details = page.locator("details", { hasText: summary })
  await expect(async () => {
    if (!(await details.evaluate((element: HTMLDetailsElement) => element.open))) await page.getByText(summary).click()
    expect(await details.evaluate((element: HTMLDetailsElement) => element.open)).toBe(true)
  }).toPass()
}

test("the page that verifies evidence is linked in the settings, and not before", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  await ada.start(server.origin)
  const link = await ada.copyLink()
  const check = bob.page.getByRole("link", { name: "Check an evidence file" })
  for (const url of [server.origin, link]) {
    await bob.page.goto(url)
    await expect(bob.page.getByRole("button", { name: "What is protected?" })).toBeVisible()
    await expect(check).toHaveCount(0)
  }
  await openSettings(bob, server.origin)
  const opening = bob.page.waitForEvent("popup")
  await check.click()
  await expect((await opening).getByRole("heading", { name: "Check an evidence file" })).toBeVisible()

  await ada.lock.click()
  await ada.unfold("Evidence")
  await expect(ada.page.getByRole("link", { name: "Check an evidence file" })).toBeVisible()
})

test("a backup file moves an identity to another browser, where verifiers know it", async ({
  server,
  people,
}, testInfo) => {
  const backup = testInfo.outputPath("ada.keymoot-identity")
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")

  await openSettings(ada, server.origin)
  await unfold(ada.page, "New identity, with a backup if you like")
  await ada.type("Name", "Ada")
  await ada.type("Passphrase for the backup (empty: no backup)", "short")
  await ada.type("Passphrase again", "short")
  await ada.press("Create identity")
  await expect(ada.problem).toHaveText("At least 12 characters: four words that nobody would guess.")
  for (const label of ["Passphrase for the backup (empty: no backup)", "Passphrase again"]) {
    await ada.page.getByLabel(label, { exact: true }).selectText()
    await ada.type(label, PASSPHRASE)
  }
  const downloading = ada.page.waitForEvent("download")
  await ada.press("Create identity")
  await (await downloading).saveAs(backup)
  await expect(ada.page.getByText("The backup was saved as a file.")).toBeVisible()
  await ada.press("Close")
  await expect(ada.page.getByLabel("Your name")).toHaveValue("Ada")

  await bob.start(server.origin)
  const link = await invite(bob)
  await ada.page.goto(link)
  await expect(ada.page.getByLabel("Your name")).toHaveValue("Ada")
  await ada.press("Join")
  await bob.seesEncryptedFor(2)
  await bob.compareCodesWith("Ada")
  await bob.press("They are the same")
  await bob.page.keyboard.press("Escape")
  await bob.sees("Ada", "Verified by you")
  await ada.leave()

  const elsewhere = await people.arrive("Ada", "firefox")
  await openSettings(elsewhere, server.origin)
  await unfold(elsewhere.page, "Import an identity from a backup")
  await elsewhere.page.getByLabel("Backup file").setInputFiles(backup)
  await elsewhere.type("Passphrase", "not that one")
  await elsewhere.press("Import")
  await expect(elsewhere.problem).toContainText("This is not the passphrase of this backup.")
  await elsewhere.page.getByLabel("Passphrase", { exact: true }).selectText()
  await elsewhere.type("Passphrase", PASSPHRASE)
  await elsewhere.press("Import")
  await expect(elsewhere.page.getByText("Done. You use this identity now.")).toBeVisible()
  await elsewhere.press("Close")
  await elsewhere.page.goto(link)
  await expect(elsewhere.page.getByLabel("Your name")).toHaveValue("Ada")
  await elsewhere.press("Join")
  await bob.seesEncryptedFor(2, 1)
  await bob.sees("Ada", "Verified by you")
  await expect(bob.problem).toBeHidden()
})

test("theme and language are as chosen, at once and after a reload", async ({ server, people }) => {
  const ada = await people.arrive("Ada", "chromium", { colorScheme: "light" })
  const { page } = ada
  await openSettings(ada, server.origin)
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await page.getByLabel("Theme").selectOption("Dark")
  await expect.poll(ground).not.toBe(light)
  await page.getByLabel("Language").selectOption("Deutsch")
  await expect(page.getByRole("dialog", { name: "Einstellungen" })).toBeVisible()
  const dark = await ground()
  expect(dark).not.toBe(light)
  await page.reload()
  await expect(page.getByRole("button", { name: "Konferenz beginnen" })).toBeVisible()
  await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe("de")
  await expect.poll(ground).toBe(dark)
})

test("identities are chosen, renamed and removed, and the start page's name follows", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const { page } = ada
  await openSettings(ada, server.origin)
  await unfold(page, "New identity, with a backup if you like")
  for (const name of ["At home", "At work"]) {
    await ada.type("Name", name)
    await ada.press("Create identity")
    await expect(page.getByRole("radio", { name })).toBeChecked()
  }
  await page.getByRole("radio", { name: "At home" }).click()
  await expect(page.getByRole("radio", { name: "At home" })).toBeChecked()
  await page.getByLabel("Name of this identity").press("End")
  await ada.type("Name of this identity", " again")
  await ada.press("Rename")
  await expect(page.getByRole("radio", { name: "At home again" })).toBeChecked()
  await ada.press("Remove this identity")
  await ada.press("Remove")
  await expect(page.getByRole("radio")).toHaveCount(1)
  await ada.press("Close")
  await expect(page.getByLabel("Your name")).toHaveValue("At work")
})

test("the settings lead to the licences of third parties", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await openSettings(ada, server.origin)
  const opening = ada.page.waitForEvent("popup")
  await ada.page.getByRole("link", { name: "Licences of included software" }).click()
  const text = (await opening).locator("body")
  for (const work of ["react-dom 18", "@excalidraw/excalidraw 0", "The font Excalifont"]) {
    await expect(text).toContainText(work)
  }
})

test("the settings show the version, for a comparison with verify-site", async ({ server, people }) => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    readonly version: string
  }
  const ada = await people.arrive("Ada")
  await openSettings(ada, server.origin)
  await expect(ada.page.getByText(`Version ${version}`)).toBeVisible()
})
