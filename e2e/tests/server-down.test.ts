import { expect, test } from "../support/fixtures.ts"
import { meet, seeSameChat, seesDrawing, talkAtOnce } from "../support/scenes.ts"

test("the server stops: the conference goes on; it starts again: newcomers can join", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob", "firefox")
  const link = await meet(server.origin, ada, bob)
  const unreachable = "Server unreachable. The conference goes on"

  await server.stop()
  for (const { page } of [ada, bob]) await expect(page.getByText(unreachable)).toBeVisible()
  const texts = await talkAtOnce([ada, bob], 5, "freedom")
  await seeSameChat([ada, bob], texts)
  await ada.board.draw({ x: 350, y: 300 })
  await seesDrawing(bob, { x: 350, y: 300 })
  for (const person of [ada, bob]) await person.seesEncryptedFor(2)

  await server.startAgain()
  for (const { page } of [ada, bob]) await expect(page.getByText(unreachable)).toBeHidden()
  const eve = await people.arrive("Eve")
  await eve.join(link)
  for (const person of [ada, bob, eve]) await person.seesEncryptedFor(3)
  await seeSameChat([ada, bob, eve], texts)
})
