import { expect, test } from "../../support/fixtures.ts"
import { meet, seesDrawing } from "../../support/scenes.ts"

test("undo reverts one's own last work on all screens, not newer work of others", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  await meet(server.origin, ada, bob)
  const [left, right] = [
    { x: 350, y: 300 },
    { x: 550, y: 300 },
  ] as const
  await ada.board.draw(left)
  await seesDrawing(bob, left)
  await bob.board.draw(right)
  await seesDrawing(ada, right)

  await ada.press("Undo")
  for (const { board } of [ada, bob]) {
    await expect.poll(() => board.shows(left)).toBe(false)
    expect(await board.shows(right)).toBe(true)
  }
  await ada.press("Redo")
  for (const person of [ada, bob]) await seesDrawing(person, left)
  await bob.press("Undo")
  for (const { board } of [ada, bob]) {
    await expect.poll(() => board.shows(right)).toBe(false)
    expect(await board.shows(left)).toBe(true)
  }
})
