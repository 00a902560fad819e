import { expect, test } from "../support/fixtures.ts"
import type { Person } from "../support/person.ts"
import { allowRelayedOnly } from "../support/relayed.ts"
import { invite, seeSameChat, talkAtOnce } from "../support/scenes.ts"

const THROUGH_SERVER = "Connected through the server, which can read nothing of it."

async function seesDetours(person: Person, count: number): Promise<void> {
  await person.page.getByRole("tab", { name: "People" }).click()
  await expect(person.page.getByText(THROUGH_SERVER)).toHaveCount(count)
  await person.page.getByRole("tab", { name: /^Chat/u }).click()
}

test("somebody whose browser gets no WebRTC connection meets the others through the server, secured, and the pages say so", async ({
  server,
  people,
}) => {
  const [ada, bob, eve] = [
    await people.arrive("Ada", "chromium"),
    await people.arrive("Bob", "firefox"),
    await people.arrive("Eve", "chromium"),
  ]
  // Through TURN or not at all, and this server has none.
  await allowRelayedOnly(bob.page)
  await ada.start(server.origin)
  const link = await invite(ada, bob)
  const texts = await talkAtOnce([ada, bob], 3, "detours")
  await seeSameChat([ada, bob], texts)
  await seesDetours(ada, 1)
  await seesDetours(bob, 1)

  await eve.join(link)
  for (const person of [ada, bob, eve]) await person.seesEncryptedFor(3)
  await seeSameChat([ada, bob, eve], [...texts, ...(await talkAtOnce([eve, bob], 2, "three"))])
  await seesDetours(ada, 1)
  await seesDetours(eve, 1)
  await seesDetours(bob, 2)
})
