import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet, seeSameChat, seesDrawing, talkAtOnce } from "../../support/scenes.ts"

test("the server stops: people talk, draw and vote; it starts again: newcomers join", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  const link = await meet(server.origin, ada, bob)
  const unreachable = "Server unreachable. The conference goes on"
  // The board's letters come last, and are missed if they do not.
  // So does the panel of the votes.
  for (const { page } of [ada, bob]) {
    await page.getByRole("tab", { name: "Tools" }).click()
    await expect(page.getByRole("heading", { name: "Votes" })).toBeVisible()
    await page.waitForLoadState("networkidle")
  }

  await server.stop()
  for (const { page } of [ada, bob]) await expect(page.getByText(unreachable)).toBeVisible()
  await ada.press("New poll")
  await ada.type("Question", "Tea or cake?")
  await ada.type("Option 1", "Tea")
  await ada.type("Option 2", "Cake")
  await ada.press("Start")
  // It is drawn as chosen once it has been sent.
  for (const { page } of [bob, ada]) await page.getByRole("radio", { name: "Cake" }).click()
  const votes = (person: Person) => person.page.getByRole("group", { name: "Tea or cake?" }).locator(".poll-votes")
  for (const person of [ada, bob]) {
    await expect(votes(person)).toHaveText(["0 votes", "2 votes"])
    await person.page.getByRole("tab", { name: /^Chat/u }).click()
  }
  const texts = await talkAtOnce([ada, bob], 5, "freedom")
  await seeSameChat([ada, bob], texts)
  await ada.board.draw({ x: 350, y: 300 })
  await seesDrawing(bob, { x: 350, y: 300 })
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)

  await ada.press("Try now")
  await server.startAgain()
  for (const { page } of [ada, bob]) await expect(page.getByText(unreachable)).toBeHidden()
  const eve = await people.arrive("Eve")
  await eve.join(link)
  for (const person of [ada, bob, eve]) await person.seesEncryptedFor(3)
  await seeSameChat([ada, bob, eve], texts)
  await eve.page.getByRole("tab", { name: "Tools" }).click()
  await expect(votes(eve)).toHaveText(["0 votes", "2 votes"])
})

test("keeps name and settings for the next try when the server is down at the start", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.page.getByText("Options", { exact: true }).click()
  await ada.page.getByLabel("Newcomers see").selectOption("the board as it is, and new chat messages")
  // All of the page is here, the engine in its worker, too: otherwise it is a part of the page that is missed first.
  await ada.page.waitForLoadState("networkidle")
  await server.stop()
  await ada.press("Start a conference")
  await expect(ada.problem).toContainText("The server cannot be reached.")
  await server.startAgain()

  await ada.press("Start a conference")

  await ada.seesLock("Only you are here.")
  const bob = await people.arrive("Bob")
  await ada.say("before Bob")
  await bob.join(await ada.copyLink())
  await ada.seesEncryptedFor(2)
  await ada.say("after Bob")
  await expect.poll(() => bob.texts()).toEqual(["after Bob"])
  expect(await ada.people()).toEqual(["Ada (you)", "Bob"])
})

for (const [part, file] of [
  ["a part", "ConferenceScreen"],
  ["cryptography", "libsodium-wrappers"],
] as const)
  test(`the start screen reports ${part} that fails to load, and the next try works`, async ({ server, people }) => {
    const ada = await people.arrive("Ada")
    const context = ada.page.context()
    await context.route(`**/${file}-*.js`, (route) => route.abort())
    await ada.page.goto(server.origin)
    await ada.type("Your name", "Ada")
    await ada.press("Start a conference")
    await expect(ada.problem).toContainText("The server cannot be reached.")
    await context.unroute(`**/${file}-*.js`)
    await ada.press("Start a conference")
    await ada.seesLock("Only you are here.")
  })
