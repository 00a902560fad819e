import { afterEach, expect, test } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import type { Identity } from "../../../src/client/identity.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import { received, Room, securedWith } from "../harness.ts"

const SERVER = "http://localhost:1"
let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

function people(...names: string[]): Promise<Identity[]> {
  return Promise.all(names.map((name) => room.identity(name)))
}

type Mode = Conference["postQuantum"]
const MODES: readonly Mode[] = ["off", "hybrid"]

function create(creator: Identity, others: readonly Identity[], postQuantum: Mode = "off"): Promise<Conference> {
  const members = others.map(({ card }) => card)
  const admission = { policy: "roster", members } as const
  return Conference.create({ server: SERVER, identity: creator, admission, keyAgreement: "majority", postQuantum })
}

function sayTo(conferences: readonly Conference[], from: Conference, text: string): Promise<string[]> {
  const heard = conferences.map(async (to) => (await received(to, "chat", 1))[0]!.text)
  return Promise.all([...heard, from.channel("chat", { history: true }).send(text)]).then(() => Promise.all(heard))
}

test.each(MODES)("three of five meet, and a late member reads what was said (%s)", async (mode) => {
  const [ada, bob, cleo, dan, eve] = (await people("Ada", "Bob", "Cleo", "Dan", "Eve")) as [Identity, ...Identity[]]
  const first = await create(ada, [bob!, cleo!, dan!, eve!], mode)
  const { url } = first.invitation
  const second = await Conference.join({ url, identity: bob! })
  const third = await Conference.join({ url, identity: cleo! })
  const met = await Promise.all([first, second, third].map((conference) => securedWith(conference, 3)))
  expect(new Set(met.map(({ id }) => id)).size).toBe(1)
  expect(await sayTo([second, third], first, "we are a majority")).toEqual(Array(2).fill("we are a majority"))
  const fourth = await Conference.join({ url, identity: dan! })
  const said = received(fourth, "chat", 1)
  await Promise.all([first, second, third, fourth].map((conference) => securedWith(conference, 4)))
  expect((await said)[0]).toMatchObject({ text: "we are a majority", transferred: { authorKnown: true } })

  // The key is the roster's, present or not: a removal would keep nothing from anybody.
  const refusal = { code: "not-permitted", message: expect.stringContaining("Make another conference") }
  await expect(first.remove(fourth.self.id)).rejects.toMatchObject(refusal)
  await expect(first.setRole(fourth.self.id, "viewer")).rejects.toMatchObject(refusal)
  expect(fourth.view.members).toHaveLength(4)
})

test("two of five wait for a third without a key, and everybody sees who is named", async () => {
  const [ada, bob, cleo, dan, eve] = (await people("Ada", "Bob", "Cleo", "Dan", "Eve")) as [Identity, ...Identity[]]
  const first = await create(ada, [bob!, cleo!, dan!, eve!])
  const second = await Conference.join({ url: first.invitation.url, identity: bob! })
  await new Promise<void>((resolve) => {
    second.on("status", (view) => view.members.length === 2 && view.status === "agreeing" && resolve())
  })
  expect(second.admission).toMatchObject({ policy: "roster" })
  const named = second.admission.policy === "roster" ? second.admission.people.map(({ name }) => name) : []
  expect([...named].sort()).toEqual(["Ada", "Bob", "Cleo", "Dan", "Eve"])
  const third = await Conference.join({ url: first.invitation.url, identity: cleo! })
  await Promise.all([first, second, third].map((conference) => securedWith(conference, 3)))
})

test.each(MODES)("one member alone continues, and a reloaded one with another (%s)", async (mode) => {
  const [ada, cleo] = await people("Ada", "Cleo")
  const store = createMemoryStore()
  const bob = await room.identity("Bob", store)
  const first = await create(ada!, [bob, cleo!], mode)
  const { url, id } = { ...first.invitation, id: first.id }
  const second = await Conference.join({ url, identity: bob })
  await Promise.all([first, second].map((conference) => securedWith(conference, 2)))
  const alone = securedWith(first, 1)
  await bob.close()
  await alone
  await first.channel("chat", { history: true }).send("to nobody but myself")
  const again = await Conference.resume({ id, identity: await room.identity("Bob", store, "Bob again") })
  const said = received(again, "chat", 1)
  await Promise.all([first, again].map((conference) => securedWith(conference, 2)))
  expect((await said)[0]!.text).toBe("to nobody but myself")
})

