import type { Page } from "@playwright/test"
import { expect, test } from "./fixtures.ts"
import { violations } from "../support/axe.ts"
import { coveredTiles, DESKTOP, flaws, PHONE, TOUCH_PX } from "./looks.ts"
import { press, type Screen, type Screens, showPeople, signOf, textsOf } from "./screen.ts"
import { call } from "./screens/call.ts"
import { outside } from "./screens/outside.ts"
import { people } from "./screens/people.ts"
import { inRoom } from "./screens/room.ts"
import { trouble } from "./screens/trouble.ts"

const GROUPS: Readonly<Record<string, Screens>> = { outside, room: inRoom, people, call, trouble }

/** A dark look follows a light one of the same size. */
type Look = { readonly name: string; readonly phone: boolean; readonly dark: boolean; readonly axe: boolean }

const LIGHT: Look = { name: "light", phone: false, dark: false, axe: true }
const DARK: Look = { name: "dark", phone: false, dark: true, axe: true }
const ON_PHONE: Look = { name: "phone", phone: true, dark: false, axe: true }

/** Colours, which only axe sees, are the same in each language: it looks at the dark ones once. */
const LANGUAGES: Readonly<Record<string, { readonly looks: readonly Look[]; readonly onlyWide: boolean }>> = {
  en: { looks: [LIGHT, DARK, ON_PHONE], onlyWide: false },
  de: { looks: [LIGHT, DARK, ON_PHONE].map((look) => ({ ...look, axe: !look.dark })), onlyWide: false },
  // English in Arabic letters: see `pseudoArabic.ts`.
  ar: { looks: [LIGHT, ON_PHONE], onlyWide: false },
  fr: { looks: [LIGHT, ON_PHONE].map((look) => ({ ...look, axe: false })), onlyWide: true },
  es: { looks: [LIGHT, ON_PHONE].map((look) => ({ ...look, axe: false })), onlyWide: true },
  ja: { looks: [LIGHT, ON_PHONE].map((look) => ({ ...look, axe: false })), onlyWide: true },
}

const origin = (): string => process.env["STORIES"] ?? ""

test("every story is a screen of the gallery", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await page.goto(origin() + "/")
  const stories = JSON.parse((await page.locator("body").textContent()) ?? "") as string[]
  const screens = Object.values(GROUPS).flatMap((group) => Object.entries(group))
  const shown = new Set(screens.map(([name, { story = name }]) => story))
  expect(stories.toSorted()).toEqual([...shown].toSorted())
  console.log(`${stories.length} stories, ${screens.length} screens`)
})

for (const [language, { looks, onlyWide }] of Object.entries(LANGUAGES)) {
  for (const [group, screens] of Object.entries(GROUPS)) {
    test(`screens of ${group} fit and have names (${language})`, async ({ people }, info) => {
      test.setTimeout(3_600_000) // Some hundred looks of axe, of seconds each.
      const { page } = await people.arrive("Ada")
      const chosen = Object.entries(screens).filter(([, { wide = false }]) => wide || !onlyWide)
      for (const [name, screen] of chosen)
        for (const look of looks)
          await test.step(`${name}, ${look.name}`, async () => {
            await page.emulateMedia({ colorScheme: look.dark ? "dark" : "light" })
            // In the dark it stays where it is. A screen that cannot be reached must not hide the others.
            const problem = look.dark
              ? null
              : await show(page, language, name, screen, look.phone).then(() => null, String)
            expect.soft(problem, `${name}, ${look.name}`).toBeNull()
            await page.screenshot({
              path: info.outputPath(`${name} ${look.name}.png`),
              animations: "disabled",
              fullPage: true,
            })
            const rules = look.dark ? "in other colours" : "anything"
            const found = look.axe ? await violations(page, { without: ".excalidraw" }, rules) : []
            expect.soft(found, `axe: ${name}, ${look.name}`).toEqual([])
            expect.soft(await flaws(page, look.phone ? TOUCH_PX : 0), `${name}, ${look.name}`).toEqual([])
          })
      const byAxe = looks.filter(({ axe }) => axe).length
      console.log(
        `${language}, ${group}: ${chosen.length} screens, each ${looks.map(({ name }) => name).join(", ")}; ${chosen.length * byAxe} looks of axe`,
      )
    })
  }
}

const NARROW = { width: 360, height: 640 }
for (const language of Object.keys(LANGUAGES))
  test(`shows name and note of a tile beside each other at 360 px (${language})`, async ({ people }) => {
    const { page } = await people.arrive("Ada")
    for (const name of ["in a call", "person comes back into a call"]) {
      await show(page, language, name, call[name]!, true)
      await page.setViewportSize(NARROW)
      expect.soft(await page.locator(".tile-note").count(), `notes of ${name}`).toBeGreaterThan(0)
      expect.soft(await coveredTiles(page), name).toEqual([])
    }
  })

