import { afterEach, expect, test, vi } from "vitest"
import type { HostCommand } from "@keymoot/transport/host"
import { Conference } from "../../../src/client/conference.ts"
import { verifyEvidence } from "../../../src/evidence/index.ts"
import { enteredAs } from "../../../src/device/conference-record.ts"
import { Directory } from "../../../src/runtime/directory.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../../src/identity/store.ts"
import { openIdentitiesInNode } from "../../../src/node/open-identity.ts"
import { Room, securedWith, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.useRealTimers()
  await room.close()
  room = new Room()
})

async function made(store: IdentityStore, title: string) {
  const identity = await room.openIdentity("Ada", store, title)
  const conference = await Conference.create({ server: SERVER, identity, title, durationMs: 3_600_000 })
  await securedWith(conference, 1)
  conference.document("board").doc.getMap("elements").set("a", 1)
  return { conference, identity }
}

test("a link shows creator, verification and admission before anybody enters", async () => {
  const ada = await room.create("Ada", { title: "The roof", admission: { policy: "approval" } })
  const { url } = ada.invitation
  const identity = await room.identity("Bob")
  const preview = await Conference.preview({ url, identity })
  expect(preview).toMatchObject({ id: ada.id, title: "The roof", admission: { policy: "approval" } })
  expect(preview.creator).toMatchObject({ name: "Ada", self: false, verified: false, changedKey: false })
  expect(preview.timeFrame.endsAtMs).toBeGreaterThan(Date.now())
  expect(ada.admissionState.knocks).toEqual([])
  expect(ada.view.members).toHaveLength(1)

  const other = await room.create("Ada, elsewhere")
  const bob = await Conference.join({ url: other.invitation.url, identity })
  await securedWith(bob, 2)
  await bob.verify(other.self.id)
  expect((await Conference.preview({ url: other.invitation.url, identity })).creator.verified).toBe(true)
  const impostor = await Conference.create({
    server: SERVER,
    identity: await room.identity("Ada, elsewhere", createMemoryStore(), "an impostor"),
  })
  expect((await Conference.preview({ url: impostor.invitation.url, identity })).creator).toMatchObject({
    verified: false,
    changedKey: true,
  })
  await expect(Conference.preview({ url: `${url}x`, identity })).rejects.toMatchObject({ code: "invalid-link" })
})

test("a device lists conferences not left by private titles, and forgets on demand", async () => {
  const store = createMemoryStore()
  const roof = await made(store, "The roof")
  const wall = await made(store, "The wall")
  const { url } = roof.conference.invitation
  expect((await Conference.kept(roof)).map(({ about }) => about?.title)).toEqual(["The wall", "The roof"])
  // The title is not in what is stored: the secret beside it opens it.
  expect(JSON.stringify(await store.listInvitations())).not.toContain("The roof")
  await expect(Conference.forget({ id: roof.conference.id, identity: roof.identity })).rejects.toMatchObject({
    code: "already-open",
  })

  await wall.conference.leave()
  expect((await Conference.kept(roof)).map(({ id }) => id)).toEqual([roof.conference.id])
  await roof.identity.close()
  const later = await room.identity("Ada", store, "Ada's later life")
  await expect
    .poll(() => Conference.forget({ id: roof.conference.id, identity: later }).then(() => "forgotten", String))
    .toBe("forgotten")
  expect(await Conference.kept({ identity: later })).toEqual([])
  await expect(Conference.resume({ id: roof.conference.id, identity: later })).rejects.toMatchObject({
    code: "no-invitation",
  })
  const again = await Conference.join({ url, identity: later })
  await securedWith(again, 1)
  expect(again.document("board").doc.getMap("elements").toJSON()).toEqual({})
  await wall.identity.close()
})

test("removing an identity deletes its copies and files, and no other's", async () => {
  const store = createMemoryStore()
  const { conference, identity } = await made(store, "The roof")
  const { publicKey } = conference.self
  const copy = `${publicKey}/${conference.id}`
  await conference.channel("chat", { history: true }).send("for this device only")
  await store.files.append(copy, "a file", 0, new Uint8Array(1))
  const kept = async () => [(await store.copies.read(copy, "log")).length, await store.files.count(copy, "a file")]
  await expect.poll(kept).toEqual([1, 1])
  // Conferences whose invitations the bound has evicted, one with files only.
  const former = (id: string) => `${publicKey}/${id}`
  await store.copies.key(former("f0"))
  await store.copies.append(former("f0"), "log", new Uint8Array(1))
  await store.files.append(former("f1"), "a file", 0, new Uint8Array(1))
  const identities = await openIdentitiesInNode({ store })
  const ada = (await identities.list())[0]!
  await expect(identities.remove(ada.id)).rejects.toMatchObject({ code: "already-open" })
  await identity.close()
  const bob = (await identities.create({ name: "Bob" })).identity
  const remove = (id: string) => identities.remove(id).then(() => "removed", String)
  await expect.poll(() => remove(bob.id)).toBe("removed")
  expect(await kept()).toEqual([1, 1])
  await expect.poll(() => remove(ada.id)).toBe("removed")
  expect(await kept()).toEqual([0, 0])
  expect([...(await store.copies.list()), ...(await store.files.list())]).toEqual([])
  identities.close()
})

