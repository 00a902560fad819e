import { afterEach, expect, test } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import { createMemoryStore } from "../../src/identity/index.ts"
import { Room, securedWith } from "./harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 20_000 }
const names = (conference: Conference): string[] => conference.view.members.map(({ name }) => name).toSorted()
const closing = (conference: Conference): Promise<string> => new Promise((resolve) => conference.on("closed", resolve))

test("somebody is removed: a view and a key without it, another link, and no way back with the old one", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const store = createMemoryStore()
  const eveIdentity = await room.identity("Eve", store)
  const oldLink = ada.invitation.url
  const eve = await Conference.join({ url: oldLink, identity: eveIdentity })
  await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
  const epoch = ada.view.epoch
  const removed = closing(eve)
  await ada.remove(eve.self.id)

  expect(await removed).toBe("removed")
  const views = await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  expect(views[0]!.epoch).toBeGreaterThan(epoch)
  await expect.poll(() => bob.invitation.url !== oldLink && bob.invitation.url === ada.invitation.url, WAIT).toBe(true)

  const sameAgain = await Conference.join({ url: oldLink, identity: eveIdentity })
  expect(await closing(sameAgain)).toBe("removed")

  const eva = await room.join("Eva", oldLink)
  await expect.poll(() => eva.admissionState.waiting, WAIT).toBe(true)
  await expect.poll(() => ada.admissionState.knocks.map(({ name }) => name), WAIT).toEqual(["Eva"])
  expect(bob.admissionState.knocks).toEqual([])
  const tom = await room.join("Tom", ada.invitation.url)
  await Promise.all([ada, bob, tom].map((conference) => securedWith(conference, 3)))
  expect(names(bob)).toEqual(["Ada", "Bob", "Tom"])
  expect(eva.view.members.map(({ name }) => name)).toEqual(["Eva"])

  await ada.admit(eva.self.id)
  await Promise.all([ada, bob, tom, eva].map((conference) => securedWith(conference, 4)))
  await expect.poll(() => eva.invitation.url, WAIT).toBe(ada.invitation.url)
})
