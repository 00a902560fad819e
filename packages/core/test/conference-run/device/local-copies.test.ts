import { afterEach, expect, test, vi } from "vitest"
import * as Y from "yjs"
import { KeymootError } from "../../../src/api/index.ts"
import { Conference } from "../../../src/client/conference.ts"
import { UNOPENED_MAX } from "../../../src/client/parts.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../../src/identity/store.ts"
import { ConferenceRuntime } from "../../../src/runtime/conference-runtime.ts"
import { KeptCopy } from "../../../src/device/kept-copy.ts"
import { LogCopy } from "../../../src/device/log-copy.ts"
import { LocalCopy } from "../../../src/device/stores/local-copy.ts"
import { reportedErrors } from "../../client/reported-errors.ts"
import { received, Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await room.close()
  room = new Room()
})

const board = (conference: Conference) => conference.document("board").doc.getMap("elements")
const says = (conference: Conference, text: string) => conference.channel("chat", { history: true }).send(text)

/** A new life of the same member on the same device, as after a reload or a crash. */
async function again(name: string, store: IdentityStore, id: string, life: string): Promise<Conference> {
  return Conference.resume({ id, identity: await room.identity(name, store, life) })
}

async function alone(store: IdentityStore) {
  const identity = await room.identity("Ada", store, "Ada's first life")
  const conference = await Conference.create({ server: "http://localhost:1", identity })
  await securedWith(conference, 1)
  return { identity, conference }
}

test("finds what was drawn and said when it reloads alone", async () => {
  const store = createMemoryStore()
  const { identity, conference } = await alone(store)
  board(conference).set("a", 1)
  board(conference).set("b", 2)
  await says(conference, "hello")
  await says(conference, "anybody here?")
  await expect.poll(() => kept(store, conference)).toBeGreaterThan(0)
  await identity.close()
  const later = await again("Ada", store, conference.id, "Ada's second life")
  await expect.poll(() => board(later).toJSON()).toEqual({ a: 1, b: 2 })
  const messages = await received(later, "chat", 2)
  expect(messages.map(({ text, transferred }) => [text, transferred])).toEqual([
    ["hello", null],
    ["anybody here?", null],
  ])
  expect(messages[0]!.from).toMatchObject({ name: "Ada", self: true })
})

test("tells earlier messages by their view when a bot's copy is read late", async () => {
  const store = createMemoryStore()
  const { identity, conference } = await alone(store)
  await says(conference, "ping")
  await expect.poll(() => keptTexts(store, conference)).toEqual(["ping"])
  await identity.close()

  const disk = { broken: true }
  const read: typeof store.copies.read = async (...part) => {
    if (disk.broken) throw new Error("no database")
    return store.copies.read(...part)
  }
  const copies = { ...store.copies, read }
  const later = await again("Ada", { ...store, copies }, conference.id, "Ada's second life")
  const views: string[] = []
  later.on("view", ({ id }) => views.push(id))
  const chat = later.channel("chat", { history: true })
  expect(chat.log().getSnapshot()).toEqual([])
  const texts: string[] = []
  chat.on("message", ({ text, position }) => texts.push(views.includes(position.view) ? text : `${text} again`))
  await chat.send("pong")
  disk.broken = false
  await expect.poll(() => texts).toEqual(["pong", "ping again"])
})

test("says who passed a message on after a reload with nobody there to ask", async () => {
  const { conference: ada } = await alone(createMemoryStore())
  await says(ada, "before Bob")
  const store = createMemoryStore()
  const identity = await room.identity("Bob", store)
  const bob = await Conference.join({ url: ada.invitation.url, identity })
  const [before] = await received(bob, "chat", 1)
  expect(before).toMatchObject({ text: "before Bob", transferred: { by: { name: "Ada" } } })
  await expect.poll(() => keptTexts(store, bob)).toEqual(["before Bob"])
  await identity.close()
  room.network.cut("Ada's first life", "Bob's second life")
  const later = await again("Bob", store, bob.id, "Bob's second life")
  const [after] = await received(later, "chat", 1)
  expect(after).toMatchObject({ text: "before Bob", transferred: { by: { name: "Ada", id: ada.self.id } } })
})

