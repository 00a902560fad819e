/** Actions of people on the pages of the examples, which have the same labels. */
import { expect } from "../fixtures.ts"
import type { People } from "../people.ts"
import type { Person } from "../person.ts"
import type { BrowserKind } from "../../browsers.ts"

export async function enter(person: Person, address: string): Promise<void> {
  await person.page.goto(address)
  await person.type("Your name", person.name)
  await person.press("Enter")
}

export async function say(person: Person, text: string): Promise<void> {
  await person.type("Message", text)
  await person.press("Send")
}

/** Ada opens the page, Bob the address that hers has then. */
export async function meet(
  people: People,
  address: string,
  browsers: { readonly ada?: BrowserKind; readonly bob?: BrowserKind } = {},
): Promise<[Person, Person]> {
  const ada = await people.arrive("Ada", browsers.ada)
  const bob = await people.arrive("Bob", browsers.bob)
  await enter(ada, address)
  await expect(ada.page.getByText("Encrypted for Ada.")).toBeVisible()
  await enter(bob, ada.page.url())
  const both = /^Encrypted for (?:Ada and Bob|Bob and Ada)\.$/u
  for (const { page } of [ada, bob]) await expect(page.getByText(both)).toBeVisible()
  return [ada, bob]
}

export async function talk(ada: Person, bob: Person): Promise<void> {
  await say(ada, "hello from here")
  await say(bob, "hello from there")
  for (const { page } of [ada, bob]) {
    await expect(page.getByText("Ada: hello from here")).toBeVisible()
    await expect(page.getByText("Bob: hello from there")).toBeVisible()
  }
}
