import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { invite, meet, seeSameChat, seesDrawing, talkAtOnce } from "../../support/scenes.ts"

const STROKE = { x: 350, y: 300 } as const

test("under CKD, a newcomer sees the board and earlier messages, marked as passed on", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin, { keyAgreement: "ckd" })
  const link = await invite(ada, bob)
  const before = await talkAtOnce([ada, bob], 5, "tea")
  await ada.board.draw(STROKE)
  await seesDrawing(bob, STROKE)
  const epochOfTwo = await ada.epoch()

  const eve = await people.arrive("Eve", "firefox")
  await eve.join(link)
  const all = [ada, bob, eve]
  await Promise.all(all.map((person) => person.seesEncryptedFor(3)))

  await seeSameChat(all, before)
  expect((await eve.said()).every(({ transferred }) => transferred)).toBe(true)
  expect((await bob.said()).some(({ transferred }) => transferred)).toBe(false)
  await seesDrawing(eve, STROKE)
  expect(await eve.people()).toEqual(["Ada", "Bob", "Eve (you)"])
  expect(await ada.epoch()).toBeGreaterThan(epochOfTwo)

  const after = await talkAtOnce(all, 5, "cake")
  await seeSameChat(all, [...before, ...after])
  expect((await eve.said()).filter(({ transferred }) => transferred)).toHaveLength(before.length)
})

test("newcomers see the board but no earlier messages when history is off", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await ada.start(server.origin, { history: "the board as it is, and new chat messages" })
  const link = await ada.copyLink()
  await ada.say("Ada talks to herself")
  await expect.poll(() => ada.texts()).toEqual(["Ada talks to herself"])

  await ada.board.draw(STROKE)

  await bob.join(link)
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  await seesDrawing(bob, STROKE)
  await ada.say("Ada greets")
  // The history transfer precedes later messages, so it is complete when this one has arrived.
  await expect.poll(() => bob.texts()).toEqual(["Ada greets"])
  await bob.page.reload()
  await bob.seesEncryptedFor(2)
  await ada.say("Ada goes on")
  await expect.poll(async () => (await bob.texts()).at(-1)).toBe("Ada goes on")
  expect(await bob.texts()).not.toContain("Ada talks to herself")
})

test("under BD, the others agree on a new key when somebody closes the tab", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  await ada.start(server.origin, { keyAgreement: "bd" })
  await invite(ada, bob, eve)
  const epochOfThree = await ada.epoch()
  const codeOfThree = await ada.conferenceCode()

  await eve.page.close()

  for (const person of [ada, bob]) await person.seesEncryptedFor(2)
  expect(await ada.epoch()).toBeGreaterThan(epochOfThree)
  expect(await bob.epoch()).toBe(await ada.epoch())
  expect(await ada.conferenceCode()).not.toBe(codeOfThree)
  expect(await bob.people()).toEqual(["Ada", "Bob (you)"])
  await seeSameChat([ada, bob], await talkAtOnce([ada, bob], 3, "tea"))
})

/** Sends what waits for an answer because somebody joined. Resolves with the texts. */
async function sendAnyway(person: Person): Promise<string[]> {
  await expect(person.page.locator('article[data-pending="sending"]')).toHaveCount(0)
  const waiting = person.page.locator('article[data-pending="failed"]')
  const texts = await waiting.locator("> p").allTextContents()
  for (const _ of texts) await waiting.getByRole("button", { name: "Send anyway" }).first().click()
  await expect(waiting).toHaveCount(0)
  return texts
}

test("keeps all that is typed while people come and go, once and in one order", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const eve = await people.arrive("Eve")
  const link = await meet(server.origin, ada, bob)

  const enough = new AbortController()
  const talk = async (person: typeof ada): Promise<string[]> => {
    const texts: string[] = []
    while (!enough.signal.aborted && texts.length < 80) {
      const text = `${person.name} says ${texts.length}`
      // Key by key: people come and go in the middle of a word.
      await person.type("Message", text)
      await person.page.keyboard.press("Enter")
      texts.push(text)
    }
    return texts
  }
  const talks = Promise.all([talk(ada), talk(bob)])
  for (let round = 0; round < 2; round++) {
    await eve.join(link)
    await eve.seesEncryptedFor(3)
    await eve.leave()
    await expect(eve.page.getByRole("button", { name: "Start a conference" })).toBeVisible()
    await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  }
  enough.abort()
  const texts = (await talks).flat()
  // A message that waited while Eve came asks its author first, and leaves later than it was typed.
  const askedAbout = [...(await sendAnyway(ada)), ...(await sendAnyway(bob))]

  await seeSameChat([ada, bob], texts, askedAbout)
  // A later newcomer receives the same messages in the same order.
  await eve.join(link)
  await eve.seesEncryptedFor(3)
  await seeSameChat([ada, bob, eve], texts, askedAbout)
})