test("deletes no copy when an identity that is not here is removed", async () => {
  const store = createMemoryStore()
  const { conference, identity } = await made(store, "The roof")
  await conference.channel("chat", { history: true }).send("precious")
  await conference.leave({ forget: false })
  await identity.close()
  const copies = await store.copies.list()
  expect(copies).toHaveLength(1)
  const identities = await openIdentitiesInNode({ store })
  const absent = (await identities.list()).find(({ name }) => name === "Eva")
  for (const id of [absent?.id as string, "unknown"])
    await expect(identities.remove(id)).rejects.toMatchObject({ code: "invalid-argument" })
  expect(await store.copies.list()).toEqual(copies)
  identities.close()
})

test("keeps a person's copy and way back when another of this device leaves", async () => {
  const store = createMemoryStore()
  const { conference, identity: ada } = await made(store, "The roof")
  const { id, invitation } = conference
  const identities = await openIdentitiesInNode({ store })
  const here = async (name: string) => (await identities.list()).find((one) => one.name === name)!.id
  await identities.create({ name: "Gil" })
  const gil = await room.openIdentity("Gil", store, "Gil at Ada's computer")
  const other = await Conference.join({ url: invitation.url, identity: gil })
  await securedWith(conference, 2)
  expect(await enteredAs(store, id)).toEqual({ name: "Gil", identity: await here("Gil") })
  await identities.choose(await here("Ada"))
  expect(await enteredAs(store, id)).toEqual({ name: "Ada", identity: await here("Ada") })

  // The session of the first writes its record again, and must not lose the second.
  await other.leave()
  await conference.leave({ forget: false })
  expect(await enteredAs(store, id)).toEqual({ name: "Ada", identity: await here("Ada") })
  const copy = await Conference.openKept({ id, identity: ada })
  await expect.poll(() => copy.document("board").doc.getMap("elements").toJSON()).toEqual({ a: 1 })
  await copy.leave()
  expect(await Conference.kept({ identity: ada })).toEqual([])
  expect(await store.copies.list()).toEqual([])
  await gil.close()
  await ada.close()
  identities.close()
})

test("shows own messages as own after another name in another conference", async () => {
  const store = createMemoryStore()
  const first = await made(store, "The roof")
  const { id } = first.conference
  await first.conference.channel("chat", { history: true }).send("mine")
  await first.conference.leave({ forget: false })
  await first.identity.close()
  const renamed = await room.openIdentity("Ada Lovelace", store, "elsewhere")
  const other = await Conference.create({ server: SERVER, identity: renamed })
  await other.leave({ forget: false })
  await renamed.close()

  const identity = await room.openIdentity((await enteredAs(store, id))!.name, store, "back")
  for (const open of [Conference.resume, Conference.openKept]) {
    const back = await open({ id, identity })
    const mine: boolean[] = []
    back.channel("chat", { history: true }).on("message", ({ from }) => mine.push(from.self))
    await expect.poll(() => mine).toEqual([true])
    await back.leave({ forget: false })
  }
  await identity.close()
})

test("keeps the copy of a conference that is over until it is forgotten", async () => {
  const store = createMemoryStore()
  const { conference, identity } = await made(store, "The roof")
  await conference.channel("chat", { history: true }).send("before the end")
  conference.document("board").doc.getMap("elements").set("line", 1)
  const { id, timeFrame } = conference
  const closed = new Promise((resolve) => conference.on("closed", resolve))
  await expect(Conference.openKept({ id, identity })).rejects.toMatchObject({ code: "already-open" })
  vi.useFakeTimers({ toFake: ["Date"], now: timeFrame.endsAtMs })
  expect(await closed).toBe("conference-over")
  await expect(Conference.resume({ id, identity })).rejects.toMatchObject({ code: "conference-over" })
  expect((await Conference.kept({ identity })).map(({ about }) => about?.title)).toEqual(["The roof"])

  const copy = await Conference.openKept({ id, identity })
  expect(copy).toMatchObject({ copyOnly: true, title: "The roof", self: { role: "viewer" } })
  const texts: string[] = []
  copy.channel("chat", { history: true }).on("message", ({ text, from }) => texts.push(`${from.role}: ${text}`))
  await expect.poll(() => texts).toEqual(["host: before the end"])
  await expect.poll(() => copy.document("board").doc.getMap("elements").toJSON()).toEqual({ a: 1, line: 1 })
  await expect(copy.channel("chat", { history: true }).send("after it")).rejects.toMatchObject({
    code: "not-permitted",
  })
  expect(copy.view).toMatchObject({ status: "joining", members: [{ self: true }] })
  await copy.leave({ forget: false })
  expect(await Conference.kept({ identity })).toHaveLength(1)

  await (await Conference.openKept({ id, identity })).leave()
  expect(await Conference.kept({ identity })).toEqual([])
  await expect(Conference.openKept({ id, identity })).rejects.toMatchObject({ code: "no-invitation" })
  vi.useRealTimers()
  await identity.close()
})

