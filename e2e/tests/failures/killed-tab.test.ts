import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import { invite, seesDrawing } from "../../support/scenes.ts"
import { bytesKept, hasWritten } from "../../support/stored-copies.ts"

const STROKE = { x: 350, y: 300 } as const
const WORDS = { x: 350, y: 420 } as const

async function comesToAnEnd(person: Person, end: () => unknown): Promise<void> {
  const ended = new Promise<void>((resolve) =>
    person.page.once("crash", () => resolve()).once("close", () => resolve()),
  )
  await end()
  await ended
}

const [KILLED, CLOSED] = ["the tab of chromium is killed", "firefox closes the tab and asks nobody"]
const [OTHERS, NOBODY] = ["while others are there", "while nobody else is there"]
const STORIES = [
  { end: KILLED, company: OTHERS, tag: [] },
  { end: KILLED, company: NOBODY, tag: "@deep" },
  { end: CLOSED, company: OTHERS, tag: "@deep" },
  { end: CLOSED, company: NOBODY, tag: [] },
]

for (const { end, company, tag } of STORIES) {
  test(
    `${end} ${company}, the pen down and a message half typed: both are there again`,
    { tag },
    async ({ server, people }) => {
      test.slow() // Browsers of its own, which have to start.
      const mortal = end === KILLED ? await people.arriveMortal("Ada") : null
      const ada = mortal?.person ?? (await people.arrive("Ada", "firefox"))
      const bob = company === OTHERS ? await people.arrive("Bob") : null
      await ada.start(server.origin)
      if (bob) await invite(ada, bob)
      const url = ada.page.url()
      await ada.board.write(WORDS, "The roof leaks")
      await ada.type("Message", "and what I was about to sa")
      const before = await bytesKept(ada)
      await ada.board.beginDrawing(STROKE)
      await hasWritten(ada, before)

      await comesToAnEnd(ada, mortal?.killTabs ?? (() => ada.page.close()))
      if (bob) {
        await bob.seesLock("Only you are here.")
        // Her last stroke had left her page before.
        await seesDrawing(bob, STROKE)
        await bob.say("Where are you?")
      }

      const again = await people.openTab(ada)
      await again.page.goto(url)

      await seesDrawing(again, STROKE)
      await seesDrawing(again, WORDS)
      await expect(again.page.getByLabel("Message", { exact: true })).toHaveValue("and what I was about to sa")
      await again.page.keyboard.press("Alt+KeyC")
      await again.page.keyboard.type("y")
      await again.page.keyboard.press("Enter")
      await expect.poll(() => again.texts()).toContain("and what I was about to say")
      if (!bob) return
      await Promise.all([again, bob].map((person) => person.seesEncryptedFor(2)))
      for (const person of [again, bob])
        await expect.poll(() => person.texts()).toEqual(["Where are you?", "and what I was about to say"])
    },
  )
}
