import { afterEach, expect, test, vi } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { storageUnavailable } from "../../../src/identity/store.ts"
import { Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

test("a join that failed for want of storage can be tried again", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  const save = store.saveInvitation
  const failing = { ...store, saveInvitation: () => Promise.reject(new Error("disk full")) }
  const identity = await room.identity("Bob", failing)
  await expect(Conference.join({ url: ada.invitation.url, identity })).rejects.toThrow("disk full")
  failing.saveInvitation = save as never
  const bob = await Conference.join({ url: ada.invitation.url, identity })
  expect((await securedWith(bob, 2)).members).toHaveLength(2)
})

test("leaves the conference although the storage can forget nothing, and says so", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  const failing = { ...store, deleteInvitation: () => Promise.reject(storageUnavailable(null)) }
  const bob = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Bob", failing) })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const closed = new Promise((resolve) => bob.on("closed", resolve))
  await expect(bob.leave()).rejects.toMatchObject({ code: "storage-unavailable" })
  expect(await closed).toBe("left")
  await securedWith(ada, 1)
})

test("leaves at once while its storage is slow, and ends when its data is deleted", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  let remove = (): void => undefined
  const slow = { ...store, deleteInvitation: () => new Promise<void>((resolve) => (remove = resolve)) }
  const bob = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Bob", slow) })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  let closed: string | null = null
  bob.on("closed", (reason) => (closed = reason))
  const left = bob.leave()
  await securedWith(ada, 1)
  expect(closed).toBeNull()
  remove()
  await left
  expect(closed).toBe("left")
})

test("a newcomer is secured while its storage is slow to read", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  vi.spyOn(store.copies, "read").mockReturnValue(new Promise(() => undefined))
  const bob = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Bob", store) })
  expect((await securedWith(bob, 2)).members).toHaveLength(2)
})