for (const language of Object.keys(LANGUAGES))
  test(`asks on a small phone before the copy is deleted (${language})`, async ({ people }) => {
    const { page } = await people.arrive("Ada")
    await show(page, language, "copy that may go on", inRoom["copy that may go on"]!, true)
    await page.setViewportSize(NARROW)
    await press({ page, text: textsOf(page) }, "button", "banner.forgetCopy")
    // A page that does not fit would have been scrolled to the answers.
    for (const part of [".top-bar", ".forget-step", ".forget-step .danger"])
      await expect.soft(page.locator(part)).toBeInViewport({ ratio: 1 })
  })

/** A window of 1280 × 800 pixels with a zoom of 200 %. */
const ENLARGED = { width: 640, height: 400 }
for (const language of Object.keys(LANGUAGES))
  test(`shows the message field in a call when the window is enlarged (${language})`, async ({ people }) => {
    const { page } = await people.arrive("Ada")
    await show(page, language, "in a call", call["in a call"]!, false)
    await page.setViewportSize(ENLARGED)
    for (const part of [".top-bar", ".call", ".composer textarea"])
      await expect.soft(page.locator(part)).toBeInViewport({ ratio: 1 })
  })

const NARROWEST = { width: 320, height: 640 }
test("scrolls the banners when they do not fit on the narrowest phone", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "fr", "knocks above the board", GROUPS["people"]!["knocks above the board"]!, true)
  await page.setViewportSize(NARROWEST)
  const last = page.locator(".banner").last()
  await last.scrollIntoViewIfNeeded()
  // A page that does not fit would have been scrolled to the last one.
  for (const part of [page.locator(".top-bar"), last]) await expect.soft(part).toBeInViewport({ ratio: 1 })
})

test("shows names of identities beside or above their keys on the narrowest phone", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "de", "settings with identities", outside["settings with identities"]!, true)
  await page.setViewportSize(NARROWEST)
  const names = page.locator(".identity bdi")
  expect(await names.count()).toBeGreaterThan(1)
  // A long name is cut after more than half of its row.
  const isLegible = (name: Element) => name.scrollWidth <= name.clientWidth || name.clientWidth > 150
  for (const name of await names.all()) expect.soft(await name.evaluate(isLegible), String(name)).toBe(true)
})

const UNBROKEN_WORDS = [
  ["refused by a host", outside, ".card > p[dir]"],
  ["entering, ended early", outside, ".ended span"],
  ["waiting for a host", people, ".card > p[dir]"],
  ["opened picture", people, ".panel-title"],
] as const
test("breaks long words in cards and dialogs on the narrowest phone", async ({ people: persons }) => {
  const { page } = await persons.arrive("Ada")
  for (const [name, screens, part] of UNBROKEN_WORDS) {
    await show(page, "de", name, screens[name]!, true)
    await page.setViewportSize(NARROWEST)
    await page
      .locator(part)
      .first()
      .evaluate((element) => (element.textContent = "W".repeat(60)))
    expect.soft(await flaws(page, 0), name).toEqual([])
  }
})

test("shows the timer below the board's tools when the side panel is open", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "fr", "timer ended", inRoom["timer ended"]!, false)
  for (const size of [NARROWEST, PHONE]) {
    await page.setViewportSize(size)
    const isBetween = async (): Promise<boolean> => {
      const css = [".App-toolbar", ".timer-pill", ".drawer"]
      const [tools, timer, panel] = await Promise.all(css.map((part) => page.locator(part).first().boundingBox()))
      return timer!.y >= tools!.y + tools!.height && timer!.y + timer!.height <= panel!.y
    }
    await expect.poll(isBetween, `${size.width} px`).toBe(true)
  }
})

test("covers no field with Join when the window is enlarged", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "ja", "entering", outside["entering"]!, false)
  await page.setViewportSize(ENLARGED)
  const field = page.locator(".enter-form input").first()
  await expect(field).toBeInViewport({ ratio: 1 })
  const isCovered = await field.evaluate((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return document.elementFromPoint(x + width / 2, y + height - 5) !== element
  })
  expect(isCovered).toBe(false)
})

test("keeps an enlarged tile with a note inside of its place with large letters", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "en", "in a call", call["in a call"]!, false)
  await page.locator(".tile:has(> .tile-note) .tile-resize").first().click()
  await expect(page.locator(".call-stage .tile-note")).toBeVisible()
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"))
  for (const width of [NARROW.width, 740, 1024]) {
    await page.setViewportSize({ width, height: 740 })
    const [place, tile] = await Promise.all([".call-stage", ".call-stage .tile"].map((css) => boxOf(page, css)))
    expect.soft(tile!.right, `${width} px`).toBeLessThanOrEqual(place!.right)
  }
})

