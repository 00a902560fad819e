/** A JavaScript caller, whom no compiler tells of a wrong option: each is refused by name. */
import { runInNewContext } from "node:vm"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Conference } from "../../src/client/conference.ts"
import { Directory } from "../../src/client/directory/lazy-directory.ts"
import { Identity } from "../../src/client/identity.ts"
import type { IdentitiesHandle } from "../../src/api/index.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentitiesInNode, openIdentityInNode } from "../../src/node/open-identity.ts"
import { Room, securedWith } from "./harness.ts"

const room = new Room()
let ada: Conference
let bob: Conference
beforeAll(async () => {
  ada = await room.create("Ada")
  bob = await room.join("Bob", ada.invitation.url)
  await securedWith(ada, 2)
})
afterAll(() => room.close())

const server = "https://meet.example"
const wrong = (value: unknown) => value as never
const refused = (what: string) => ({ code: "invalid-argument", message: expect.stringContaining(`${what} must be `) })

test.each<[string, unknown]>([
  ["The argument", undefined],
  ["The argument", "https://meet.example"],
  ["server", {}],
  ["title", { server, title: 7 }],
  ["keyAgreement", { server, keyAgreement: "mls" }],
  ["history", { server, history: true }],
  ["authenticity", { server, authenticity: "none" }],
  ["durationMs", { server, durationMs: "1 day" }],
  ["durationMs", { server, durationMs: Number.NaN }],
  ["localCopy", { server, localCopy: "no" }],
  ["signal", { server, signal: new AbortController() }],
  ["ice", { server, ice: "relay" }],
  ["ice.transportPolicy", { server, ice: { transportPolicy: "turn" } }],
  ["admission", { server, admission: "approval" }],
  ["admission.policy", { server, admission: {} }],
  ["admission.policy", { server, admission: { policy: "everyone" } }],
  ["admission.members", { server, admission: { policy: "roster" } }],
  ["admission.members", { server, admission: { policy: "roster", members: [{ name: "Ada" }] } }],
  ["admission.authority", { server, admission: { policy: "ca" } }],
])("refuses to create a conference when %s is wrong in %j", async (what, options) => {
  await expect(Conference.create(wrong(options))).rejects.toMatchObject(refused(what))
})

test("refuses wrong options of every other way into a conference", async () => {
  const opensAtMs = refused("opensAtMs")
  await expect(Conference.schedule(wrong({ server }))).rejects.toMatchObject(opensAtMs)
  await expect(Conference.join(wrong({ url: new URL(server) }))).rejects.toMatchObject(refused("url"))
  await expect(Conference.resume(wrong({}))).rejects.toMatchObject(refused("id"))
  await expect(Conference.preview(wrong(null))).rejects.toMatchObject(refused("The argument"))
  await expect(Conference.forget(wrong({ id: 1 }))).rejects.toMatchObject(refused("id"))
  await expect(Identity.open(wrong("Ada"))).rejects.toMatchObject(refused("The argument"))
  await expect(Identity.open(wrong({ name: null }))).rejects.toMatchObject(refused("name"))
  await expect(Identity.open(wrong({ name: "Ada", bootstrap: {} }))).rejects.toMatchObject(refused("bootstrap"))
})

test("asks no other engine when the identity is none", async () => {
  const identity = wrong({ name: "Ada" })
  const { url } = ada.invitation
  const calls = [
    () => Conference.kept({ identity }),
    () => Conference.preview({ url, identity }),
    () => Conference.forget({ id: ada.id, identity }),
  ]
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "invalid-argument" })
})

test("names the entry for Node when a call without an identity needs a worker", async () => {
  const message = expect.stringContaining("@keymoot/core/node")
  for (const options of [undefined, null])
    await expect(Conference.kept(wrong(options))).rejects.toMatchObject({ code: "unsupported-browser", message })
})

test("refuses wrong options of a channel, and wrong names", () => {
  expect(() => ada.channel("chat", wrong({ history: "everything" }))).toThrow(
    expect.objectContaining(refused("history")),
  )
  for (const name of [undefined, 7, ["chat"]]) {
    const invalid = expect.objectContaining({ code: "invalid-argument" })
    expect(() => ada.channel(wrong(name))).toThrow(invalid)
    expect(() => ada.document(wrong(name))).toThrow(invalid)
  }
})

