import type { Page } from "@playwright/test"
import { expect, test } from "../support/fixtures.ts"
import { DESKTOP, flaws, openStories, PHONE, TOUCH_PX, violations } from "./looks.ts"
import type { Stories } from "./looks.ts"

const LANGUAGES = {
  "en-GB": {
    more: "More",
    change: "Edit",
    delete: "Delete",
    people: "People",
    about: "More about Bob",
    codes: "Codes",
    words: "Words",
    scan: "Scan",
    security: "Security",
    details: "Details",
    settings: "Settings",
    keyboard: "Keyboard",
    diagnostics: "Diagnostics",
    invitation: "Show QR code",
    remove: "Remove",
    call: "Call",
    devices: "Devices",
  },
  "de-DE": {
    more: "Mehr",
    change: "Bearbeiten",
    delete: "Löschen",
    people: "Personen",
    about: "Mehr zu Bob",
    codes: "Codes",
    words: "Wörter",
    scan: "Scannen",
    security: "Sicherheit",
    details: "Einzelheiten",
    settings: "Einstellungen",
    keyboard: "Tastatur",
    diagnostics: "Diagnose",
    invitation: "QR-Code zeigen",
    remove: "Entfernen",
    call: "Anruf",
    devices: "Geräte",
  },
} as const
type Words = (typeof LANGUAGES)[keyof typeof LANGUAGES]

/** Expandable parts in a conference of three: how to reach each, and what is then visible. */
const PARTS: Readonly<
  Record<string, { readonly reach: (page: Page, words: Words) => Promise<void>; readonly sees: string }>
> = {
  "message menu": { reach: openMenu, sees: ".menu .emoji-row" },
  "message to be deleted": {
    reach: async (page, words) => {
      await openMenu(page, words)
      await page.locator(".menu").getByRole("button", { name: words.delete }).click()
    },
    sees: ".menu .hint",
  },
  "message being changed": {
    reach: async (page, words) => {
      await openMenu(page, words)
      await page.locator(".menu").getByRole("button", { name: words.change }).click()
    },
    sees: ".messages textarea",
  },
  emoji: { reach: (page) => page.getByRole("button", { name: "Emoji" }).click(), sees: ".popover .emoji" },
  "person menu": { reach: openPerson, sees: "[role=menu]" },
  "person to be removed": {
    reach: async (page, words) => {
      await openPerson(page, words)
      await page.getByRole("menuitem", { name: words.remove }).click()
    },
    sees: "[role=alertdialog], [role=dialog]",
  },
  security: {
    reach: async (page, { security, details }) => {
      await page.getByRole("button", { name: security, exact: true }).click()
      await page.getByText(details, { exact: true }).click()
    },
    sees: ".popover .key-picture",
  },
  "codes as digits": { reach: openCodes, sees: ".pair-digits" },
  "codes as words": {
    reach: async (page, words) => {
      await openCodes(page, words)
      await page.getByRole("tab", { name: words.words }).click()
    },
    sees: ".pair-words",
  },
  "codes to be scanned": {
    reach: async (page, words) => {
      await openCodes(page, words)
      await page.getByRole("tab", { name: words.scan }).click()
    },
    sees: "[role=dialog] svg",
  },
  settings: {
    reach: async (page, { settings, keyboard }) => {
      await page.getByRole("button", { name: settings, exact: true }).click()
      await page.getByText(keyboard, { exact: true }).click()
    },
    sees: ".shortcuts",
  },
  diagnostics: {
    reach: async (page, { settings, diagnostics }) => {
      await page.getByRole("button", { name: settings, exact: true }).click()
      await page.getByRole("button", { name: diagnostics, exact: true }).click()
    },
    sees: ".diagnostics .facts",
  },
  invitation: {
    reach: async (page, { people, invitation }) => {
      await page.getByRole("tab", { name: people }).click()
      // In the bar, and on a phone among the people.
      await page.getByRole("button", { name: invitation }).filter({ visible: true }).click()
    },
    sees: "[role=dialog] svg",
  },
  "call devices": {
    reach: async (page, { call, devices }) => {
      await page.getByRole("button", { name: call, exact: true }).click()
      await page.getByRole("button", { name: devices, exact: true }).click()
    },
    sees: ".popover",
  },
  help: {
    reach: async (page) => {
      await page.locator(".lock, header").first().focus()
      await page.keyboard.press("?")
    },
    sees: "[role=dialog]",
  },
}

async function openMenu(page: Page, { more }: Words): Promise<void> {
  const mine = page.getByRole("log").locator("article").filter({ hasText: "The north side first" })
  await mine.getByRole("button", { name: more, exact: true }).click()
}

async function openPerson(page: Page, { people, about }: Words): Promise<void> {
  await page.getByRole("tab", { name: people }).click()
  await page.getByRole("button", { name: about, exact: true }).click()
}

async function openCodes(page: Page, words: Words): Promise<void> {
  await openPerson(page, words)
  await page.getByRole("menuitem", { name: words.codes }).click()
}

let stories: Stories

test.beforeAll(async () => {
  test.setTimeout(300_000)
  stories = await openStories()
})
test.afterAll(() => stories.close())

for (const locale of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) {
  test(`expandable parts fit the screen and have names, also on a phone (${locale})`, async ({ people }, info) => {
    test.setTimeout(1_800_000) // Some forty looks of axe, of seconds each.
    const { page } = await people.arrive("Ada", "chromium", { locale })
    for (const [part, { reach, sees }] of Object.entries(PARTS)) {
      for (const [look, viewport, colorScheme, touchPx] of [
        ["light", DESKTOP, "light", 0],
        ["dark", DESKTOP, "dark", 0],
        ["phone", PHONE, "light", TOUCH_PX],
      ] as const) {
        await page.setViewportSize(DESKTOP)
        await page.emulateMedia({ colorScheme })
        await page.goto(`${stories.origin}/?state=secured`)
        await expect(page.locator(".excalidraw").first()).toBeVisible()
        await page.setViewportSize(viewport)
        await reach(page, LANGUAGES[locale])
        await expect(page.locator(sees).first(), part).toBeVisible()
        await page.screenshot({ path: info.outputPath(`${part} ${look}.png`), animations: "disabled" })
        expect.soft(await violations(page), `${part}, ${look}`).toEqual([])
        expect.soft(await flaws(page, touchPx), `${part}, ${look}`).toEqual([])
      }
    }
  })
}