test("keeps the board's menu inside of the board in a call", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "de", "in a call", call["in a call"]!, false)
  await page.locator(".main-menu-trigger").first().click()
  const [menu, board] = await Promise.all([".dropdown-menu-container", ".board"].map((css) => boxOf(page, css)))
  expect(menu!.bottom).toBeLessThanOrEqual(board!.bottom)
})

test("keeps the cross of an alarm beside its words on a small phone", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "de", "another key", GROUPS["trouble"]!["another key"]!, false)
  await page.setViewportSize(NARROW)
  const [words, cross] = await Promise.all([".alarm p", ".alarm > .icon-button"].map((css) => boxOf(page, css)))
  expect(cross!.left).toBeGreaterThanOrEqual(words!.right)
  expect(cross!.top).toBeLessThan(words!.bottom)
})

for (const language of Object.keys(LANGUAGES))
  test(`holds the words of the lock in its pill on small phones (${language})`, async ({ people }) => {
    const { page } = await people.arrive("Ada")
    await show(page, language, "board of a room", inRoom["board of a room"]!, true)
    for (const size of [NARROW, NARROWEST]) {
      await page.setViewportSize(size)
      const isOutside = (pill: Element) => {
        const range = document.createRange()
        range.selectNodeContents(pill.querySelector(".lock-text")!.firstChild!)
        const [words, box] = [range.getBoundingClientRect(), pill.getBoundingClientRect()]
        return words.left < box.left || words.right > box.right
      }
      expect.soft(await page.locator(".lock").evaluate(isOutside), `${size.width} px`).toBe(false)
      await expect.soft(page.locator(".top-actions")).toBeInViewport({ ratio: 1 })
    }
  })

test("shows my name in full above the link that changes it", async ({ people: persons }) => {
  const { page } = await persons.arrive("Ada")
  await show(page, "fr", "my role changed", { sees: "rename.open", reach: showPeople }, false)
  const name = page.locator(".person-row:has(> .rename) bdi")
  const isCut = (element: Element) => {
    element.textContent = "Clara Lindqvist"
    return element.scrollWidth > element.clientWidth
  }
  expect(await name.evaluate(isCut)).toBe(false)
})

test("keeps the cross of a banner beside its words or its button", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "fr", "call to be joined", call["call to be joined"]!, false)
  await page.locator(".banner > span").evaluate((words) => (words.textContent = "Dr. Miriam Feld est en appel."))
  for (const width of [DESKTOP.width, 800, NARROW.width]) {
    await page.setViewportSize({ width, height: DESKTOP.height })
    const parts = [".banner > span", ".banner > .icon-button"]
    const [words, cross] = await Promise.all(parts.map((css) => boxOf(page, css)))
    expect.soft(cross!.left, `${width} px`).toBeGreaterThanOrEqual(words!.right)
    expect.soft(cross!.top, `${width} px`).toBeLessThan(words!.bottom)
  }
})

test("leaves messages room on a phone in a call and above the keyboard", async ({ people }) => {
  const { page } = await people.arrive("Ada")
  await show(page, "de", "in a call", call["in a call"]!, false)
  for (const [height, room] of [
    [NARROW.height, 250],
    [380, 80],
  ] as const) {
    await page.setViewportSize({ width: NARROW.width, height })
    const messages = await boxOf(page, ".messages")
    expect.soft(messages.bottom - messages.top, `${height} px`).toBeGreaterThan(room)
    for (const part of [".call", ".composer textarea"])
      await expect.soft(page.locator(part)).toBeInViewport({ ratio: 1 })
  }
})

type Box = Readonly<Record<"left" | "top" | "right" | "bottom", number>>

function boxOf(page: Page, css: string): Promise<Box> {
  return page.locator(css).evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    return { left, top, right, bottom }
  })
}

async function show(page: Page, language: string, name: string, screen: Screen, phone: boolean): Promise<void> {
  const { sees, story = name, reach, panel = reach !== undefined } = screen
  // On a phone the side panel would be closed at the beginning.
  await page.setViewportSize(phone && !panel ? PHONE : DESKTOP)
  await page.goto(`${origin()}/?state=${encodeURIComponent(story)}&lang=${language}`)
  await expect(page.locator("main").first()).toBeVisible()
  if ((await page.locator(".board").count()) > 0) await expect(page.locator(".excalidraw").first()).toBeVisible()
  if (phone) await page.setViewportSize(PHONE)
  const at = { page, text: textsOf(page) }
  await reach?.(at)
  await expect(await signOf(at, sees)).toBeVisible()
  expect(await page.evaluate(() => document.dir)).toBe(language === "ar" ? "rtl" : "ltr")
}
