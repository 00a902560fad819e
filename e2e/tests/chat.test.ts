import { readFile } from "node:fs/promises"
import type { Locator } from "@playwright/test"
import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"
import { meet } from "../support/scenes.ts"

function message(person: Person, text: string): Locator {
  return person.page.getByRole("log").locator("article:not([data-pending])").filter({ hasText: text })
}

async function menuOf(person: Person, text: string): Promise<Locator> {
  await message(person, text).getByRole("button", { name: "More" }).click()
  const menu = person.page.getByRole("dialog", { name: "More" })
  await expect(menu).toBeVisible()
  return menu
}

test("people react to messages, change and delete their own, see who is typing and whose hand is up, and take it all with them", async ({
  server,
  people,
}) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const link = await meet(server.origin, ada, bob)

  await ada.type("Message", "**The** rof")
  // That is said for some seconds after the last key: she goes on until it has been seen.
  await expect(async () => {
    await ada.page.keyboard.type("x")
    await ada.page.keyboard.press("Backspace")
    await expect(bob.page.getByText("Ada is typing…")).toBeVisible({ timeout: 3000 })
  }).toPass()
  await ada.page.keyboard.press("Enter")
  await expect(bob.page.getByText("Ada is typing…")).toBeHidden()
  await expect(message(bob, "The rof").locator("strong")).toHaveText("The")
  await ada.say("a secret")
  await expect(message(bob, "a secret")).toBeVisible()

  await (await menuOf(bob, "The rof")).getByRole("button", { name: "👍" }).click()
  await expect(message(ada, "The rof").getByRole("button", { name: "👍 Bob" })).toHaveText("👍 1")
  await message(ada, "The rof").getByRole("button", { name: "👍 Bob" }).click()
  await expect(message(bob, "The rof").getByRole("button", { name: "👍 Bob and Ada" })).toHaveText("👍 2")

  const others = await menuOf(bob, "a secret")
  await expect(others.getByRole("button", { name: "Copy the text" })).toBeVisible()
  await expect(others.getByRole("button", { name: "Delete" })).toHaveCount(0)
  await bob.page.keyboard.press("Escape")

  await (await menuOf(ada, "The rof")).getByRole("button", { name: "Change" }).click()
  const field = ada.page.getByLabel("Changed message")
  await expect(field).toBeFocused()
  await ada.page.keyboard.press("ControlOrMeta+A")
  await ada.page.keyboard.type("The **roof**")
  await ada.page.keyboard.press("Enter")
  await expect(message(bob, "The roof")).toContainText("changed")

  const own = await menuOf(ada, "a secret")
  await own.getByRole("button", { name: "Delete" }).click()
  await own.getByRole("button", { name: "Delete for everybody" }).click()
  await expect(message(bob, "Deleted by its author.")).toBeVisible()
  await expect(message(bob, "a secret")).toHaveCount(0)

  await bob.press("Raise hand")
  await expect(ada.page.getByText("Raised hand: Bob")).toBeVisible()
  await ada.press("Emoji")
  await ada.press("🎉")
  await expect(ada.page.getByLabel("Message", { exact: true })).toBeFocused()
  await ada.page.keyboard.press("Enter")
  await expect(message(bob, "🎉")).toBeVisible()

  const eve = await people.arrive("Eve")
  await eve.join(link)
  await eve.seesEncryptedFor(3)
  await expect(message(eve, "The roof")).toContainText("changed")
  // What was deleted is handed to nobody.
  await expect(message(eve, "Deleted by its author.")).toHaveCount(0)
  await expect(message(eve, "The roof").getByRole("button", { name: "👍" })).toHaveText("👍 2")
  await expect(eve.page.getByText("Raised hand: Bob")).toBeVisible()

  const [file] = await Promise.all([eve.page.waitForEvent("download"), eve.press("Save the conversation as a file")])
  const saved = await readFile(await file.path(), "utf8")
  expect(saved).toContain("The **roof**")
  expect(saved).not.toContain("a secret")
})
