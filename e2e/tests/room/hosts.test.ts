import type { Locator } from "@playwright/test"
import { saved } from "../../support/files.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { seesDrawing, startApproval } from "../../support/scenes.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

const openPeople = (person: Person): Promise<void> => person.page.getByRole("tab", { name: "People" }).click()
const openChat = (person: Person): Promise<void> => person.page.getByRole("tab", { name: /^Chat/u }).click()

const STROKE = { x: 300, y: 300 }

/** Writes as soon as both are connected: before that, the line stays. */
async function writeLobbyMessage(where: Locator, label: string, text: string): Promise<void> {
  const line = where.getByLabel(label)
  await line.fill(text)
  await expect(async () => {
    await where.getByRole("button", { name: "Send", exact: true }).click()
    await expect(line).toHaveValue("", { timeout: 500 })
  }).toPass()
}

test("a host asks who knocks, lets one guest in, and refuses another with a reason", async ({ server, people }) => {
  const [ada, bob, eve] = [await people.arrive("Ada"), await people.arrive("Bob"), await people.arrive("Eve")]
  const link = await startApproval(server.origin, ada)
  await bob.page.goto(link)
  await expect(bob.page.getByText("Not verified: the name is what that person typed.")).toBeVisible()
  await expect(bob.page.getByText("whom a host lets in, one by one")).toBeVisible()
  await bob.type("Your name", "Bob")
  await bob.press("Join")
  await expect(bob.page.getByRole("heading", { name: "Waiting for a host" })).toBeVisible()
  await expect(ada.page.getByText("Bob wants to join.")).toBeVisible()
  await expect(ada.page).toHaveTitle("(1) Keymoot")
  await openPeople(ada)
  const waiting = ada.page.getByRole("region", { name: "Waiting to be let in" })
  await writeLobbyMessage(waiting, "Write to Bob", "Which Bob?")
  const toBob = bob.page.getByRole("log", { name: "Messages while waiting" })
  await expect(toBob).toContainText("Host: Which Bob?")
  await writeLobbyMessage(bob.page.getByRole("main"), "Write to the host", "Bob from the roof committee")
  await expect(waiting).toContainText("Bob: Bob from the roof committee")
  // The banner has this button, too.
  await waiting.getByRole("button", { name: "Let Bob in" }).click()
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()

  await eve.join(link)
  await expect(eve.page.getByRole("heading", { name: "Waiting for a host" })).toBeVisible()
  await writeLobbyMessage(waiting, "Write to Eve", "Only the committee meets today.")
  await expect(eve.page.getByText("Only the committee meets today.")).toBeVisible()
  await waiting.getByRole("button", { name: "Refuse Eve" }).click()
  await expect(eve.problem).toContainText("A host did not let you in.")
  await expect(eve.page.getByText("The host wrote: Only the committee meets today.")).toBeVisible()
  await openChat(ada)
  await ada.say("welcome")
  await expect.poll(() => bob.texts()).toEqual(["welcome"])
})

test("asks the only host to appoint another, and says where no host is left", async ({ server, people }) => {
  const [ada, bob, tom, eve] = [
    await people.arrive("Ada"),
    await people.arrive("Bob"),
    await people.arrive("Tom"),
    await people.arrive("Eve"),
  ]
  const link = await startApproval(server.origin, ada)
  await bob.join(link)
  await ada.press("Let Bob in")
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))

  await ada.leave()
  const dialog = ada.page.getByRole("alertdialog")
  await expect(dialog).toContainText("You are the only host. When you leave, nobody can let people in.")
  await ada.press("Make Bob a host")
  await expect(dialog).toContainText("Bob is a host now and can let people in.")
  await ada.press("Leave anyway")
  await expect(ada.page.getByRole("button", { name: "Start a conference" })).toBeVisible()

  await tom.join(link)
  await bob.press("Let Tom in")
  await Promise.all([bob, tom].map((person) => person.seesEncryptedFor(2)))
  await bob.leave()
  await bob.press("Leave anyway")
  await expect(tom.page.getByText("No host is here, so nobody new can come in.")).toBeVisible()
  await eve.join(link)
  await expect(eve.page.getByText("No host can see you at the moment, and only a host can let you in.")).toBeVisible()
})

test("a removed person cannot return, not even by the old link as another identity", async ({ server, people }) => {
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
  await expect(eve.problem).toContainText("A host removed you from this conference.")
  await expect(eve.page.getByRole("heading", { name: "You have been removed" })).toBeVisible()
  expect(JSON.parse(await saved(eve, "Save the board"))).toMatchObject({ elements: [{ type: "freedraw" }] })
  expect(await saved(eve, "Save the chat")).toContain("this was for Eve, too")
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()
  await openChat(bob)
  await expect(bob.page.getByRole("log").getByText("A host removed Eve.")).toBeVisible()

  await eve.join(oldLink)
  await expect(eve.problem).toContainText("A host removed you from this conference.")
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

test("offers a new host only what its rank allows", async ({ server, people }) => {
  const [ada, bob, tom] = [await people.arrive("Ada"), await people.arrive("Bob"), await people.arrive("Tom")]
  await ada.start(server.origin)
  const link = await ada.copyLink()
  for (const person of [bob, tom]) await person.join(link)
  await Promise.all([ada, bob, tom].map((person) => person.seesEncryptedFor(3)))
  for (const person of [ada, bob]) await openPeople(person)
  await ada.act("Tom", "Viewer")
  await ada.act("Bob", "Host")
  const row = (name: string): Locator => bob.page.getByRole("listitem").filter({ hasText: name })
  await expect(row("Ada")).toContainText("Host 1")
  await expect(row("Bob")).toContainText("Host 2")

  const menu = bob.page.getByRole("menu")
  await bob.press("More about Ada")
  await expect(menu.getByText("Ada is a higher host than you. You can’t change the role of Ada.")).toBeVisible()
  await expect(menu.getByRole("menuitem")).toHaveText(["Verify", "Follow"])
  await expect(menu.getByRole("menuitemradio")).toHaveCount(0)
  await bob.page.keyboard.press("Escape")
  await bob.press("More about Tom")
  await expect(menu.getByText("A higher host than you has set this role.")).toBeVisible()
  await expect(menu.getByRole("menuitem")).toHaveText(["Verify", "Follow", "Remove"])
  await expect(menu.getByRole("menuitemradio")).toHaveCount(0)
})

test("a viewer sees drawings, and cannot draw or write until a host allows it", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob", "firefox")]
  await ada.start(server.origin)
  await bob.join(await ada.copyLink())
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  const place = { x: 300, y: 300 }
  await ada.board.draw(place)
  await seesDrawing(bob, place)

  await openPeople(ada)
  await ada.act("Bob", "Viewer")
  await expect(bob.page.getByText("You can only watch here.")).toBeVisible()
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

test("with group-key proof only, the panel says so and nobody can be made a viewer", async ({ server, people }) => {
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
