import { afterEach, expect, test } from "vitest"
import type { Member, SecurityEvent } from "../../../src/api/index.ts"
import { Conference } from "../../../src/client/conference.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

function memberNamed(conference: Conference, name: string): Member {
  return conference.view.members.find((member) => member.name === name && !member.self)!
}

function warnings(conference: Conference): SecurityEvent[] {
  const events: SecurityEvent[] = []
  conference.on("security", (event) => events.push(event))
  return events
}

test("two people compare codes once, and are verified in every conference and name", async () => {
  const store = createMemoryStore()
  const bobs = createMemoryStore()
  const ada = await Conference.create({ server: "http://localhost:1", identity: await room.identity("Ada", store) })
  const bob = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Bob", bobs) })
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const atAda = await ada.pairCode(bob.self.id)
  const atBob = await bob.pairCode(ada.self.id)
  expect(atAda.digits).toBe(atBob.digits)
  expect(atAda.words).toEqual(atBob.words)
  expect(await ada.checkScan(bob.self.id, atBob.scannable)).toBe("match")
  expect(await ada.checkScan(bob.self.id, atAda.scannable)).toBe("other-person")
  expect(await ada.checkScan(bob.self.id, "https://stranger.example/")).toBe("not-a-code")

  expect(memberNamed(ada, "Bob").verified).toBe(false)
  await ada.verify(bob.self.id)
  await expect.poll(() => memberNamed(ada, "Bob").verified).toBe(true)
  expect(memberNamed(bob, "Ada").verified, "it is Ada who knows Bob now").toBe(false)
  await bob.leave()

  const bobby = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Bobby", bobs) })
  const events = warnings(ada)
  await Promise.all([securedWith(ada, 2), securedWith(bobby, 2)])
  expect(memberNamed(ada, "Bobby")).toMatchObject({ verified: true, changedKey: false })
  expect((await ada.pairCode(bobby.self.id)).digits).toBe(atAda.digits)
  expect(events).toEqual([])

  await ada.unverify(bobby.self.id)
  await expect.poll(() => memberNamed(ada, "Bobby").verified).toBe(false)
})

test("warns once of another key under a verified person's name, until it is verified", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  await ada.verify(bob.self.id)
  await bob.leave()
  await securedWith(ada, 1)
  const events = warnings(ada)
  const impostor = await room.join("bob", ada.invitation.url)
  const view = await securedWith(ada, 2)
  expect(events).toMatchObject([{ code: "changed-key", member: impostor.self.id }])
  expect(view.members.find(({ id }) => id === impostor.self.id)).toMatchObject({ verified: false, changedKey: true })
  await room.join("Eve", ada.invitation.url)
  await securedWith(ada, 3)
  expect(events).toHaveLength(1)
  // It was Bob's new telephone after all.
  await ada.verify(impostor.self.id)
  await expect.poll(() => memberNamed(ada, "bob")).toMatchObject({ verified: true, changedKey: false })
})

test("names the members of one name for as long as both are in the view", async () => {
  const ada = await room.create("Ada Lovelace")
  const mallory = await room.join("Ad\u{430}  Lovelace", ada.invitation.url)
  const eve = await room.join("Eve", ada.invitation.url)
  for (const conference of [ada, mallory, eve])
    expect((await securedWith(conference, 3)).namesakes.toSorted()).toEqual([ada.self.id, mallory.self.id].toSorted())
  await mallory.leave()
  expect((await securedWith(ada, 2)).namesakes).toEqual([])
})

test("oneself and strangers cannot be verified", async () => {
  const ada = await room.create("Ada")
  const stranger = "0".repeat(32) as Member["id"]
  for (const id of [ada.self.id, stranger]) {
    await expect(ada.verify(id)).rejects.toMatchObject({ code: "invalid-argument" })
    await expect(ada.pairCode(id)).rejects.toMatchObject({ code: "invalid-argument" })
  }
})

test("gives all members one new key when a member asks, and not again at once", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const [before] = await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  await expect(bob.refreshKey()).rejects.toMatchObject({ code: "too-soon" })
  const clock = Date.now
  try {
    for (const [round, asking] of [ada, bob].entries()) {
      Date.now = () => clock() + 20_000 * (round + 1) // Later.
      const changes: string[] = []
      for (const conference of [ada, bob]) conference.on("view", (_, { cause }) => changes.push(cause))
      changes.length = 0
      await asking.refreshKey()
      await expect.poll(() => changes).toEqual(["refreshed", "refreshed"])
    }
  } finally {
    Date.now = clock
  }
  expect(ada.view.epoch).toBe(before!.epoch + 2)
  expect(ada.view.id).toBe(bob.view.id)
})

test.each(["tgdh", "str", "bd", "gdh", "ckd"] as const)(
  "under %s everybody sees how the key is put together, with names and no secrets",
  async (keyAgreement) => {
    const ada = await room.create("Ada", { keyAgreement })
    const bob = await room.join("Bob", ada.invitation.url)
    await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
    const eve = await room.join("Eve", ada.invitation.url)
    await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
    const kinds = { tgdh: "tree", str: "tree", bd: "ring", gdh: "chain", ckd: "star" } as const
    for (const conference of [ada, bob, eve]) {
      const structure = (await conference.keyStructure())!
      expect(structure.kind).toBe(kinds[keyAgreement])
      const publicKeys = new Set(conference.view.members.map(({ publicKey }) => publicKey))
      const text = JSON.stringify(structure, (_, value: unknown) => (publicKeys.has(value as string) ? "" : value))
      for (const name of ["Ada", "Bob", "Eve"]) expect(text.split(`"name":"${name}"`)).toHaveLength(2)
      expect(text, "nothing but ids, names, public keys and flags").not.toMatch(/[0-9a-f]{33,}/u)
      expect(text).toContain('"isNew":true')
    }
  },
)
