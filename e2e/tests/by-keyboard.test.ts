import { expect, test } from "../support/fixtures.ts"

test("a person without a mouse starts a conference with a hidden address, writes, reads who is here, and finds the help; who joins meets them through the server", async ({
  server,
  people,
}) => {
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
  for (let i = 0; i < 2; i++) await keyboard.press("Tab")
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
  await keyboard.press("Alt+KeyB")
  await expect(page.locator(".excalidraw").first()).toBeFocused()
  await keyboard.press("Alt+KeyH")
  await expect(page.getByText("Raised hand: Ada")).toBeVisible()
  await keyboard.press("Alt+KeyP")
  await expect(page.getByRole("tab", { name: "People" })).toBeFocused()
  await keyboard.press("?")
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toContainText("Go to the whiteboard")
  await keyboard.press("Escape")

  await keyboard.press("Alt+KeyC")
  const link = await ada.copyLink()
  await bob.join(link)
  await bob.seesEncryptedFor(2)
  await bob.page.getByRole("tab", { name: "People" }).click()
  await expect(bob.page.getByText("Connected through the server, which can read nothing of it.")).toBeVisible()
  expect([...policies]).toEqual(["policy relay"])
})
