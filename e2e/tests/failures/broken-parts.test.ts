import { expect, test } from "../../support/fixtures.ts"
import { meet, seeSameChat, seesDrawing, talkAtOnce } from "../../support/scenes.ts"

const STROKE = { x: 350, y: 300 } as const

test("chat continues when the whiteboard breaks, and it reloads with its drawing", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  // A module that breaks while it is loaded stays broken until the page is loaded again.
  await expect(bob.page.locator("canvas.interactive")).toBeVisible()
  await bob.page.evaluate(() => {
    const canvas = HTMLCanvasElement.prototype as { getContext: unknown }
    const { getContext } = canvas
    canvas.getContext = () => {
      throw new Error("this canvas is broken")
    }
    addEventListener("mend", () => (canvas.getContext = getContext), { once: true })
  })
  await ada.board.draw(STROKE)
  await expect(bob.page.getByText("The whiteboard stopped working.")).toBeVisible()

  await seeSameChat([ada, bob], await talkAtOnce([ada, bob], 3, "canvas"))
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)

  await bob.page.evaluate(() => dispatchEvent(new Event("mend")))
  await bob.page.getByRole("button", { name: "Reload the board" }).click()
  await seesDrawing(bob, STROKE)
})

test("the rest works when parts of the page fail to load, and a reload restores them", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const parts = /\/assets\/(?:Board|InvitationCode)-[^/]*\.js$/u
  await bob.page.route(parts, (route) => route.abort())
  await meet(server.origin, ada, bob)
  await expect(bob.page.getByText("The whiteboard stopped working.")).toBeVisible()

  const show = bob.page.getByRole("button", { name: "Show QR code" }).first()
  await show.click()
  const note = bob.page.getByRole("alert").filter({ hasText: "This part of the page could not be loaded." })
  await expect(note).toBeVisible()
  await note.getByRole("button", { name: "Later" }).click()
  await expect(note).toBeHidden()
  await seeSameChat([ada, bob], await talkAtOnce([ada, bob], 2, "parts"))

  await bob.page.unroute(parts)
  await ada.board.draw(STROKE)
  await bob.page.getByRole("button", { name: "Reload the board" }).click()
  await bob.seesEncryptedFor(2)
  await seesDrawing(bob, STROKE)
  await show.click()
  await expect(bob.page.getByRole("dialog")).toBeVisible()
})

test("shows an invitation while the cryptography still loads, and enters when it has", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin)
  const link = await ada.copyLink()
  let release = (): void => undefined
  const released = new Promise<void>((done) => (release = done))
  let held = 0
  await bob.page.context().route(/\/assets\/libsodium-wrappers-/u, async (route) => {
    held++
    await released
    await route.continue()
  })

  await bob.page.goto(link)
  await expect(bob.page.locator(".invitation > .invitation-facts")).toContainText("Ada")
  await bob.type("Your name", "Bob")
  await bob.press("Join")
  await expect.poll(() => held).toBe(1)
  release()
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
})

test("says that this device keeps its copy if it cannot be deleted on leaving", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  // The engine's thread has its own storage interface. A message breaks it.
  await ada.page.route(/\/worker-[^/]+\.js$/u, async (route) => {
    const response = await route.fetch()
    const breaking = `new BroadcastChannel("disk").onmessage = () => {
      IDBObjectStore.prototype.delete = () => {
        throw new DOMException("The disk does not answer.", "UnknownError")
      }
    }`
    await route.fulfill({ response, body: `${breaking}\n${await response.text()}` })
  })
  await ada.start(server.origin)
  await ada.page.evaluate(() => new BroadcastChannel("disk").postMessage("break"))
  await ada.leave()
  await expect(ada.problem).toContainText("The copy of this conference on this device could not be deleted.")
  await ada.page.getByText("My conferences", { exact: true }).click()
  await expect(ada.page.locator(".kept")).toHaveCount(1)
})
