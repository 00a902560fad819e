import { afterEach, expect, test } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { Room, securedWith, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const names = (conference: Conference): string[] => conference.view.members.map(({ name }) => name).toSorted()
const closing = (conference: Conference): Promise<string> => new Promise((resolve) => conference.on("closed", resolve))

test("a removal makes a new view, key and link, and the old link does not readmit", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const store = createMemoryStore()
  const eveIdentity = await room.identity("Eve", store)
  const oldLink = ada.invitation.url
  const eve = await Conference.join({ url: oldLink, identity: eveIdentity })
  await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
  const epoch = ada.view.epoch
  const removed = closing(eve)
  const lost: string[] = []
  const out: string[] = []
  for (const conference of [ada, bob])
    conference.on("view", (_, change) => {
      lost.push(...change.lost.map(({ name }) => name))
      out.push(...change.removed.map(({ name }) => name))
    })
  await ada.remove(eve.self.id)

  expect(await removed).toBe("removed")
  const views = await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  expect(views[0]!.epoch).toBeGreaterThan(epoch)
  // Nobody waits for somebody who was removed.
  expect(lost).toEqual([])
  expect(out).toEqual(["Eve", "Eve"])
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

const failingDisk = { forget: () => Promise.reject(new Error("disk")) }

test.each([
  ["was deleted when a host removes its owner", {}, "removed", "off"],
  ["could not be deleted when a host removes its owner", failingDisk, "removed", "failing"],
  ["was deleted when its owner leaves", {}, "left", "off"],
  ["could not be deleted when its owner leaves", failingDisk, "left", "failing"],
] as const)("says that the copy %s", async (_, disk, how, expected) => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  const identity = await room.identity("Eve", { ...store, copies: { ...store.copies, ...disk } })
  const eve = await Conference.join({ url: ada.invitation.url, identity })
  await Promise.all([ada, eve].map((conference) => securedWith(conference, 2)))
  const atTheEnd = closing(eve).then((reason) => [reason, eve.storage])
  if (how === "removed") await ada.remove(eve.self.id)
  else await eve.leave().catch(() => undefined)
  expect(await atTheEnd).toEqual([how, expected])
})

test("has deleted what a removed person's device stored when it reports the end", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  const deleted: string[] = []
  const slowly = (what: string, forget: (id: string) => Promise<void>) => async (id: string) => {
    await new Promise((resolve) => setImmediate(resolve))
    await forget(id)
    deleted.push(what)
  }
  const slow = {
    ...store,
    deleteInvitation: slowly("invitation", store.deleteInvitation),
    copies: { ...store.copies, forget: slowly("copy", store.copies.forget) },
    files: { ...store.files, forget: slowly("files", store.files.forget) },
  }
  const eve = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Eve", slow) })
  await Promise.all([ada, eve].map((conference) => securedWith(conference, 2)))
  // An application may terminate the worker now, and with it every deletion that still runs.
  const atTheEnd = closing(eve).then((reason) => [reason, ...deleted.toSorted()])
  await ada.remove(eve.self.id)
  expect(await atTheEnd).toEqual(["removed", "copy", "files", "invitation"])
})

test("a removal from a roster makes a new key, and the roster does not readmit", async () => {
  const [adaIdentity, bobIdentity, eveIdentity] = [
    await room.identity("Ada"),
    await room.identity("Bob"),
    await room.identity("Eve"),
  ]
  const members = [bobIdentity.card, eveIdentity.card]
  const made = { server: SERVER, identity: adaIdentity, admission: { policy: "roster", members } } as const
  const ada = await Conference.create(made)
  const { url } = ada.invitation
  const bob = await Conference.join({ url, identity: bobIdentity })
  const eve = await Conference.join({ url, identity: eveIdentity })
  await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
  const { epoch } = ada.view
  const out = closing(eve)
  await ada.remove(eve.self.id)
  expect(await out).toBe("removed")
  for (const view of await Promise.all([ada, bob].map((conference) => securedWith(conference, 2))))
    expect(view.epoch).toBeGreaterThan(epoch)
  // The link stays as it is: with a roster it lets in nobody who is not named.
  expect(ada.invitation.url).toBe(url)
  const again = await Conference.join({ url, identity: eveIdentity })
  expect(await closing(again)).toBe("removed")
  expect([names(ada), names(bob)]).toEqual([
    ["Ada", "Bob"],
    ["Ada", "Bob"],
  ])
})

/** Nothing gets from any of these to any of those. */
function cut(these: readonly string[], those: readonly string[]): { mend: () => void } {
  const pairs = these.flatMap((one) => those.map((other) => [one, other] as const))
  for (const [one, other] of pairs) room.network.cut(one, other)
  return { mend: () => pairs.forEach(([one, other]) => room.network.mend(one, other)) }
}

