import { expect, test } from "../../support/fixtures.ts"
import { meet, startApproval, startMajority } from "../../support/scenes.ts"

test("counts unread messages at the chat and in the title until the chat is opened", async ({ server, people }) => {
  test.slow() // On a busy machine the first Firefox takes most of a test's time to start.
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  await meet(server.origin, ada, bob)
  const { page } = ada
  await bob.say("one")
  await expect.poll(() => ada.texts()).toEqual(["one"])
  await expect(page).toHaveTitle("Keymoot")

  await page.getByRole("tab", { name: "People" }).click()
  await bob.say("two")
  await expect(page.getByRole("tab", { name: "Chat, 1 unread message" })).toBeVisible()
  await bob.say("three")
  await expect(page.getByRole("tab", { name: "Chat, 2 unread messages" })).toHaveText("Chat2")
  await expect(page).toHaveTitle("(2) Keymoot")

  await ada.press("Close")
  await bob.say("four")
  const button = page.getByRole("button", { name: "Chat, 3 unread messages" })
  await expect(button).toHaveText("Chat3")
  await button.click()
  await expect(page.getByRole("tab", { name: "Chat", exact: true })).toHaveText("Chat")
  await expect(page).toHaveTitle("Keymoot")
})

test("unsent messages are marked, and leaving before they are sent asks first", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const { page } = ada
  await startMajority(server.origin, ada, bob)
  const link = await ada.copyLink()
  await ada.say("Ada waits")
  const waiting = page.getByRole("log").locator("article[data-pending=sending]")
  await expect(waiting).toHaveText("Ada waitsWaiting for the key…")

  await ada.press("Leave")
  const question = page.getByRole("alertdialog", { name: "Leave now?" })
  await expect(question).toContainText("1 message or change has not been sent yet. It is lost if you leave.")
  await ada.press("Stay")
  await expect(question).toBeHidden()
  // The browser asks in its own words.
  const asked = page.waitForEvent("dialog")
  await page.close({ runBeforeUnload: true })
  const dialog = await asked
  expect(dialog.type()).toBe("beforeunload")
  await dialog.dismiss()

  await bob.join(link)
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  await expect.poll(() => bob.texts()).toEqual(["Ada waits"])
  await expect(waiting).toHaveCount(0)
  await ada.press("Leave")
  await expect(page.getByRole("button", { name: "Start a conference" })).toBeVisible()
})

test("marks the last key change, with animation unless reduced motion is set", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  const { page } = ada
  const look = () =>
    page
      .locator(".key-line[data-new=true]")
      .first()
      .evaluate((line) => {
        const { animationName, stroke } = getComputedStyle(line)
        return { animationName, stroke }
      })

  await ada.lock.click()
  await ada.unfold("Details")
  const moving = await look()
  expect(moving.animationName).toBe("key-made")
  await page.keyboard.press("Escape")
  await page.emulateMedia({ reducedMotion: "reduce" })
  await ada.lock.click()
  await ada.unfold("Details")
  expect(await look()).toEqual({ animationName: "none", stroke: moving.stroke })
  await expect(page.getByText("New with the last change", { exact: true })).toBeVisible()
})

/** Longer than the minimum between two notifications of a page. */
const LATER_MS = 10_000

test("notifies once of a knock, a hand and a mention while the page is hidden", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  const { page } = ada
  await page.clock.install()
  await page.addInitScript(() => {
    const shown: unknown[] = []
    class Notified extends EventTarget {
      static readonly permission = "granted"
      constructor(title: string, { body }: NotificationOptions = {}) {
        super()
        shown.push([title, body ?? ""])
      }
    }
    Object.assign(globalThis, { shown, Notification: Notified })
    Object.defineProperty(document, "hidden", { get: () => "isAway" in globalThis })
    localStorage.setItem("keymoot settings", JSON.stringify({ notifications: true }))
  })
  const shown = () => page.evaluate(() => (globalThis as unknown as { shown: unknown[] }).shown)
  const link = await startApproval(server.origin, ada)
  await page.getByRole("tab", { name: "People" }).click()
  await page.evaluate(() => Object.assign(globalThis, { isAway: true }))

  await bob.join(link)
  const knock = ["Somebody wants to join the conference", ""]
  await expect.poll(shown).toEqual([knock])
  await page.clock.fastForward(LATER_MS)
  const waiting = page.getByRole("region", { name: "Waiting to be let in" })
  await waiting.getByRole("button", { name: "Let Bob in" }).click()
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))

  await bob.press("Raise hand")
  const hand = ["Somebody raised a hand in the conference", ""]
  await expect.poll(shown).toEqual([knock, hand])
  await page.clock.fastForward(LATER_MS)

  await bob.say("@Ada the roof leaks")
  await expect(page.getByText("Bob mentioned you.")).toBeVisible()
  const mention = ["Somebody mentioned you in the conference", ""]
  await expect.poll(shown).toEqual([knock, hand, mention])
})

test("asks a host at the first knock whether to play a sound, and never again", async ({ server, people }) => {
  const [ada, bob, eve] = [await people.arrive("Ada"), await people.arrive("Bob"), await people.arrive("Eve")]
  const link = await startApproval(server.origin, ada)
  const question = ada.page.getByText("Do you want to hear of people who wait while you look elsewhere?")
  await bob.join(link)
  await expect(question).toBeVisible()
  await ada.press("Let Bob in")
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  await ada.press("No, thanks")
  await expect(question).toBeHidden()

  await ada.page.reload()
  await ada.seesEncryptedFor(2)
  await eve.join(link)
  await expect(ada.page.getByText("Eve wants to join.")).toBeVisible()
  await expect(question).toBeHidden()
})