test("a member of a hybrid roster leaves, returns, and shares the key again", async () => {
  const [ada, bob, cleo] = (await people("Ada", "Bob", "Cleo")) as [Identity, Identity, Identity]
  const first = await create(ada, [bob, cleo], "hybrid")
  const { url } = first.invitation
  const second = await Conference.join({ url, identity: bob })
  const third = await Conference.join({ url, identity: cleo })
  await Promise.all([first, second, third].map((conference) => securedWith(conference, 3)))
  await third.leave()
  await Promise.all([first, second].map((conference) => securedWith(conference, 2)))
  const again = await Conference.join({ url, identity: cleo })
  const met = await Promise.all([first, second, again].map((conference) => securedWith(conference, 3)))
  expect(new Set(met.map(({ id }) => id)).size).toBe(1)
  expect(await sayTo([first, second], again, "I am back")).toEqual(Array(2).fill("I am back"))
})

test("refuses a person that the roster does not name at once", async () => {
  const [ada, bob, mallory] = (await people("Ada", "Bob", "Mallory")) as [Identity, Identity, Identity]
  const conference = await create(ada, [bob])
  await expect(Conference.join({ url: conference.invitation.url, identity: mallory })).rejects.toMatchObject({
    code: "not-admitted",
    message: expect.stringContaining("Ada"),
  })
  expect(conference.view.members.map(({ name }) => name)).toEqual(["Ada"])
})

test("a renamed person keeps the roster's name, and two tabs are one person", async () => {
  const store = createMemoryStore()
  const bob = await room.identity("Bob", store)
  const [ada] = await people("Ada")
  const conference = await create(ada!, [bob])
  const bobby = await room.identity("Bobby", store, "Bobby")
  expect(bobby.card).not.toBe(bob.card)
  const joined = await Conference.join({ url: conference.invitation.url, identity: bobby })
  await Promise.all([conference, joined].map((each) => securedWith(each, 2)))
  expect([joined.self.name, joined.self.id]).toEqual(["Bob", bob.member])
  expect(conference.view.members.map(({ name }) => name).sort()).toEqual(["Ada", "Bob"])
  const bothNames = [bob.card, bobby.card]
  const twice = Conference.create({
    server: SERVER,
    identity: ada!,
    admission: { policy: "roster", members: bothNames },
  })
  await expect(twice).rejects.toMatchObject({ code: "named-twice", message: expect.stringContaining("Bobby") })
})

test("a new key on request under majority, and a roster under another module", async () => {
  const [ada, bob] = await people("Ada", "Bob")
  const conference = await create(ada!, [bob!])
  const joined = await Conference.join({ url: conference.invitation.url, identity: bob! })
  await Promise.all([conference, joined].map((each) => securedWith(each, 2)))
  const before = await joined.keyStructure()
  expect(before).toMatchObject({ kind: "quorum" })
  const tree = await Conference.create({
    server: SERVER,
    identity: ada!,
    keyAgreement: "tgdh",
    admission: { policy: "roster", members: [bob!.card] },
  })
  const second = await Conference.join({ url: tree.invitation.url, identity: bob! })
  await Promise.all([tree, second].map((each) => securedWith(each, 2)))
  expect([joined.keyAgreement, second.keyAgreement]).toEqual(["majority", "tgdh"])
})

test.each([
  ["majority without signed messages", { keyAgreement: "majority", authenticity: "group" }, "signature"],
  ["majority without a roster", { keyAgreement: "majority" }, "roster"],
  ["a roster that names nobody else", { admission: { policy: "roster", members: [] } }, "Name at least one"],
] as const)("%s is refused, and the message says what to do", async (_, options, words) => {
  const [ada] = await people("Ada")
  await expect(Conference.create({ server: SERVER, identity: ada!, ...options })).rejects.toMatchObject({
    code: "invalid-argument",
    message: expect.stringContaining(words),
  })
})
