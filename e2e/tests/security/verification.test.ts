import type { Person } from "../../support/person.ts"
import { launch } from "../../browsers.ts"
import { cameraArguments, filmOf } from "../../support/camera.ts"
import { expect, test } from "../../support/fixtures.ts"
import { invite, meet } from "../../support/scenes.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

const DIGITS = /^(?:\d{5}\s*){12}$/u

async function codes(person: Person, name: string): Promise<{ digits: string; words: string }> {
  const dialog = await person.compareCodesWith(name)
  const digits = (await dialog.getByText(DIGITS).innerText()).replaceAll(/\s+/gu, " ").trim()
  await dialog.getByRole("tab", { name: "Words" }).click()
  const words = (await dialog.getByRole("tabpanel", { name: "Words" }).getByRole("listitem").allInnerTexts()).join(" ")
  return { digits, words }
}

test("both see equal digits and words; verification survives reload and renaming", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  const link = await meet(server.origin, ada, bob)
  const [atAda, atBob] = [await codes(ada, "Bob"), await codes(bob, "Ada")]
  expect(atAda.digits).toMatch(DIGITS)
  expect(atAda.words.split(" ")).toHaveLength(18)
  expect(atBob).toEqual(atAda)

  await ada.press("They are the same")
  await expect(ada.page.getByText("You have verified Bob.")).toBeVisible()
  await ada.page.keyboard.press("Escape")
  await ada.sees("Bob", "Verified by you")
  await bob.press("Close")

  await ada.page.reload()
  await ada.seesEncryptedFor(2, 1)
  await ada.sees("Bob", "Verified by you")

  await bob.leave()
  const bobby = await people.openTab(bob)
  await bobby.page.goto(link)
  // Filled in a moment after the page is there.
  await expect(bobby.page.getByLabel("Your name", { exact: true })).toHaveValue("Bob")
  await bobby.page.getByLabel("Your name", { exact: true }).press("End")
  await bobby.type("Your name", "by")
  await bobby.press("Join")
  await ada.seesEncryptedFor(2, 1)
  await ada.sees("Bobby", "Verified by you")
  await expect(ada.problem).toBeHidden()
})

test("an impostor of a verified person is flagged above the board, in row and log", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const link = await meet(server.origin, ada, bob)
  await ada.compareCodesWith("Bob")
  await ada.press("They are the same")
  await ada.page.keyboard.press("Escape")
  await bob.leave()
  await ada.seesLock("Only you are here.")

  const impostor = await people.arrive("Bob")
  await impostor.join(link)
  await ada.seesEncryptedFor(2)
  await expect(ada.problem).toContainText("Careful: this is not the Bob you verified. This person has another key")
  await ada.sees("Bob", "Not the key that you verified")
  await ada.lock.click()
  await expect(ada.page.getByRole("dialog", { name: "Security" })).toContainText(
    "somebody uses the name Bob without the key of the person you verified or know here",
  )
  await ada.page.keyboard.press("Escape")

  await ada.press("Compare codes")
  const dialog = ada.page.getByRole("dialog", { name: "Verify Bob" })
  await dialog.getByRole("button", { name: "They differ" }).click()
  await expect(dialog).toContainText("somebody may be in between you and Bob")
  // It was Bob after all, on another device.
  await expect(dialog.getByRole("button", { name: "They are the same" })).toHaveCount(0)
  await dialog.getByRole("button", { name: "Compare again" }).click()
  await dialog.getByRole("button", { name: "They are the same" }).click()
  await ada.page.keyboard.press("Escape")
  await expect(ada.problem).toBeHidden()
  await ada.sees("Bob", "Verified by you")
})

test("scanning a code verifies its pair only, and a missing camera is reported", async ({
  server,
  people,
}, testInfo) => {
  const film = testInfo.outputPath("film.y4m")
  const ada = await people.arriveIn(await launch("chromium", cameraArguments(film)), "Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  await meet(server.origin, ada, bob, eve)
  const show = async (person: Person, name: string) => {
    const dialog = await person.compareCodesWith(name)
    await dialog.getByRole("tab", { name: "Scan" }).click()
    return dialog.getByRole("img", { name: `Code for ${name} to scan` })
  }

  await show(ada, "Bob")
  await ada.press("Scan the code of Bob")
  await expect(ada.page.getByText("No camera was found.")).toBeVisible()

  // The film is the camera.
  await filmOf(await show(bob, "Eve"), film)
  await ada.press("Scan the code of Bob")
  await expect(ada.page.getByText("The browser does not let this page use the camera.")).toBeVisible()

  await ada.page.context().grantPermissions(["camera"], { origin: server.origin })
  await ada.press("Scan the code of Bob")
  await expect(ada.page.getByText("This code is for another pair of people.")).toBeVisible()

  // Nothing to be read: the camera goes on looking, where this person's own code was.
  await filmOf(bob.page.locator("header svg").first(), film)
  await ada.press("Scan the code of Bob")
  const mine = ada.page.getByRole("img", { name: "Code for Bob to scan" })
  await expect(ada.page.getByLabel("Picture of the camera")).toBeVisible()
  await expect(mine).toBeHidden()
  await ada.press("Show my code")
  await expect(mine).toBeVisible()

  await bob.press("Close")
  await filmOf(await show(bob, "Ada"), film)
  await ada.press("Scan the code of Bob")
  await expect(ada.page.getByText("You have verified Bob.")).toBeVisible()
})

test("the security panel names the cipher and draws the key with a leaf per person", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  await ada.start(server.origin, { cipher: "ChaCha20-Poly1305" })
  const link = await invite(ada, bob)
  await bob.say("encrypted")
  await expect.poll(() => ada.texts()).toEqual(["encrypted"])
  await ada.lock.click()
  await ada.unfold("Details")
  const panel = ada.page.getByRole("dialog", { name: "Security" })
  await expect(panel).toContainText("ChaCha20-Poly1305")
  const picture = panel.getByRole("img", { name: /^Key tree/u })
  await expect(picture).toHaveAccessibleName(/with 2 leaves, 1 levels high: \((?:Ada, Bob|Bob, Ada)\)/u)
  await expect(picture.locator(".key-member")).toHaveCount(2)

  await eve.join(link)
  // Another key may follow at once, which is made of the two oldest shares.
  const newOf = /with 3 leaves, 2 levels high: .*New with the last change: .*(?:Eve|Ada and Bob|Bob and Ada)\./u
  await expect(picture).toHaveAccessibleName(newOf)
  await expect(picture.locator(".key-member")).toHaveCount(3)
  await expect(picture.locator(".key-node")).toHaveCount(2)
  await eve.leave()
  await expect(picture).toHaveAccessibleName(/with 2 leaves/u)

  const epoch = panel.locator("dt", { hasText: "Key number" }).locator("xpath=following-sibling::dd[1]")
  const before = Number(await epoch.innerText())
  // Refused while the last key is young. One wish that is granted is enough: a second would make another key.
  const answer = async (): Promise<"granted" | "refused" | "asked"> => {
    if ((await epoch.innerText()) !== `${before}`) return "granted"
    return (await panel.getByText("A new key has just been agreed.").isVisible()) ? "refused" : "asked"
  }
  await expect(async () => {
    if ((await answer()) !== "granted") await panel.getByRole("button", { name: "Refresh key now" }).click()
    await expect.poll(answer).not.toBe("asked")
    expect(await answer()).toBe("granted")
  }).toPass()
  expect(Number(await epoch.innerText())).toBeGreaterThan(before)
  await expect(panel).toContainText("The same people, a new key")
})