test.each<[string, unknown, unknown]>([
  ["A message", 7, {}],
  ["A message", undefined, {}],
  ["The argument", "hello", null],
  ["targets", "hello", { targets: "bob" }],
  ["readers", "hello", { readers: [7] }],
  ["onProgress", "hello", { onProgress: true }],
  ["signal", "hello", { signal: 1000 }],
])("refuses to send when %s is wrong", async (what, data, options) => {
  await expect(ada.channel("chat").send(wrong(data), wrong(options))).rejects.toMatchObject(refused(what))
})

/** A method by its path, such as `files.offer`. */
type Call = (...given: unknown[]) => unknown
const calls = (api: unknown) => api as Record<string, Call> & Record<"files", Record<string, Call>>
const offered = (conference: ReturnType<typeof calls>) => conference.files.offer!(new Blob(["x"]), { name: "a" })

test.each<[string, (conference: ReturnType<typeof calls>, channel: ReturnType<typeof calls>) => unknown]>([
  ["The argument", (conference) => conference.leave!(null)],
  ["forget", (conference) => conference.leave!({ forget: "x" })],
  ["documents", (conference) => conference.evidence!(null)],
  ["documents", (conference) => conference.evidence!("minutes")],
  ["documents", (conference) => conference.evidence!([1])],
  ["documents", (conference) => conference.evidence!([{ name: "minutes", text: 1 }])],
  ["role", (conference) => conference.setRole!(bob.self.id)],
  ["role", (conference) => conference.setRole!(bob.self.id, "boss")],
  ["role", (conference) => conference.admit!(bob.self.id, { role: "host" })],
  ["content", (conference) => conference.files.offer!("x", { name: "a" })],
  ["content", (conference) => conference.files.offer!("x", { name: "a", content: new Blob(["x"]) })],
  ["The argument", (conference) => conference.files.offer!(new Blob(["x"]), null)],
  ["name", (conference) => conference.files.offer!(new Blob(["x"]), { name: 3 })],
  ["signal", (conference) => conference.files.offer!(new Blob(["x"]), { name: "a", signal: 1000 })],
  ["content", (conference) => conference.files.offer!({ size: 3 }, { name: "a" })],
  ["signal", async (conference) => calls(await offered(conference)).fetch!({ signal: 3 })],
  ["onProgress", async (conference) => calls(await offered(conference)).fetch!({ onProgress: 3 })],
  ["text", (conference) => conference.checkScan!(bob.self.id)],
  ["text", (conference) => calls(conference.note!("draft")).write!()],
  ["The argument", (_, channel) => channel.request!("member", "x", null)],
  ["signal", (_, channel) => channel.request!("member", "x", { signal: 3 })],
  ["to", (_, channel) => channel.request!(undefined, "x")],
  ["handler", async (_, channel) => channel.answer!("x")],
  ["The argument", async (_, channel) => channel.answer!(() => null, null)],
  ["signal", async (_, channel) => channel.answer!(() => null, { signal: 3 })],
])("refuses a call of a conference when %s is wrong, in %s", async (what, call) => {
  await expect(call(calls(ada), calls(ada.channel("chat")))).rejects.toMatchObject(refused(what))
})

test.each<[string, () => unknown]>([
  ["erase nothing", () => ada.channel("chat").erase(wrong(undefined))],
  ["erase numbers", () => ada.channel("chat").erase(wrong([1]))],
  ["open no ticket", async () => ada.files.open(wrong(undefined), ada.self.id)],
  ["admit nobody", () => ada.admit(wrong(undefined), wrong(null))],
])("refuses to %s", async (_, call) => {
  await expect(call()).rejects.toMatchObject({ code: "invalid-argument" })
})

test.each<[string, () => Promise<unknown>]>([
  ["The argument", () => openIdentityInNode(wrong(undefined))],
  ["name", () => openIdentityInNode(wrong({}))],
  ["store", () => openIdentityInNode({ name: "Ada", store: wrong("bot.json") })],
  ["modules", () => openIdentityInNode({ name: "Ada", modules: wrong("own:cipher") })],
  ["The argument", () => openIdentitiesInNode(wrong(undefined))],
  ["store", () => openIdentitiesInNode(wrong({}))],
  ["The argument", () => Directory.open(wrong(undefined))],
  ["server", () => Directory.open(wrong({ server: new URL(server) }))],
])("refuses a call that opens something when %s is wrong, in %s", async (what, call) => {
  await expect(call()).rejects.toMatchObject(refused(what))
})