test("shares what was drawn alone before a crash when members meet again", async () => {
  const store = createMemoryStore()
  const { identity, conference } = await alone(store)
  const bob = await room.join("Bob", conference.invitation.url)
  await Promise.all([securedWith(conference, 2), securedWith(bob, 2)])
  room.network.cut("Ada's first life", "Bob")
  await Promise.all([securedWith(conference, 1), securedWith(bob, 1)])
  board(conference).set("ada's", true)
  board(bob).set("bob's", true)
  await expect.poll(() => kept(store, conference)).toBeGreaterThan(0)
  await identity.close()
  const later = await again("Ada", store, conference.id, "Ada's second life")
  const both = { "ada's": true, "bob's": true }
  await expect.poll(() => board(bob).toJSON()).toEqual(both)
  await expect.poll(() => board(later).toJSON()).toEqual(both)
})

test("finds a channel after a reload that stands behind many others in the log", async () => {
  const store = createMemoryStore()
  const { identity, conference } = await alone(store)
  const names = Array.from({ length: UNOPENED_MAX }, (_, i) => `junk ${i}`)
  for (const name of names) await conference.channel(name, { history: true }).send("x")
  await says(conference, "hello")
  await expect.poll(() => keptTexts(store, conference)).toContain("hello")
  await identity.close()
  const later = await again("Ada", store, conference.id, "Ada's second life")
  const log = later.channel("chat", { history: true }).log()
  await expect.poll(() => log.getSnapshot()).toMatchObject([{ text: "hello" }])
})

test("keeps and restores a document though an observer throws during the restore", async () => {
  const store = createMemoryStore()
  const { identity, conference } = await alone(store)
  for (const key of ["a", "b"]) {
    const before = await kept(store, conference)
    board(conference).set(key, 1)
    await expect.poll(() => kept(store, conference)).toBeGreaterThan(before)
  }
  await identity.close()
  const later = await again("Ada", store, conference.id, "Ada's second life")
  const reported = reportedErrors()
  const failure = new Error("a bug in the observer")
  let first = true
  board(later).observe(() => {
    if (!first) return
    first = false
    throw failure
  })
  await expect.poll(() => board(later).toJSON()).toEqual({ a: 1, b: 1 })
  const before = await kept(store, conference)
  board(later).set("c", 1)
  await expect.poll(() => kept(store, conference)).toBeGreaterThan(before)
  expect(reported).toEqual([failure])
})

test("keeps a note on the device for the next run of the page", async () => {
  const store = createMemoryStore()
  const { identity, conference } = await alone(store)
  expect(await conference.note("draft").read()).toBeNull()
  await conference.note("draft").write("what I was about to sa")
  await conference.note("draft").write("what I was about to say")
  await identity.close()
  const later = await again("Ada", store, conference.id, "Ada's second life")
  expect(await later.note("draft").read()).toBe("what I was about to say")
})

test("leaving forgets the copy", async () => {
  const store = createMemoryStore()
  const { identity, conference } = await alone(store)
  const url = conference.invitation.url
  board(conference).set("a", 1)
  await expect.poll(() => kept(store, conference)).toBeGreaterThan(0)
  await conference.leave()
  const later = await Conference.join({ url, identity })
  await securedWith(later, 1)
  expect(board(later).toJSON()).toEqual({})
})

test("leaving a conference that is over for this member forgets the copy, too", async () => {
  const store = createMemoryStore()
  const { conference } = await alone(store)
  board(conference).set("a", 1)
  await expect.poll(() => kept(store, conference)).toBeGreaterThan(0)
  await conference.leave({ forget: false })
  expect(await kept(store, conference)).toBeGreaterThan(0)
  await conference.leave()
  expect(await kept(store, conference)).toBe(0)
})

