import { readFile } from "node:fs/promises"
import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"
import { seesDrawing } from "../support/scenes.ts"

const openPeople = (person: Person): Promise<void> => person.page.getByRole("tab", { name: "People" }).click()
const openChat = (person: Person): Promise<void> => person.page.getByRole("tab", { name: /^Chat/u }).click()

const STROKE = { x: 300, y: 300 }

async function saved(person: Person, button: string): Promise<string> {
  const [file] = await Promise.all([person.page.waitForEvent("download"), person.press(button)])
  return readFile(await file.path(), "utf8")
}

test("a guest knocks, and waits; the host lets the guest in and turns another away", async ({ server, people }) => {
  const [ada, bob, eve] = [await people.arrive("Ada"), await people.arrive("Bob"), await people.arrive("Eve")]
  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.page.getByText("Advanced").click()
  await ada.page.getByLabel("Who may enter").selectOption("whom I let in, one by one")
  await ada.press("Start a conference")
  await ada.seesLock("Only you are here.")
  const link = await ada.copyLink()

  await bob.page.goto(link)
  await expect(bob.page.getByText("Not verified: the name is what that person typed.")).toBeVisible()
  await expect(bob.page.getByText("is let in by a host, one by one")).toBeVisible()
  await bob.type("Your name", "Bob")
  await bob.press("Join")
  await expect(bob.page.getByRole("heading", { name: "Waiting for a host" })).toBeVisible()
  await expect(ada.page.getByText("Bob wants to come in.")).toBeVisible()
  await openPeople(ada)
  await ada.press("Let Bob in")
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()

  await eve.join(link)
  await expect(eve.page.getByRole("heading", { name: "Waiting for a host" })).toBeVisible()
  await ada.press("Refuse Eve")
  await expect(eve.problem).toContainText("A host did not let you in.")
  await openChat(ada)
  await ada.say("welcome")
  await expect.poll(() => bob.texts()).toEqual(["welcome"])
})

test("somebody is removed, and gets back in neither as before nor with the old link under another identity", async ({
  server,
  people,
}) => {
  const [ada, bob, eve, eva] = [
    await people.arrive("Ada"),
    await people.arrive("Bob"),
    await people.arrive("Eve"),
    await people.arrive("Eva"),
  ]
  await ada.start(server.origin)
  const oldLink = await ada.copyLink()
  for (const person of [bob, eve]) await person.join(oldLink)
  await Promise.all([ada, bob, eve].map((person) => person.seesEncryptedFor(3)))

  await ada.board.draw(STROKE)
  await seesDrawing(eve, STROKE)
  await ada.say("this was for Eve, too")
  await expect.poll(() => eve.texts()).toEqual(["this was for Eve, too"])

  await openPeople(ada)
  await ada.act("Eve", "Remove")
  await ada.press("Remove for good")
  await expect(eve.problem).toContainText("A host has removed you from this conference.")
  await expect(eve.page.getByRole("heading", { name: "You have been removed" })).toBeVisible()
  expect(JSON.parse(await saved(eve, "Save the board"))).toMatchObject({ elements: [{ type: "freedraw" }] })
  expect(await saved(eve, "Save the conversation")).toContain("this was for Eve, too")
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()
  await openChat(bob)
  await expect(bob.page.getByRole("log").getByText("A host removed Eve.")).toBeVisible()

  await eve.join(oldLink)
  await expect(eve.problem).toContainText("A host has removed you from this conference.")
  await eva.join(oldLink)
  await expect(eva.page.getByRole("heading", { name: "Waiting for a host" })).toBeVisible()
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))

  const newLink = await bob.copyLink()
  expect(newLink).not.toBe(oldLink)
  await eva.page.getByRole("button", { name: "Stop waiting" }).click()
  await expect(eva.page.getByRole("button", { name: "Start a conference" })).toBeVisible()
  await eva.join(newLink)
  await Promise.all([ada, bob, eva].map((person) => person.seesEncryptedFor(3)))
})

test("a viewer sees what others draw, and can neither draw nor write until a host says so", async ({
  server,
  people,
}) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob", "firefox")]
  await ada.start(server.origin)
  await bob.join(await ada.copyLink())
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  const place = { x: 300, y: 300 }
  await ada.board.draw(place)
  await seesDrawing(bob, place)

  await openPeople(ada)
  await ada.act("Bob", "Viewer")
  await expect(bob.page.getByText("You can look on here.")).toBeVisible()
  await expect(bob.page.getByLabel("Message", { exact: true })).toBeHidden()
  const elsewhere = { x: 300, y: 450 }
  await ada.board.draw(elsewhere)
  await seesDrawing(bob, elsewhere)
  // In view mode the tools are gone.
  await expect(bob.page.getByTestId("toolbar-freedraw")).toBeHidden()

  await ada.act("Bob", "Editor")
  await expect(bob.page.getByLabel("Message", { exact: true })).toBeVisible()
  await openChat(bob)
  await bob.say("thank you")
  await openChat(ada)
  await expect.poll(() => ada.texts()).toEqual(["thank you"])
})

test("where only the group’s key proves who drew, the panel says so, people draw and talk, and nobody is made a viewer", async ({
  server,
  people,
}) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  await ada.start(server.origin, { provedBy: "the group’s key only" })
  await bob.join(await ada.copyLink())
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  const place = { x: 300, y: 300 }
  await bob.board.draw(place)
  await seesDrawing(ada, place)
  await bob.say("drawn")
  await expect.poll(() => ada.texts()).toEqual(["drawn"])
  await bob.lock.click()
  await expect(bob.page.getByRole("dialog", { name: "Security" })).toContainText("the group’s key only")

  await openPeople(ada)
  await ada.press("More about Bob")
  const menu = ada.page.getByRole("menu")
  await expect(menu.getByRole("menuitemradio")).toHaveText(["Host", "Editor"])
})