test("refuses wrong arguments of a directory", async () => {
  const directory = await Directory.open({ server })
  await expect(directory.find(wrong(3))).rejects.toMatchObject(refused("name"))
  await expect(directory.find("Ada", wrong(null))).rejects.toMatchObject(refused("The argument"))
  await expect(directory.conferences({ after: wrong(3) })).rejects.toMatchObject(refused("after"))
  await expect(directory.create(wrong(undefined))).rejects.toMatchObject({ code: "invalid-argument" })
  directory.close()
})

const passphrase = "correct horse battery"
test.each<[string, (identities: Record<keyof IdentitiesHandle, Call>) => unknown]>([
  ["The argument", (identities) => identities.create()],
  ["name", (identities) => identities.create({})],
  ["passphrase", (identities) => identities.create({ name: "Ada", passphrase: 123_456_789_012 })],
  ["The argument", (identities) => identities.restore()],
  ["backup", (identities) => identities.restore({ backup: new ArrayBuffer(9), passphrase })],
  ["passphrase", (identities) => identities.restore({ backup: new Uint8Array(9) })],
  ["name", (identities) => identities.rename("an id")],
  ["The argument", (identities) => identities.certify("an id")],
  ["certificate", (identities) => identities.certify("an id", {})],
  ["authority", (identities) => identities.certify("an id", { certificate: "PEM" })],
  ["id", (identities) => identities.rename(undefined, "Bob")],
  ["id", (identities) => identities.choose()],
  ["id", (identities) => identities.certificateRequest()],
  ["id", (identities) => identities.certify(undefined, { id: "an id", certificate: "PEM", authority: "PEM" })],
  ["id", (identities) => identities.remove()],
])("refuses a call about identities when %s is wrong, in %s", async (what, call) => {
  const identities = await openIdentitiesInNode({ store: createMemoryStore() })
  await expect(call(wrong(identities))).rejects.toMatchObject(refused(what))
  identities.close()
})

test("reads options of certify from the object itself, and ignores others", async () => {
  class Issued {
    readonly id = 17
    get certificate(): string {
      return "PEM"
    }
    readonly authority = "PEM"
  }
  const identities = await openIdentitiesInNode({ store: createMemoryStore() })
  const { identity } = await identities.create({ name: "Ada" })
  await expect(identities.certify(identity.id, new Issued())).rejects.toMatchObject({ code: "bad-certificate" })
  identities.close()
})

test("takes bytes of another frame, whose Uint8Array is another class", async () => {
  const foreign = (bytes: Uint8Array): Uint8Array => runInNewContext("new Uint8Array(bytes)", { bytes: [...bytes] })
  const identities = await openIdentitiesInNode({ store: createMemoryStore() })
  const { identity, backup } = await identities.create({ name: "Ada", passphrase })
  const { id } = identity
  expect(await identities.restore({ backup: foreign(backup!), passphrase })).toMatchObject({ id })
  const bytes = foreign(new Uint8Array([1]))
  const issued = { certificate: bytes, authority: bytes }
  await expect(identities.certify(id, issued)).rejects.toMatchObject({ code: "bad-certificate" })
  identities.close()
  expect(await ada.channel("bytes").send(bytes)).toMatchObject({ data: new Uint8Array([1]) })
})

test("takes the defaults of options that are null", async () => {
  const none = wrong(null)
  const host = await room.create("Dora")
  const all = { service: none, targets: none, readers: none, signal: none, onProgress: none }
  expect(await host.channel("chat", { history: none }).send("hello", all)).toMatchObject({ text: "hello" })
  const identity = await room.identity("Eve")
  const joined = await Conference.join({ url: host.invitation.url, identity, localCopy: none })
  expect(joined.storage).not.toBe("off")
  const content = new Blob(["x"], { type: "text/plain" })
  expect(await joined.files.offer(content, { name: "x", type: none })).toMatchObject({ type: "text/plain" })
  await joined.leave({ forget: false })
  const resumed = await Conference.resume({ id: host.id, identity, localCopy: none, late: none })
  expect(resumed.storage).not.toBe("off")
  await resumed.leave({ forget: none })
  expect(await Conference.kept({ identity })).toEqual([])
  const bot = await openIdentityInNode({ name: "Bot", store: none, modules: none, wrtc: wrong({}) })
  await bot.close()
})

test.each([null, undefined, Number.NaN, "soon", new Date()])("sets no end when it is %s", async (end) => {
  const { endsAtMs } = ada.timeFrame
  await expect(ada.setEnd(wrong(end))).rejects.toMatchObject(refused("end"))
  expect(ada.timeFrame.endsAtMs).toBe(endsAtMs)
})
