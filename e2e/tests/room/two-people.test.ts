import type { BrowserKind } from "../../browsers.ts"
import { expect, test } from "../../support/fixtures.ts"
import { invite, seeSameChat, seesDrawing, talkAtOnce } from "../../support/scenes.ts"

type Pair = { readonly creator: BrowserKind; readonly joiner: BrowserKind; readonly keyAgreement: string }

const PAIRS: readonly (Pair & { readonly tag: string[] })[] = [
  { creator: "chromium", joiner: "chromium", keyAgreement: "tgdh", tag: [] },
  { creator: "firefox", joiner: "chromium", keyAgreement: "str", tag: [] },
  // Firefox joins Chromium in a dozen other tests, and its key agreement computes alike in every engine.
  { creator: "chromium", joiner: "firefox", keyAgreement: "gdh", tag: ["@deep"] },
]

for (const { creator, joiner, keyAgreement, tag } of PAIRS) {
  const title = `${creator} invites ${joiner}: chat and draw together under ${keyAgreement}`
  test(title, { tag }, async ({ server, people }) => {
    const ada = await people.arrive("Ada", creator)
    const bob = await people.arrive("Bob", joiner)

    await ada.start(server.origin, { keyAgreement })
    const link = await invite(ada, bob)
    expect(link).toMatch(/\/c\/[0-9a-f]{32}#[\w-]{22}\.[\w-]{43}$/u)
    for (const person of [ada, bob]) expect(person.page.url()).toBe(link.replace(/#.*/u, ""))
    expect(await ada.people()).toEqual(["Ada (you)", "Bob"])
    expect(await bob.people()).toEqual(["Ada", "Bob (you)"])
    expect(await ada.epoch()).toBe(await bob.epoch())
    expect(await ada.conferenceCode()).toBe(await bob.conferenceCode())

    const texts = await talkAtOnce([ada, bob], 12, "tea")
    await seeSameChat([ada, bob], texts)

    const [left, right] = [
      { x: 350, y: 300 },
      { x: 550, y: 300 },
    ] as const
    expect(await bob.board.shows(left)).toBe(false)
    await Promise.all([ada.board.draw(left), bob.board.draw(right)])
    for (const person of [ada, bob]) {
      await seesDrawing(person, left)
      await seesDrawing(person, right)
    }

    const [below, under] = [
      { x: 400, y: 500 },
      { x: 600, y: 500 },
    ] as const
    expect(await bob.board.showsPointer(below)).toBe(false)
    await ada.board.point(below)
    await expect.poll(() => bob.board.showsPointer(below), { message: "Bob sees Ada's cursor" }).toBe(true)
    await bob.board.point(under)
    await expect.poll(() => ada.board.showsPointer(under), { message: "Ada sees Bob's cursor" }).toBe(true)
  })
}
