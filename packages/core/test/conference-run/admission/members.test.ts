import { afterEach, expect, test } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { received, Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

test("after a leave the others have a new key, and the leaver is notified", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const eve = await room.join("Eve", ada.invitation.url)
  const three = await Promise.all([ada, bob, eve].map((conference) => securedWith(conference, 3)))
  const closed = new Promise((resolve) => eve.on("closed", resolve))
  const changes: string[] = []
  ada.on("view", (_, { left, lost }) => changes.push(...left.map(({ name }) => name), ...lost.map(() => "lost")))
  await eve.leave()
  expect(await closed).toBe("left")
  const two = await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  expect(two[0]!.id).toBe(two[1]!.id)
  expect(two[0]!.epoch).toBeGreaterThan(three[0]!.epoch)
  expect(changes).toEqual(["Eve"])
  await expect(eve.channel("chat").send("still here?")).rejects.toMatchObject({ code: "closed" })
})

test("two who lose one another continue alone, and merge when they meet again", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const changes: string[] = []
  ada.on("view", (_, { joined, lost }) =>
    changes.push(...lost.map(({ name }) => `without ${name}`), ...joined.map(({ name }) => `with ${name}`)),
  )
  changes.length = 0
  room.network.cut("Ada", "Bob")
  await Promise.all([securedWith(ada, 1), securedWith(bob, 1)])
  await Promise.all([
    ada.channel("chat", { history: true }).send("said at Ada's"),
    bob.channel("chat", { history: true }).send("said at Bob's"),
  ])
  room.network.mend("Ada", "Bob")
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  expect(changes).toEqual(["without Bob", "with Bob"])
  const [atAda, atBob] = await Promise.all([received(ada, "chat", 2), received(bob, "chat", 2)])
  expect(atAda.map(({ text }) => text).sort()).toEqual(["said at Ada's", "said at Bob's"])
  expect(atBob.map(({ text }) => text).sort()).toEqual(["said at Ada's", "said at Bob's"])
})

test("a reloaded page returns with its invitation as the next incarnation of a member", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  const first = await room.identity("Bob", store, "Bob's tab")
  const bob = await Conference.join({ url: ada.invitation.url, identity: first })
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  await ada.channel("chat", { history: true }).send("before the reload")
  // The page goes away without a word.
  room.network.cut("Ada", "Bob's tab")
  const second = await room.identity("Bob", store, "Bob's tab, loaded again")
  await first.close()
  const again = await Conference.resume({ id: ada.id, identity: second })
  const view = await securedWith(again, 2)
  expect(again.self.id).toBe(bob.self.id)
  expect(view.epoch).toBeGreaterThan(bob.view.epoch)
  // From the copy on this device, or handed over by Ada if that was not written yet.
  const [message] = await received(again, "chat", 1)
  expect(message).toMatchObject({ text: "before the reload", from: { name: "Ada" } })
})

test("a page reloaded just after connecting returns at once, whichever id is lower", async () => {
  for (const name of ["Bob", "Bea", "Ben", "Bix"]) {
    const ada = await room.create("Ada")
    const store = createMemoryStore()
    const first = await room.identity(name, store)
    const bob = await Conference.join({ url: ada.invitation.url, identity: first })
    await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
    await first.close()
    const again = await Conference.resume({ id: ada.id, identity: await room.identity(name, store) })
    // The mesh's time-out for an attempt that nobody answers is 20 s: none of these waited for it.
    await expect.poll(() => again.view.members.length, { timeout: 15_000 }).toBe(2)
    await room.close()
    room = new Room()
  }
})

test("a person returns under another name with the same key, role and verification", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  const first = await room.identity("Bob", store)
  const bob = await Conference.join({ url: ada.invitation.url, identity: first })
  const [before] = await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const old = before.members.find(({ name }) => name === "Bob")!
  await ada.verify(old.id)
  await bob.leave({ forget: false })
  await first.close()
  await securedWith(ada, 1)
  const renamed = await room.identity("Robert", store)
  const again = await Conference.resume({ id: ada.id, identity: renamed })
  const [after] = await Promise.all([securedWith(ada, 2), securedWith(again, 2)])
  const robert = after.members.find(({ self }) => !self)!
  expect(robert).toMatchObject({ name: "Robert", publicKey: old.publicKey, verified: true, role: "editor" })
  expect(robert.id).not.toBe(old.id)
})

