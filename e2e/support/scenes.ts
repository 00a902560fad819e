import { expect, type Locator } from "@playwright/test"
import type { Person } from "./person.ts"

/** `creator` starts a conference and everybody else joins by the copied link, one after the other. Resolves with the link. */
export async function meet(origin: string, creator: Person, ...others: readonly Person[]): Promise<string> {
  await creator.start(origin)
  return invite(creator, ...others)
}

/** The same in a conference that `creator` has started. */
export async function invite(creator: Person, ...others: readonly Person[]): Promise<string> {
  const link = await creator.copyLink()
  for (const [index, other] of others.entries()) {
    await other.join(link)
    const present = [creator, ...others.slice(0, index + 1)]
    await Promise.all(present.map((person) => person.seesEncryptedFor(present.length)))
  }
  return link
}

/** Starts a conference whose host lets people in. Returns its link. */
export async function startApproval(origin: string, host: Person): Promise<string> {
  await host.page.goto(origin)
  await host.type("Your name", host.name)
  await host.unfold("Options")
  await host.page.getByLabel("Who may join").selectOption("people I let in, one by one")
  await host.press("Start a conference")
  await host.seesLock("Only you are here.")
  return host.copyLink()
}

/** Each says `count` things at the same time as the others; resolves with all texts. */
export async function talkAtOnce(people: readonly Person[], count: number, topic: string): Promise<string[]> {
  const speeches = await Promise.all(
    people.map(async (person) => {
      const texts = Array.from({ length: count }, (_, index) => `${person.name} on ${topic} ${index}`)
      for (const text of texts) await person.say(text)
      return texts
    }),
  )
  return speeches.flat()
}

/**
 * Waits until `texts` are in every member's chat, each exactly once and under the name it begins with. The order is the
 * same for all, and each author's texts are in the order of writing, except for those that were sent `later`.
 */
export async function seeSameChat(
  people: readonly Person[],
  texts: readonly string[],
  later: readonly string[] = [],
): Promise<void> {
  for (const person of people) {
    await expect
      .poll(async () => (await person.texts()).toSorted(), { message: `what ${person.name} reads` })
      .toEqual(texts.toSorted())
  }
  const [first, ...rest] = people
  const order = await first?.texts()
  for (const person of rest) expect(await person.texts(), `the order that ${person.name} reads`).toEqual(order)
  for (const person of people) {
    for (const { from, text } of await person.said()) expect(text.startsWith(`${from} `), text).toBe(true)
  }
  for (const author of people) {
    const byAuthor = (text: string) => text.startsWith(`${author.name} `) && !later.includes(text)
    expect(order?.filter(byAuthor), `what ${author.name} said`).toEqual(texts.filter(byAuthor))
  }
}

/** The data that `person` sends to the creator of a conference for named people. */
export async function cardOf(person: Person, origin: string): Promise<string> {
  await person.page.goto(origin)
  await person.type("Your name", person.name)
  await person.page.getByText("My card for a guest list", { exact: true }).click()
  await person.press("Copy my card")
  const card = person.page.getByLabel(`Card of ${person.name}`)
  await expect(card).toHaveValue(/^keymoot-card-1\.[\w-]+$/u)
  return card.inputValue()
}

/** `creator` starts a conference for the two, in which there is no key before the other has come. */
export async function startMajority(origin: string, creator: Person, other: Person): Promise<void> {
  const card = await cardOf(other, origin)
  await creator.page.goto(origin)
  await creator.type("Your name", creator.name)
  await creator.unfold("Cryptography")
  await creator.page.getByLabel("Key agreement").selectOption("Majority (of named people)")
  await creator.unfold("Options")
  const field = creator.page.getByLabel("Paste somebody’s card")
  await field.fill(card)
  await expect(field).toHaveValue("")
  await creator.press("Start a conference")
  await expect(creator.page.getByText("One more person from the list has to join")).toBeVisible()
}

export async function seesDrawing(person: Person, place: { x: number; y: number }): Promise<void> {
  await expect.poll(() => person.board.shows(place), { message: `${person.name} sees the stroke` }).toBe(true)
}

/** On the start page, with an identity. */
export async function publish(person: Person): Promise<void> {
  await person.press("Settings")
  await person.unfold("Let others find me by name")
  await expect(person.page.getByText("You are not in this server’s directory.")).toBeVisible()
  await person.press("Put me in the directory")
  await expect(person.page.getByText(`everybody who asks it will see the name ${person.name}`)).toBeVisible()
  await person.press("Yes, publish my name")
  await expect(person.page.getByText(`Others find you as ${person.name}.`)).toBeVisible()
}

/** On the start page, for a guest list. */
export async function findPeople(person: Person, beginning: string): Promise<void> {
  await person.unfold("Options")
  await person.page.getByLabel("Who may join").selectOption("roster")
  await person.unfold("Find people in this server’s directory")
  await person.type("Beginning of the name", beginning)
  await person.press("Search")
}

/** The people that the directory has returned. */
export function foundBy({ page }: Person): Locator {
  return page.getByRole("list", { name: "People found" }).getByRole("listitem")
}
