import type { Locator, Page } from "@playwright/test"

/** Stands for any value in a text, such as a time. */
export const ANY = "§"

export type Values = Readonly<Record<string, string | number | readonly string[]>>

/** A text of the page in its language, by its key among the texts. */
export type TextOf = (key: string, values?: Values) => Promise<string>

export type At = { readonly page: Page; readonly text: TextOf }

/** The evidence that a screen has arrived: a text of the page, words of the story, or an element. */
export type Sign =
  string | readonly [key: string, values: Values] | { readonly words: string } | { readonly css: string }

export type Screen = {
  readonly sees: Sign
  /** Name of the story, if it is not that of the screen. */
  readonly story?: string
  /** The steps of a person to get there. */
  readonly reach?: (at: At) => Promise<unknown>
  /** Whether the side panel is open on a phone. By default it is with `reach`. */
  readonly panel?: boolean
  /** Long texts side by side: also shown in the languages that the other screens leave out. */
  readonly wide?: true
}

export type Screens = Readonly<Record<string, Screen>>

export function textsOf(page: Page): TextOf {
  return (key, values = {}) =>
    page.evaluate(([key, values]) => (window as unknown as Stories).textOf(key, values), [key, values] as const)
}

type Stories = { readonly textOf: (key: string, values: Values) => string }

export async function signOf({ page, text }: At, sign: Sign): Promise<Locator> {
  if (typeof sign === "object" && "css" in sign) return page.locator(sign.css).first()
  if (typeof sign === "object" && "words" in sign) return page.getByText(sign.words).first()
  const said = typeof sign === "string" ? await text(sign) : await text(...sign)
  const longest = said.split(ANY).toSorted((one, other) => other.length - one.length)[0] ?? ""
  return page.getByText(longest.trim()).first()
}

type Role = Parameters<Page["getByRole"]>[0]

/** Presses the control with this name. On a phone another one with the same name may be hidden. */
export async function press({ page, text }: At, role: Role, key: string, values: Values = {}): Promise<void> {
  const name = await text(key, values)
  await page.getByRole(role, { name, exact: true }).filter({ visible: true }).first().click()
}

/** Opens a part of a page that is folded. */
export async function unfold({ page, text }: At, key: string): Promise<void> {
  await page.getByText(await text(key), { exact: true }).click()
}

export async function showPeople({ page, text }: At): Promise<void> {
  // Its name also says how many people wait.
  return page.getByRole("tab", { name: await text("bar.people") }).click()
}

export async function openPerson(at: At, name: string): Promise<void> {
  await showPeople(at)
  await press(at, "button", "people.more", { name })
}

/** The menu of the message with these words. */
export async function openMessage(at: At, words: string): Promise<void> {
  const message = at.page.getByRole("log").locator("article").filter({ hasText: words })
  await message.getByRole("button", { name: await at.text("chat.more"), exact: true }).click()
}