test("a member that takes a verified person's name keeps its own key, and is reported", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const store = createMemoryStore()
  const first = await room.identity("Mallory", store)
  const mallory = await Conference.join({ url: ada.invitation.url, identity: first })
  const [before] = await Promise.all([ada, bob, mallory].map((conference) => securedWith(conference, 3)))
  await ada.verify(bob.self.id)
  await mallory.leave({ forget: false })
  await first.close()
  await securedWith(ada, 2)
  const reported: string[] = []
  ada.on("security", ({ code }) => reported.push(code))
  const again = await Conference.resume({ id: ada.id, identity: await room.identity("Bob", store, "Mallory again") })
  const after = await securedWith(ada, 3)
  const impostor = after.members.find(({ id }) => id === again.self.id)!
  const key = before!.members.find(({ name }) => name === "Mallory")!.publicKey
  expect(impostor).toMatchObject({ name: "Bob", publicKey: key, verified: false, changedKey: true })
  expect(reported).toContain("changed-key")
})

test("forgets the invitation when a member has left", async () => {
  const ada = await room.create("Ada")
  const identity = await room.identity("Bob")
  const bob = await Conference.join({ url: ada.invitation.url, identity })
  await bob.leave()
  await expect(Conference.resume({ id: ada.id, identity })).rejects.toMatchObject({ code: "no-invitation" })
})

test("notifies the second when one identity enters a conference twice", async () => {
  const ada = await room.create("Ada")
  const identity = await room.identity("Bob")
  await Conference.join({ url: ada.invitation.url, identity })
  const again = Conference.join({ url: ada.invitation.url, identity })
  await expect(again).rejects.toMatchObject({ code: "already-open" })
})

test("refuses the same conference in a second tab, also under another name", async () => {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  await Conference.join({ url: ada.invitation.url, identity: await room.identity("Bob", store) })
  const identity = await room.identity("Bob B.", store, "Bob's second tab")
  const again = Conference.join({ url: ada.invitation.url, identity })
  await expect(again).rejects.toMatchObject({ code: "already-open" })
})

test("continues without the server, and newcomers come when it is back", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const states: string[] = []
  ada.on("server", (state) => states.push(state))
  room.network.setServer("down")
  await expect.poll(() => states).toEqual(["up", "down"])
  const [said] = await Promise.all([
    received(bob, "chat", 1),
    ada.channel("chat", { history: true }).send("still here"),
  ])
  expect(said[0]!.text).toBe("still here")
  await expect(room.join("Eve", ada.invitation.url)).rejects.toMatchObject({ code: "server-unreachable" })
  room.network.setServer("up")
  const tom = await room.join("Tom", ada.invitation.url)
  await Promise.all([ada, bob, tom].map((conference) => securedWith(conference, 3)))
})

test("links that cannot work are refused with what is wrong with them", async () => {
  const ada = await room.create("Ada")
  const identity = await room.identity("Bob")
  const { url } = ada.invitation
  const join = (link: string): Promise<Conference> => Conference.join({ url: link, identity })
  await expect(join("not a link")).rejects.toMatchObject({ code: "invalid-link" })
  await expect(join(url.split("#")[0]!)).rejects.toMatchObject({ code: "invalid-link" })
  await expect(join(url.replace(ada.id, "0".repeat(32)))).rejects.toMatchObject({ code: "invalid-link" })
  const other = await Conference.create({ server: new URL(url).origin, identity })
  const swapped = url.replace(/\.[^.]*$/, other.invitation.url.slice(other.invitation.url.lastIndexOf(".")))
  await expect(join(swapped)).rejects.toMatchObject({ code: "invalid-link" })
})
