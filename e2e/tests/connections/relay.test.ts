import { rm } from "node:fs/promises"
import { dirname } from "node:path"
import { fileOf, saveFile, sha256, share } from "../../support/files.ts"
import { expect, test } from "../../support/fixtures.ts"
import type { Person } from "../../support/person.ts"
import {
  allowAllConnections,
  allowOneConnection,
  allowRelayedOnly,
  connectedCount,
} from "../../support/connections/relayed.ts"
import { invite, meet, seeSameChat, talkAtOnce } from "../../support/scenes.ts"

const THROUGH_SERVER = "Connected through the server, which can’t read anything."

async function seesDetours(person: Person, count: number): Promise<void> {
  await person.page.getByRole("tab", { name: "People" }).click()
  await expect(person.page.getByText(THROUGH_SERVER)).toHaveCount(count)
  await person.page.getByRole("tab", { name: /^Chat/u }).click()
}

test("a browser without WebRTC meets the others through the server, and pages say so", async ({ server, people }) => {
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

test("one connection is enough: a newcomer is secured over its first, the rest follow", async ({ server, people }) => {
  // Half of it is waiting for the next attempt at a connection.
  test.slow()
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  const link = await meet(server.origin, ada, bob)
  const eve = await people.arrive("Eve")
  await allowOneConnection(eve.page)

  await eve.join(link)
  const all = [ada, bob, eve]
  for (const person of all) await person.seesEncryptedFor(3)
  const texts = await talkAtOnce(all, 2, "links")
  await seeSameChat(all, texts)
  expect(await connectedCount(eve.page)).toBe(1)

  await allowAllConnections(eve.page)
  await expect.poll(() => connectedCount(eve.page), { timeout: 120_000 }).toBe(2)
  await seeSameChat(all, [...texts, ...(await talkAtOnce([bob, eve], 2, "more links"))])
})

test("a person that leaves over the server's relay has left, and is not out of reach", async ({ server, people }) => {
  const ada = await people.arrive("Ada")
  const bob = await people.arrive("Bob")
  await allowRelayedOnly(bob.page)
  await ada.start(server.origin)
  await invite(ada, bob)
  await seesDetours(ada, 1)

  await bob.leave()
  await ada.seesLock("Only you are here.")
  await expect(ada.page.getByRole("log").getByText("Bob left.")).toBeVisible()
  await expect(ada.page.getByText("cannot be reached")).toBeHidden()
})

test("files and roles cross the server's relay", async ({ server, people }) => {
  const [ada, bob] = [await people.arrive("Ada"), await people.arrive("Bob")]
  await allowRelayedOnly(bob.page)
  await ada.start(server.origin)
  await invite(ada, bob)
  await seesDetours(ada, 1)

  const plan = await fileOf("plan of the roof.bin", 3_000_000)
  try {
    await share(ada, plan)
    expect((await saveFile(bob, plan.name)).sha256).toBe(await sha256(plan.path))
  } finally {
    await rm(dirname(plan.path), { recursive: true, force: true })
  }

  await ada.page.getByRole("tab", { name: "People" }).click()
  await ada.act("Bob", "Viewer")
  await expect(bob.page.getByText("You can only watch here.")).toBeVisible()
  await ada.act("Bob", "Editor")
  await ada.page.getByRole("tab", { name: /^Chat/u }).click()
  await bob.say("I can write again")
  await expect.poll(() => ada.texts()).toContain("I can write again")
  await seesDetours(ada, 1)
})
