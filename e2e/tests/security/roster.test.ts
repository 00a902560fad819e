import { HostileServer, type Payload } from "../../support/security/hostile-server.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import {
  cardOf,
  findPeople,
  foundBy,
  meet,
  publish,
  seeSameChat,
  seesDrawing,
  talkAtOnce,
} from "../../support/scenes.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

test("majority: two of three meet, a late third catches up, and a stranger is refused", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  const cleo = await people.arrive("Cleo")
  const mallory = await people.arrive("Mallory")
  const cards = [await cardOf(bob, server.origin), await cardOf(cleo, server.origin)]

  await ada.page.goto(server.origin)
  await ada.type("Your name", "Ada")
  await ada.unfold("Cryptography")
  await ada.page.getByLabel("Key agreement").selectOption("Majority (of named people)")
  await ada.unfold("Options")
  await expect(ada.page.getByLabel("Who may join")).toHaveValue("roster")
  // Folded up, a mistake in it could not be seen.
  await ada.unfold("Options")
  await ada.press("Start a conference")
  await expect(ada.problem).toHaveText("Add the card of at least one other person.")
  await expect(ada.problem).toBeVisible()

  const field = ada.page.getByLabel("Paste somebody’s card")
  await field.fill(cards[0]!.slice(0, -20))
  await expect(ada.problem).toHaveText("This card is not complete. Copy it again, from its first letter to its last.")
  for (const card of cards) {
    await field.fill(card)
    await expect(field).toHaveValue("")
  }
  await expect(ada.page.getByRole("list", { name: "2 people besides you" }).getByRole("listitem")).toHaveText([
    "Bob",
    "Cleo",
  ])
  await ada.press("Start a conference")
  await expect(ada.page.getByText("One more person from the list has to join")).toBeVisible()
  const link = await ada.copyLink()

  await mallory.join(link)
  await expect(mallory.problem).toContainText("You are not on the guest list of this conference")
  await expect(mallory.page.getByRole("button", { name: "Copy my card" })).toBeVisible()

  await bob.join(link)
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
  const texts = await talkAtOnce([ada, bob], 3, "tea")
  await seeSameChat([ada, bob], texts)
  const place = { x: 350, y: 300 }
  await ada.board.draw(place)
  await seesDrawing(bob, place)
  await ada.page.getByRole("tab", { name: "People" }).click()
  await expect(ada.page.getByText("On the list, but not here: Cleo.")).toBeVisible()
  await expect(ada.page.getByText("People on the list who are away can know the key too")).toBeVisible()
  await ada.page.getByRole("tab", { name: /^Chat/u }).click()

  await cleo.join(link)
  await Promise.all([ada, bob, cleo].map((person) => person.seesEncryptedFor(3)))
  await seesDrawing(cleo, place)
  await expect.poll(async () => (await cleo.texts()).toSorted()).toEqual(texts.toSorted())
  expect(await cleo.conferenceCode()).toBe(await ada.conferenceCode())
})

/** The page fills in the stored name a moment after it is there. */
async function knowsOwnName({ page, name }: Person): Promise<void> {
  await expect(page.getByLabel("Your name", { exact: true })).toHaveValue(name)
}

async function lookForNamed(person: Person): Promise<void> {
  await person.unfold("My conferences")
  await person.press("Look for conferences that name me")
}

const namedFor = ({ page }: Person) =>
  page.getByRole("list", { name: "Conferences that name me" }).getByRole("listitem")

test("people find each other in the directory, and a lying server convinces nobody", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  for (const person of [bob, ada]) {
    await cardOf(person, server.origin)
    await publish(person)
  }

  const search = async (origin: string): Promise<void> => {
    await ada.page.goto(origin)
    await findPeople(ada, "bo")
  }
  const results = foundBy(ada)
  const add = ada.page.getByRole("button", { name: "Add Bob to the guest list" })

  const hostile = await HostileServer.start(server.origin)
  try {
    let bobs = ""
    hostile.treachery = {
      reply: (name, reply) => {
        if (name === "participant:list") bobs = (reply["entries"] as { fingerprint: string }[])[0]!.fingerprint
        return name === "participant:get" ? { ok: true, certificate: new Uint8Array(300) } : reply
      },
    }
    await search(hostile.origin)
    await expect(results).toContainText("Not verified: the server’s answer is incomplete or wrong.")
    await expect(add).toHaveCount(0)

    const startsAtMs = Date.now()
    const invented = { id: "0".repeat(32), startsAtMs, endsAtMs: startsAtMs + 3_600_000, creator: bobs }
    const lies: Record<string, Payload> = {
      "participant:prove": { ok: true },
      "conference:list": { ok: true, entries: [invented] },
      "conference:get": { ok: true, descriptor: new Uint8Array(300) },
    }
    hostile.treachery = { reply: (name, reply) => lies[name] ?? reply }
    await ada.type("Your name", "Ada")
    await lookForNamed(ada)
    await expect(namedFor(ada)).toContainText(/By Bob.*Not verified: the server says so, and no signature proves it\./u)
    await expect(namedFor(ada)).not.toContainText("To join, you need the link")
  } finally {
    await hostile.close()
  }

  await search(server.origin)
  await expect(results).toContainText(/Bob\s*Not verified · [0-9a-f]{4}(?: [0-9a-f]{4}){3}/u)
  await add.click()
  await expect(ada.page.getByRole("list", { name: "1 person besides you" })).toContainText("Bob")
  await ada.page.getByLabel("Show this conference to the people on the list").check()
  await knowsOwnName(ada)
  await ada.press("Start a conference")
  await ada.seesLock("Only you are here.")
  const link = await ada.copyLink()

  await bob.page.reload()
  await knowsOwnName(bob)
  await lookForNamed(bob)
  const named = namedFor(bob)
  await expect(named).toContainText(/By Ada.*Not verified · [0-9a-f]{4}(?: [0-9a-f]{4}){3}/u)
  await expect(named).not.toContainText("no signature proves it")
  await bob.join(link)
  await Promise.all([ada, bob].map((person) => person.seesEncryptedFor(2)))
})

test("the directory shows verified people and an impostor, until a renamed one leaves", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await meet(server.origin, ada, bob)
  await ada.compareCodesWith("Bob")
  await ada.press("They are the same")
  await ada.page.keyboard.press("Escape")
  await bob.leave()
  await publish(bob)
  const impostor = await people.arrive("Bob")
  await cardOf(impostor, server.origin)
  await publish(impostor)

  await ada.seesLock("Only you are here.")
  await ada.leave()
  await findPeople(ada, "bo")
  const found = foundBy(ada)
  const verified = found.filter({ hasText: "Verified by you" })
  const changed = found.filter({
    hasText: /Not the key that you verified for this name · [0-9a-f]{4}(?: [0-9a-f]{4}){3}/u,
  })
  await expect(found).toHaveCount(2)
  await expect(verified).toHaveCount(1)
  await expect(changed).toHaveCount(1)

  await bob.page.getByLabel("Name of this identity").fill("Robert")
  await bob.press("Rename")
  await bob.unfold("Let others find me by name")
  await expect(bob.page.getByText("Others find you as Bob.")).toBeVisible()
  await bob.press("Take me out of the directory")
  await expect(bob.page.getByText("You are not in this server’s directory.")).toBeVisible()
  await ada.press("Search")
  await expect(found).toHaveCount(1)
  await expect(changed).toHaveCount(1)
})
