import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { meet } from "../../support/scenes.ts"

/** Letters that are wider in handwriting than in any fallback font of a machine: only then can text be cut off. */
const TEXT = "IT FITS IF I FIT IT IN JIFF TIFF"
const FIRST = { x: 350, y: 300 } as const
const SECOND = { x: 350, y: 400 } as const

/** Lets no hand-drawn letters through before they are let go. */
async function holdFonts({ page }: Person): Promise<() => void> {
  let letGo = () => undefined as void
  const free = new Promise<void>((resolve) => (letGo = resolve))
  await page.route("**/Excalifont/**", async (route) => {
    await free
    await route.continue()
  })
  return letGo
}

/** The board waits this long for its letters, and a busy machine may take longer to write a text. */
async function waitLongerForFonts({ page }: Person): Promise<void> {
  await page.addInitScript(() => {
    const { setTimeout } = window
    const patient = (handler: () => void, ms?: number): number => setTimeout(handler, ms === 5000 ? 200_000 : ms)
    Object.assign(window, { setTimeout: patient })
  })
}

/** A busy machine may take longer for them than the board waits. */
async function haveLetters({ page }: Person): Promise<void> {
  await page.waitForFunction(() => {
    const faces = [...document.fonts].filter(({ family }) => family.includes("Excalifont"))
    return faces.length > 0 && faces.every(({ status }) => status === "loaded")
  })
}

test("the board opens with its fonts loaded, and a text typed at once is not cut off", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const letGo = await holdFonts(bob)
  await waitLongerForFonts(bob)
  await meet(server.origin, ada, bob)
  await haveLetters(ada)
  await ada.board.write(FIRST, TEXT)
  await expect(bob.page.getByText("Loading the whiteboard…")).toBeVisible()
  letGo()
  await bob.board.write(SECOND, TEXT)

  // It may come to Ada piece by piece.
  await expect
    .poll(async () => (await ada.board.textWidth(SECOND)) - (await ada.board.textWidth(FIRST)))
    .toBeCloseTo(0, 0)
  expect(await ada.board.textWidth(SECOND)).toBeGreaterThan(100)
})

test("a text typed before late fonts arrive is readable whole once they have", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  const letGo = await holdFonts(bob)
  await meet(server.origin, ada, bob)
  await haveLetters(ada)
  await ada.board.write(FIRST, TEXT)
  await bob.board.write(SECOND, TEXT)
  await expect.poll(() => ada.board.textWidth(SECOND)).toBeGreaterThan(100)
  expect(await ada.board.textWidth(SECOND), "cut off").toBeLessThan((await ada.board.textWidth(FIRST)) - 5)

  letGo()

  for (const { board } of [ada, bob])
    await expect.poll(async () => (await board.textWidth(SECOND)) - (await board.textWidth(FIRST))).toBeCloseTo(0, 0)
})
