import { readFile } from "node:fs/promises"
import type { Locator } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

function message(person: Person, text: string): Locator {
  return person.page.getByRole("log").locator("article:not([data-pending])").filter({ hasText: text })
}

async function menuOf(person: Person, text: string): Promise<Locator> {
  await message(person, text).getByRole("button", { name: "More" }).click()
  const menu = person.page.getByRole("dialog", { name: "More" })
  await expect(menu).toBeVisible()
  return menu
}

test("people react, edit and delete, see typing and raised hands, and keep the history", async ({ server, people }) => {
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
  await expect(others.getByRole("button", { name: "Copy text" })).toBeVisible()
  await expect(others.getByRole("button", { name: "Delete" })).toHaveCount(0)
  await bob.page.keyboard.press("Escape")

  await (await menuOf(ada, "The rof")).getByRole("button", { name: "Edit" }).click()
  const field = ada.page.getByLabel("Edit message")
  await expect(field).toBeFocused()
  await ada.page.keyboard.press("ControlOrMeta+A")
  await ada.page.keyboard.type("The **roof**")
  await ada.page.keyboard.press("Enter")
  await expect(message(bob, "The roof")).toContainText("edited")

  const own = await menuOf(ada, "a secret")
  await own.getByRole("button", { name: "Delete" }).click()
  await own.getByRole("button", { name: "Delete for everyone" }).click()
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
  await expect(message(eve, "The roof")).toContainText("edited")
  // A deleted message is transferred to no newcomer.
  await expect(message(eve, "Deleted by its author.")).toHaveCount(0)
  await expect(message(eve, "The roof").getByRole("button", { name: "👍" })).toHaveText("👍 2")
  await expect(eve.page.getByText("Raised hand: Bob")).toBeVisible()

  const [file] = await Promise.all([eve.page.waitForEvent("download"), eve.press("Save the chat as a file")])
  const saved = await readFile(await file.path(), "utf8")
  expect(saved).toContain("The **roof**")
  expect(saved).not.toContain("a secret")
})

test("puts the caret at the end when a message is edited", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  await ada.say("The roof is")
  await (await menuOf(ada, "The roof is")).getByRole("button", { name: "Edit" }).click()
  await expect(ada.page.getByLabel("Edit message")).toBeFocused()
  await ada.page.keyboard.type(" red")
  await ada.page.keyboard.press("Enter")
  await expect(message(ada, "The roof is red")).toContainText("edited")
})

test("sends all of a pasted text when it is longer than a message", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin)
  const words = Array.from({ length: 2500 }, (_, at) => `word${at}`.padEnd(9, "."))
  await ada.paste("Message", words.join(" "))
  await expect(ada.page.getByText("Too long for one message. It will be sent as 3 messages.")).toBeVisible()
  await ada.page.keyboard.press("Enter")
  await expect.poll(async () => (await ada.texts()).join(" ").split(" ")).toEqual(words)

  await (await menuOf(ada, "word2499")).getByRole("button", { name: "Edit" }).click()
  await ada.paste("Edit message", words.join(" "))
  await expect(ada.problem).toHaveText(/^Too long\. Remove \d+ characters\.$/u)
  await expect(ada.page.getByRole("button", { name: "Save", exact: true })).toBeDisabled()
  await expect(ada.page.getByLabel("Edit message")).toHaveValue(/word2499\.$/u)
})