test("leaves no copy when a member wants none", async () => {
  const store = createMemoryStore()
  let written = 0
  const watched = { ...store, copies: { ...store.copies, append: async () => void written++ } }
  const identity = await room.identity("Ada", watched)
  const conference = await Conference.create({ server: "http://localhost:1", identity, localCopy: false })
  await securedWith(conference, 1)
  board(conference).set("a", 1)
  await says(conference, "hello")
  expect(conference.storage).toBe("off")
  expect(written).toBe(0)
})

/** A device whose disk is full for as long as `full` says. */
function guardedStore() {
  const store = createMemoryStore()
  const disk = { full: true }
  const guarded = <A extends unknown[]>(write: (...args: A) => Promise<void>) => {
    return (...args: A) => (disk.full ? Promise.reject(new KeymootError("internal", "disk full")) : write(...args))
  }
  const { append, replace } = store.copies
  const copies = { ...store.copies, append: guarded(append), replace: guarded(replace) }
  return { disk, store: { ...store, copies } }
}

test("reports a full disk, continues, and catches up when there is room again", async () => {
  const { disk, store } = guardedStore()
  const { identity, conference } = await alone(store)
  const states: string[] = []
  conference.on("storage", (state) => states.push(state))
  board(conference).set("a", 1)
  await expect.poll(() => states).toEqual(["kept", "failing"])
  disk.full = false
  board(conference).set("b", 2)
  await expect.poll(() => states).toEqual(["kept", "failing", "kept"])
  await identity.close()
  const later = await again("Ada", store, conference.id, "Ada's second life")
  await expect.poll(() => board(later).toJSON()).toEqual({ a: 1, b: 2 })
})

test("stores messages sent while the disk was full once there is room, in any order", async () => {
  const { disk, store } = guardedStore()
  disk.full = false
  const { identity, conference } = await alone(store)
  await says(conference, "before")
  await expect.poll(() => keptTexts(store, conference)).toEqual(["before"])
  disk.full = true
  const failing = new Promise<void>((resolve) => conference.on("storage", (state) => state === "failing" && resolve()))
  await says(conference, "while it was full")
  await failing
  await says(conference, "still full")
  disk.full = false
  // Not the log: it must not wait until somebody says something again.
  await conference.note("draft").write("a draft")
  await expect.poll(() => conference.storage).toBe("kept")
  await expect.poll(() => keptTexts(store, conference)).toEqual(["before", "while it was full", "still full"])
  await says(conference, "after")
  await expect.poll(() => keptTexts(store, conference)).toContain("after")
  await identity.close()
})

test("says whether a note is stored when it was written to a full disk", async () => {
  const { disk, store } = guardedStore()
  const { identity, conference } = await alone(store)
  disk.full = true
  expect(await conference.note("draft").write("a draft")).toBe(false)
  disk.full = false
  expect(await conference.note("draft").write("a draft")).toBe(true)
  await identity.close()
})

test("loses nothing of its copy when the storage can't be opened at first", async () => {
  const store = createMemoryStore()
  const first = await alone(store)
  board(first.conference).set("before", 1)
  await says(first.conference, "before")
  await expect.poll(() => kept(store, first.conference)).toBeGreaterThan(0)
  await expect.poll(() => keptTexts(store, first.conference)).toEqual(["before"])
  await first.identity.close()

  const disk = { broken: true }
  const copies = Object.fromEntries(
    Object.entries(store.copies).map(([name, call]: [string, (...args: never[]) => Promise<unknown>]) => [
      name,
      (...args: never[]) => (disk.broken ? Promise.reject(new Error("no database")) : call(...args)),
    ]),
  ) as unknown as IdentityStore["copies"]
  const later = await again("Ada", { ...store, copies }, first.conference.id, "Ada's second life")
  const log = later.channel("chat", { history: true }).log()
  board(later).set("meanwhile", 1)
  await says(later, "meanwhile")
  await expect.poll(() => later.storage).toBe("failing")
  disk.broken = false
  await expect.poll(() => board(later).toJSON()).toEqual({ before: 1, meanwhile: 1 })
  await expect.poll(() => log.getSnapshot().map(({ text }) => text)).toEqual(["before", "meanwhile"])
  await says(later, "after")
  await expect.poll(() => keptTexts(store, later)).toEqual(["before", "meanwhile", "after"])
  await expect.poll(() => later.storage).toBe("kept")
  await expect.poll(() => keptDocument(store, later)).toEqual({ before: 1, meanwhile: 1 })
})