test("says when a document of a copy has been read", async () => {
  const store = createMemoryStore()
  const read: typeof store.copies.read = async (...part) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return store.copies.read(...part)
  }
  const { conference, identity } = await made({ ...store, copies: { ...store.copies, read } }, "The roof")
  await conference.leave({ forget: false })
  const board = (await Conference.openKept({ id: conference.id, identity })).document("board")
  expect(board.doc.getMap("elements").toJSON()).toEqual({})
  await board.restored
  expect(board.doc.getMap("elements").toJSON()).toEqual({ a: 1 })
  await identity.close()
})

test("says of no document that it has been read while reads fail", async () => {
  const store = createMemoryStore()
  const read: typeof store.copies.read = async () => {
    throw new Error("no disk")
  }
  const { conference, identity } = await made({ ...store, copies: { ...store.copies, read } }, "The roof")
  await conference.leave({ forget: false })
  const copy = await Conference.openKept({ id: conference.id, identity })
  let isRestored = false
  const board = copy.document("board")
  const restored = board.restored.then(() => (isRestored = true))
  await expect.poll(() => copy.storage).toBe("failing")
  expect(isRestored).toBe(false)
  await copy.leave()
  await restored
  await identity.close()
})

test("refuses a host's acts in a copy, so that strangers can still join", async () => {
  const { conference, identity } = await made(createMemoryStore(), "The roof")
  const { id, invitation, timeFrame } = conference
  const bob = await room.join("Bob", invitation.url)
  await securedWith(conference, 2)
  await conference.leave({ forget: false })
  const copy = await Conference.openKept({ id, identity })
  expect(copy.admissionState.maySetEnd).toBe(false)
  const acts = [
    () => copy.setEnd("now"),
    () => copy.setEnd(timeFrame.endsAtMs),
    () => copy.remove(bob.self.id),
    () => copy.setRole(bob.self.id, "viewer"),
    () => copy.admit(bob.self.id),
    () => copy.refuse(bob.self.id),
    () => copy.sendLobbyMessage("hello", bob.self.id),
    () => copy.refreshKey(),
  ]
  for (const act of acts) await expect(act()).rejects.toMatchObject({ code: "not-permitted" })
  await securedWith(await room.join("Carol", invitation.url), 2)
  await identity.close()
})

test("the copy of a conference that is over still gives evidence that verifies", async () => {
  const { conference, identity } = await made(createMemoryStore(), "The roof")
  await conference.channel("chat", { history: true }).send("before the end")
  const { id, timeFrame } = conference
  const closed = new Promise((resolve) => conference.on("closed", resolve))
  vi.useFakeTimers({ toFake: ["Date"], now: timeFrame.endsAtMs })
  await closed
  const copy = await Conference.openKept({ id, identity })
  expect(await verifyEvidence(await copy.evidence([{ name: "board", text: "[]" }]))).toMatchObject({
    valid: true,
    evidence: {
      messages: [{ text: "before the end", certified: true }],
      exportedAtMs: expect.toSatisfy((atMs: number) => atMs >= timeFrame.endsAtMs),
    },
  })
  vi.useRealTimers()
  await identity.close()
})

test("has the last message in a copy that is opened as soon as a conference is over", async () => {
  const store = createMemoryStore()
  const append: typeof store.copies.append = async (...written) => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return store.copies.append(...written)
  }
  const { conference, identity } = await made({ ...store, copies: { ...store.copies, append } }, "The roof")
  const chat = conference.channel("chat", { history: true })
  await chat.send("the last but one")
  await chat.send("the last one")
  const closed = new Promise((resolve) => conference.on("closed", resolve))
  await conference.leave({ forget: false })
  await closed
  const copy = await Conference.openKept({ id: conference.id, identity })
  expect(await verifyEvidence(await copy.evidence([{ name: "board", text: "[]" }]))).toMatchObject({
    evidence: { messages: [{ text: "the last but one" }, { text: "the last one" }] },
  })
  await identity.close()
})

test("an impatient person gets a new connection to an absent server, keeps a live one", () => {
  const posted: HostCommand["type"][] = []
  const directory = new Directory(({ type }) => posted.push(type))
  directory.retry(SERVER)
  expect(posted).toEqual([])
  directory.use(SERVER)
  directory.retry(SERVER)
  expect(posted).toEqual(["bootstrap-connect", "bootstrap-disconnect", "bootstrap-connect"])
  directory.handle({ type: "bootstrap-state", server: SERVER, state: "up" })
  directory.retry(SERVER)
  expect(posted).toHaveLength(3)
})

test("enters again without the link after it has left and not forgotten", async () => {
  const store = createMemoryStore()
  const { conference, identity } = await made(store, "The roof")
  await conference.leave({ forget: false })
  expect((await Conference.kept({ identity })).map(({ id }) => id)).toEqual([conference.id])
  const again = await Conference.resume({ id: conference.id, identity })
  expect((await securedWith(again, 1)).members[0]!.self).toBe(true)
  await again.leave()
  expect(await Conference.kept({ identity })).toEqual([])
  await identity.close()
})