test("removals by hosts in two partitions both hold after the merge, with a new link", async () => {
  const ada = await room.create("Ada")
  const oldLink = ada.invitation.url
  const [bob, tom, eve] = [
    await room.join("Bob", oldLink),
    await room.join("Tom", oldLink),
    await room.join("Eve", oldLink),
  ]
  await Promise.all([ada, bob, tom, eve].map((conference) => securedWith(conference, 4)))
  await ada.setRole(bob.self.id, "host")
  await expect.poll(() => bob.view.members.find(({ self }) => self)?.role, WAIT).toBe("host")
  await Promise.all([ada, bob, tom, eve].map((conference) => securedWith(conference, 4)))

  // Tom is with Ada, Eve with Bob.
  const parted = cut(["Ada", "Tom"], ["Bob", "Eve"])
  await Promise.all([ada, bob, tom, eve].map((conference) => securedWith(conference, 2)))
  await ada.remove(eve.self.id)
  await bob.remove(tom.self.id)
  expect(names(ada)).toEqual(["Ada", "Tom"])
  expect(names(bob)).toEqual(["Bob", "Eve"])
  await expect.poll(() => tom.invitation.url === ada.invitation.url, WAIT).toBe(true)
  await expect.poll(() => eve.invitation.url === bob.invitation.url, WAIT).toBe(true)
  const [linkOfTom, linkOfEve] = [tom.invitation.url, eve.invitation.url]

  const out = [closing(tom), closing(eve)]
  parted.mend()
  expect(await Promise.all(out)).toEqual(["removed", "removed"])
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await expect
    .poll(() => ![oldLink, linkOfTom, linkOfEve].includes(ada.invitation.url) && ada.invitation.url, WAIT)
    .toBeTruthy()
  await expect.poll(() => bob.invitation.url, WAIT).toBe(ada.invitation.url)
  for (const [index, link] of [linkOfTom, linkOfEve].entries()) {
    const again = await room.join(`Stranger ${index}`, link)
    await expect.poll(() => again.admissionState.waiting, WAIT).toBe(true)
  }
  expect(names(bob)).toEqual(["Ada", "Bob"])
})

test("a person let in by the old link in a partition must ask a host after the merge", async () => {
  const ada = await room.create("Ada")
  const oldLink = ada.invitation.url
  const [bob, eve] = [await room.join("Bob", oldLink), await room.join("Eve", oldLink)]
  await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
  const parted = cut(["Ada"], ["Bob", "Eve", "Eva"])
  await securedWith(ada, 1)
  await Promise.all([bob, eve].map((conference) => securedWith(conference, 2)))
  await ada.remove(eve.self.id)
  const eva = await room.join("Eva", oldLink)
  await Promise.all([bob, eve, eva].map((conference) => securedWith(conference, 3)))
  // Nobody there has seen a host since she came.
  expect(eva.admissionState).toMatchObject({ waiting: false })

  const out = closing(eve)
  parted.mend()
  expect(await out).toBe("removed")
  await expect.poll(() => names(ada), WAIT).toEqual(["Ada", "Bob"])
  await expect.poll(() => eva.admissionState.waiting, WAIT).toBe(true)
  await expect.poll(() => ada.admissionState.knocks.map(({ name }) => name), WAIT).toEqual(["Eva"])
  await ada.admit(eva.self.id)
  await Promise.all([ada, bob, eva].map((conference) => securedWith(conference, 3)))
})

test("a person is notified that nobody vouches for the room until it meets a host", async () => {
  const ada = await room.create("Ada")
  const parted = cut(["Ada"], ["Bob", "Tom"])
  const [bob, tom] = [await room.join("Bob", ada.invitation.url), await room.join("Tom", ada.invitation.url)]
  await Promise.all([bob, tom].map((conference) => securedWith(conference, 2)))
  expect([bob.admissionState.vouched, tom.admissionState.vouched]).toEqual([false, false])
  parted.mend()
  await Promise.all([ada, bob, tom].map((conference) => securedWith(conference, 3)))
  await expect.poll(() => [bob.admissionState.vouched, tom.admissionState.vouched], WAIT).toEqual([true, true])
})

test("a host that left and returns by the link vouches for the room at once", async () => {
  const store = createMemoryStore()
  const before = await room.identity("Ada", store, "Ada before")
  const ada = await Conference.create({ server: SERVER, identity: before, admission: { policy: "approval" } })
  const bob = await room.join("Bob", ada.invitation.url)
  await expect.poll(() => ada.admissionState.knocks.length, WAIT).toBe(1)
  await ada.admit(bob.self.id)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const { url } = bob.invitation
  await ada.leave()
  await before.close()
  await securedWith(bob, 1)

  const again = await Conference.join({ url, identity: await room.identity("Ada", store, "Ada after") })
  await Promise.all([again, bob].map((conference) => securedWith(conference, 2)))
  await expect.poll(() => bob.admissionState.vouched, WAIT).toBe(true)
})

test("a removal outlives the host's leaving and every reload: devices store it", async () => {
  const ada = await room.create("Ada")
  const [bobStore, eveStore] = [createMemoryStore(), createMemoryStore()]
  const bobBefore = await room.identity("Bob", bobStore, "Bob before")
  const bob = await Conference.join({ url: ada.invitation.url, identity: bobBefore })
  const eve = await Conference.join({ url: ada.invitation.url, identity: await room.identity("Eve", eveStore) })
  const oldLink = ada.invitation.url
  await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
  const out = closing(eve)
  await ada.remove(eve.self.id)
  await out
  await expect.poll(() => bob.invitation.url, WAIT).not.toBe(oldLink)
  await ada.leave()
  await bobBefore.close()

  const again = await Conference.resume({ id: ada.id, identity: await room.identity("Bob", bobStore, "Bob after") })
  const late = await Conference.join({ url: oldLink, identity: await room.identity("Eve", eveStore, "Eve after") })
  const eva = await room.join("Eva", oldLink)
  const tom = await room.join("Tom", again.invitation.url)
  await Promise.all([again, tom].map((conference) => securedWith(conference, 2)))
  expect(names(again)).toEqual(["Bob", "Tom"])
  // The two who were not let in found one another, at most: no host has vouched for that room.
  for (const conference of [late, eva]) {
    expect(conference.admissionState.vouched).toBe(false)
    expect(names(conference)).not.toContain("Bob")
  }
})
