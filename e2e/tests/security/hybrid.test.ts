import { expect, test } from "../../support/fixtures.ts"
import { invite, seeSameChat, talkAtOnce } from "../../support/scenes.ts"

// A warning that is missing now and then is missing: no second try.
test.describe.configure({ retries: 0 })

for (const kind of ["chromium", "firefox"] as const) {
  // Both browsers compute ML-KEM with the same WebAssembly, so one of them suffices every day.
  const tag = kind === "chromium" ? [] : "@deep"
  test(`${kind} joins a hybrid conference, chats and comes back to it`, { tag }, async ({ server, people }) => {
    const ada = await people.arrive("Ada")
    const bob = await people.arrive("Bob", kind)
    await ada.start(server.origin, { quantumComputers: "extra protection (ML-KEM-768)" })
    await invite(ada, bob)
    const before = await talkAtOnce([ada, bob], 3, "tea")
    await seeSameChat([ada, bob], before)
    for (const person of [ada, bob])
      expect(await person.keyFact("Quantum computers")).toBe("cannot read what is recorded now (ML-KEM-768)")

    const epochBefore = await ada.epoch()
    await bob.page.reload()
    await expect.poll(() => ada.epoch(), { message: "a new epoch" }).toBeGreaterThan(epochBefore)
    for (const person of [ada, bob]) await person.seesEncryptedFor(2)
    const after = await talkAtOnce([ada, bob], 2, "coffee")
    await seeSameChat([ada, bob], [...before, ...after])
  })
}

test("a conference without extra protection says who could read it one day", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  await ada.start(server.origin, { quantumComputers: "no extra protection" })
  expect(await ada.keyFact("Quantum computers")).toBe("could one day read what is recorded now")
})
