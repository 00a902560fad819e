import { expect, test } from "../support/fixtures.ts"
import { cardOf, seeSameChat, seesDrawing, talkAtOnce } from "../support/scenes.ts"

test("three named people under majority: two meet and draw, the third comes late and sees it, a stranger with the link is told why not", async ({
  server,
  people,
}) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  const cleo = await people.arrive("Cleo")
  const mallory = await people.arrive("Mallory")
  const cards = [await cardOf(bob, server.origin), await cardOf(cleo, server.origin)]

  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.page.getByText("Advanced").click()
  await ada.page.getByLabel("Key agreement").selectOption("Majority (of named people)")
  await expect(ada.page.getByLabel("Who may enter")).toHaveValue("roster")
  await ada.press("Start a conference")
  await expect(ada.problem).toHaveText("Add the card of at least one other person.")

  const field = ada.page.getByLabel("Paste somebody’s card")
  await field.fill(cards[0]!.slice(0, -20))
  await expect(ada.problem).toHaveText("This is not a whole card. Copy it again, from its first letter to its last.")
  for (const card of cards) {
    await field.fill(card)
    await expect(field).toHaveValue("")
  }
  await expect(ada.page.getByRole("list", { name: "2 people besides you" }).getByRole("listitem")).toHaveText([
    "Bob",
    "Cleo",
  ])
  await ada.press("Start a conference")
  await expect(ada.page.getByText("One more of the named people has to come")).toBeVisible()
  const link = await ada.copyLink()

  await mallory.join(link)
  await expect(mallory.problem).toContainText("You are not on the list of this conference")

  await bob.join(link)
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  const texts = await talkAtOnce([ada, bob], 3, "tea")
  await seeSameChat([ada, bob], texts)
  const place = { x: 350, y: 300 }
  await ada.board.draw(place)
  await seesDrawing(bob, place)
  await ada.page.getByRole("tab", { name: "People" }).click()
  await expect(ada.page.getByText("Named, and not here: Cleo.")).toBeVisible()
  await expect(ada.page.getByText("Named people who are away can know the key too")).toBeVisible()
  await ada.page.getByRole("tab", { name: /^Chat/u }).click()

  await cleo.join(link)
  await Promise.all([ada, bob, cleo].map((person) => person.seesEncryptedFor(3)))
  await seesDrawing(cleo, place)
  await expect.poll(async () => (await cleo.texts()).toSorted()).toEqual(texts.toSorted())
  expect(await cleo.conferenceCode()).toBe(await ada.conferenceCode())
})
