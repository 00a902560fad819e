import type { Locator } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"

/** Far more than any screen has. */
const STOPS_MAX = 80

/** From stop to stop, as somebody does who has no mouse. */
async function tabTo({ page, name }: Person, goal: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const isThere = () => goal.evaluate((element) => element === document.activeElement)
  for (let stop = 0; stop < STOPS_MAX && !(await isThere()); stop++) await page.keyboard.press(key)
  await expect(goal, `${name} reaches it`).toBeFocused()
}

test("by keyboard, a person with a hidden address starts a relayed conference", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const { page } = ada
  const { keyboard } = page
  await page.addInitScript(() => {
    const Native = RTCPeerConnection
    window.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration)
        console.log(`policy ${configuration?.iceTransportPolicy}`)
      }
    }
  })
  const policies = new Set<string>()
  page.on("console", (message) => {
    if (message.text().startsWith("policy ")) policies.add(message.text())
  })

  await page.goto(server.origin)
  await expect(page.getByLabel("Your name")).toBeFocused()
  await keyboard.type("Ada")
  await keyboard.press("Tab")
  await keyboard.press("Enter")
  const hide = page.getByLabel("Hide my internet address from the others")
  // A field for a date and a time has seven stops.
  for (let i = 0; i < 30 && !(await hide.evaluate((element) => element === document.activeElement)); i++)
    await keyboard.press("Tab")
  await keyboard.press("Space")
  await expect(hide).toBeChecked()
  await page.getByLabel("Your name").focus()
  await keyboard.press("Enter")
  await ada.seesLock("Only you are here.")

  await keyboard.press("Alt+KeyC")
  await expect(page.getByLabel("Message", { exact: true })).toBeFocused()
  await keyboard.type("Is anybody there?")
  await keyboard.press("Enter")
  await expect.poll(() => ada.texts()).toEqual(["Is anybody there?"])
  await keyboard.press("Alt+KeyP")
  await expect(page.getByRole("tab", { name: "People" })).toBeFocused()
  await keyboard.press("Alt+KeyS")
  await expect(page.getByRole("dialog", { name: "Security" })).toBeVisible()
  await keyboard.press("Escape")
  await expect(ada.lock).toBeFocused()
  // Nothing is focused that has not been loaded yet.
  await expect(page.locator(".excalidraw").first()).toBeVisible()
  await keyboard.press("Alt+KeyB")
  await expect(page.locator(".excalidraw").first()).toBeFocused()
  await keyboard.press("Alt+KeyH")
  await expect(page.getByText("Raised hand: Ada")).toBeVisible()
  await keyboard.press("Alt+KeyP")
  await expect(page.getByRole("tab", { name: "People" })).toBeFocused()
  await keyboard.press("?")
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toContainText("Go to the whiteboard")
  await keyboard.press("Escape")

  // At once: the dialog gives the focus back, but not to anybody who has gone on.
  await keyboard.press("Alt+KeyC")
  await expect(page.getByLabel("Message", { exact: true })).toBeFocused()
  const link = await ada.copyLink()
  await bob.join(link)
  await bob.seesEncryptedFor(2)
  await bob.page.getByRole("tab", { name: "People" }).click()
  await expect(bob.page.getByText("Connected through the server, which can’t read anything.")).toBeVisible()
  expect([...policies]).toEqual(["policy relay"])
})

test("by keyboard: start, invite, join, write, verify, make a viewer, and leave", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const { keyboard } = ada.page
  const button = (name: string) => ada.page.getByRole("button", { name, exact: true })
  await ada.page.goto(server.origin)
  await expect(ada.page.getByLabel("Your name")).toBeFocused()
  await keyboard.type("Ada")
  await keyboard.press("Enter")
  await ada.seesLock("Only you are here.")

  await tabTo(ada, button("Copy link"))
  await keyboard.press("Enter")
  await expect(button("Link copied")).toBeVisible()
  await keyboard.press("Alt+KeyC")
  const message = ada.page.getByLabel("Message", { exact: true })
  await expect(message).toBeFocused()
  await keyboard.press("ControlOrMeta+V")
  await expect(message).toHaveValue(/^http/u)
  const link = await message.inputValue()
  await keyboard.press("ControlOrMeta+A")
  await keyboard.type("Come in")
  await keyboard.press("Enter")

  await bob.page.goto(link)
  await expect(bob.page.getByLabel("Your name")).toBeFocused()
  await bob.page.keyboard.type("Bob")
  await bob.page.keyboard.press("Enter")
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  await expect.poll(() => bob.texts()).toEqual(["Come in"])

  const more = button("More about Bob")
  await keyboard.press("Alt+KeyP")
  await expect(ada.page.getByRole("tab", { name: "People" })).toBeFocused()
  await tabTo(ada, more)
  await keyboard.press("Enter")
  await expect(ada.page.getByRole("menuitem", { name: "Verify" })).toBeFocused()
  await keyboard.press("Enter")
  const codes = ada.page.getByRole("dialog", { name: "Verify Bob" })
  await expect(codes).toBeVisible()
  await tabTo(ada, codes.getByRole("button", { name: "They are the same" }))
  await keyboard.press("Enter")
  await expect(codes).toContainText("You have verified Bob.")
  await keyboard.press("Escape")
  await expect(codes).toBeHidden()
  await expect(more).toBeFocused()

  await keyboard.press("Enter")
  const viewer = ada.page.getByRole("menuitemradio", { name: "Viewer" })
  for (let stop = 0; stop < STOPS_MAX && !(await viewer.evaluate((item) => item === document.activeElement)); stop++)
    await keyboard.press("ArrowDown")
  await keyboard.press("Enter")
  await expect(bob.page.getByText("You can only watch here.")).toBeVisible()

  await tabTo(ada, button("Leave"), "Shift+Tab")
  await keyboard.press("Enter")
  await expect(button("Start a conference")).toBeVisible()
  await bob.seesLock("Only you are here.")
})