/** A device whose first write of a board takes until `release` is called. */
function slowStore() {
  const store = createMemoryStore()
  const slow = { writing: false, release: (): void => undefined }
  const released = new Promise<void>((resolve) => (slow.release = resolve))
  const append = async (...args: Parameters<typeof store.copies.append>): Promise<void> => {
    if (args[1] === "application/document/board") {
      slow.writing = true
      await released
    }
    return store.copies.append(...args)
  }
  return { slow, store: { ...store, copies: { ...store.copies, append } } }
}

test("leaves when the copy has what was drawn during a slow write", async () => {
  const { slow, store } = slowStore()
  const { conference } = await alone(store)
  const close = ConferenceRuntime.prototype.close
  let atClose: object | null = null
  vi.spyOn(ConferenceRuntime.prototype, "close").mockImplementation(async function (this: ConferenceRuntime, reason) {
    atClose ??= await keptDocument(store, conference)
    return close.call(this, reason)
  })
  board(conference).set("a", 1)
  await expect.poll(() => slow.writing).toBe(true)
  board(conference).set("b", 2)
  const left = conference.leave({ forget: false })
  slow.release()
  await left
  expect(atClose).toEqual({ a: 1, b: 2 })
})

test("keeps what was drawn during a slow write when the conference ends", async () => {
  const { slow, store } = slowStore()
  const { conference } = await alone(store)
  const settle = KeptCopy.prototype.settle
  vi.spyOn(KeptCopy.prototype, "settle").mockImplementation(function (this: KeptCopy) {
    slow.release()
    return settle.call(this)
  })
  board(conference).set("a", 1)
  await expect.poll(() => slow.writing).toBe(true)
  board(conference).set("b", 2)
  const closed = new Promise((resolve) => conference.on("closed", resolve))
  await conference.setEnd("now")
  expect(await closed).toBe("conference-over")
  expect(await keptDocument(store, conference)).toEqual({ a: 1, b: 2 })
})

/** The board that another incarnation would find. */
async function keptDocument(store: IdentityStore, conference: Conference): Promise<object> {
  const copy = new LocalCopy(store.copies, await publicKeyOf(store), conference.id)
  const doc = new Y.Doc()
  for (const update of await copy.read("application/document/board")) Y.applyUpdate(doc, update)
  return doc.getMap("elements").toJSON()
}

/** Bytes that are kept of the board, once no write is under way. */
async function kept(store: IdentityStore, conference: Conference): Promise<number> {
  const id = `${Buffer.from(await publicKeyOf(store)).toString("hex")}/${conference.id}`
  const records = await store.copies.read(id, "application/document/board")
  return records.reduce((total, { length }) => total + length, 0)
}

/** The log that another incarnation would find. */
async function keptTexts(store: IdentityStore, conference: Conference): Promise<string[]> {
  const copy = new LocalCopy(store.copies, await publicKeyOf(store), conference.id)
  const snapshots = await new LogCopy(copy, (_, outcome) => outcome).read()
  return snapshots!.flatMap(({ items }) => items.map(({ payload }) => new TextDecoder().decode(payload)))
}

async function publicKeyOf(store: IdentityStore): Promise<Uint8Array> {
  const identity = await store.load()
  return new Uint8Array(await crypto.subtle.exportKey("raw", identity!.keyPair.publicKey))
}
