import { expect, test } from "../support/fixtures.ts"
import { meet, seeSameChat, seesDrawing, talkAtOnce } from "../support/scenes.ts"

const STROKE = { x: 350, y: 300 } as const

for (const kind of ["chromium", "firefox"] as const) {
  test(`${kind} reloads the page: it comes back by itself, with board and chat`, async ({ server, people }) => {
    const ada = await people.arrive("Ada")
    const bob = await people.arrive("Bob", kind)
    await meet(server.origin, ada, bob)
    const before = await talkAtOnce([ada, bob], 4, "tea")
    await seeSameChat([ada, bob], before)
    await ada.board.draw(STROKE)
    await seesDrawing(bob, STROKE)
    const epochBefore = await ada.epoch()

    await bob.page.reload()

    await expect.poll(() => ada.epoch(), { message: "a new epoch" }).toBeGreaterThan(epochBefore)
    for (const person of [ada, bob]) await person.seesEncryptedFor(2)
    expect(await bob.people()).toEqual(["Ada", "Bob (you)"])
    await seesDrawing(bob, STROKE)
    await seeSameChat([ada, bob], before)
    const after = await talkAtOnce([ada, bob], 4, "cake")
    await seeSameChat([ada, bob], [...before, ...after])
  })
}
