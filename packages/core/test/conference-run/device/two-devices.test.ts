/** One key on two devices, and certificates that are renewed meanwhile. */
import { afterEach, expect, test, vi } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { verifyEvidence } from "../../../src/evidence/index.ts"
import { createCertificate } from "../../../src/identity/certificates/certificate.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../../src/identity/store.ts"
import { openIdentitiesInNode } from "../../../src/node/open-identity.ts"
import { TestAuthority } from "../../identity/authorities.ts"
import { received, Room, securedWith, SERVER } from "../harness.ts"

// Two devices have no locks in common, and here they share a process.
vi.mock(import("../../../src/queues/exclusive-lock.ts"), () => ({
  acquireLock: () => Promise.resolve(() => undefined),
  isLockHeld: () => Promise.resolve(false),
}))

let room = new Room()
afterEach(async () => {
  await room.close()
  vi.useRealTimers()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const DAY_MS = 24 * 60 * 60 * 1000
const acme = await TestAuthority.create("Acme Ltd", { notAfter: new Date(Date.now() + 30 * DAY_MS) })
const closing = (conference: Conference): Promise<string> => new Promise((resolve) => conference.on("closed", resolve))
const names = (conference: Conference): string[] => conference.view.members.map(({ name }) => name).toSorted()

/** The authority's certificate for the identity of this device; `fields`: of its certificate. */
async function certify(store: IdentityStore, name: string, fields: object = {}, by = acme): Promise<void> {
  const identities = await openIdentitiesInNode({ store })
  const [own] = await identities.list()
  const certificate = await by.answer(await identities.certificateRequest(own!.id), name, fields)
  await identities.certify(own!.id, { certificate, authority: by.certificate })
  identities.close()
}

const RENEWED = { serialNumber: "5102030405060708090a0b0c0d0e0f10" }
const ofAcme = { policy: "ca", authority: acme.certificate } as const

async function newPersonOfAcme(name: string, fields: object = {}) {
  const store = createMemoryStore()
  await (await room.openIdentity(name, store)).close()
  await certify(store, name, fields)
  return room.identity(name, store)
}

test("a named person on a second device is there once, and the first is notified", async () => {
  // A second device with the same key: what else is in the store plays no part here.
  const store = createMemoryStore()
  const bobHere = await room.identity("Bob", store, "Bob here")
  const ada = await room.create("Ada", { admission: { policy: "roster", members: [bobHere.card] } })
  const { url } = ada.invitation
  const before = await Conference.join({ url, identity: bobHere })
  await Promise.all([ada, before].map((conference) => securedWith(conference, 2)))
  const told = closing(before)
  const after = await Conference.join({ url, identity: await room.identity("Bob", store, "Bob there") })
  expect(await told).toBe("opened-elsewhere")
  await securedWith(after, 2)
  expect(after.self.id).toBe(before.self.id)
  await after.channel("chat").send("from there")
  expect([names(ada), names(after)]).toEqual([
    ["Ada", "Bob"],
    ["Ada", "Bob"],
  ])
  // Taking it back is another life.
  const toldThere = closing(after)
  const back = await Conference.resume({ id: ada.id, identity: bobHere })
  expect(await toldThere).toBe("opened-elsewhere")
  await securedWith(back, 2)
})

test("the own other device can be neither verified nor removed", async () => {
  const [here, there] = [createMemoryStore(), createMemoryStore()]
  const identity = await room.identity("Ada", here)
  const record = (await here.load())!
  // As a restored backup has it.
  await there.save({ ...record, certificate: await createCertificate("Ada", record.keyPair, Date.now()) })
  const ada = await Conference.create({ server: SERVER, identity })
  const { url } = ada.invitation
  const other = await Conference.join({ url, identity: await room.identity("Ada", there, "Ada's phone") })
  await Promise.all([ada, other].map((conference) => securedWith(conference, 2)))
  const { id, publicKey } = other.self
  expect([id === ada.self.id, publicKey === ada.self.publicKey]).toEqual([false, true])
  const refusal = { code: "invalid-argument", message: expect.stringContaining("your own other device") }
  for (const attempt of [ada.pairCode(id), ada.verify(id), ada.checkScan(id, ""), ada.remove(id)])
    await expect(attempt).rejects.toMatchObject(refusal)
})

test("a member with a renewed certificate stays, and returns as the same member", async () => {
  const ada = await Conference.create({ server: SERVER, identity: await newPersonOfAcme("Ada"), admission: ofAcme })
  const store = createMemoryStore()
  await (await room.openIdentity("Bob", store)).close()
  await certify(store, "Bob Bell")
  const bob = await Conference.join({
    url: ada.invitation.url,
    identity: await room.identity("Bob", store, "Bob here"),
  })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const code = await ada.conferenceCode()
  await certify(store, "Bob Bell-Meyer", RENEWED)
  // The conference goes on under the certificate that it was entered with: a new key, and what is said, as before.
  const third = await Conference.join({ url: ada.invitation.url, identity: await newPersonOfAcme("Cleo") })
  await Promise.all([ada, bob, third].map((conference) => securedWith(conference, 3)))
  await bob.channel("chat").send("still here")
  expect(names(third)).toEqual(["Ada", "Bob Bell", "Cleo"])
  await third.leave()
  await securedWith(ada, 2)

  const told = closing(bob)
  const again = await Conference.join({
    url: ada.invitation.url,
    identity: await room.identity("Bob", store, "Bob there"),
  })
  expect(await told).toBe("opened-elsewhere")
  await expect.poll(() => names(ada), WAIT).toEqual(["Ada", "Bob Bell-Meyer"])
  await securedWith(again, 2)
  expect(again.self.id).toBe(bob.self.id)
  expect(await again.conferenceCode()).toBe(code)
})

test("an expired certificate is refused with the reason, and a renewed one admitted", async () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ["Date"], now })
  const long = { notAfter: new Date(now + 10 * DAY_MS) }
  const identity = await newPersonOfAcme("Ada", long)
  const ada = await Conference.create({ server: SERVER, identity, admission: ofAcme, durationMs: 5 * DAY_MS })
  const { url } = ada.invitation
  const store = createMemoryStore()
  await (await room.openIdentity("Bob", store)).close()
  await certify(store, "Bob")
  vi.setSystemTime(now + 2 * DAY_MS)
  const bob = await room.openIdentity("Bob", store)
  const refusal = { code: "not-admitted", message: expect.stringMatching(/certificate of it: .*(?:expired|over)/u) }
  await expect(Conference.join({ url, identity: bob })).rejects.toMatchObject(refusal)
  await bob.close()
  await certify(store, "Bob", { ...RENEWED, ...long })
  const again = await Conference.join({ url, identity: await room.identity("Bob", store) })
  await Promise.all([ada, again].map((conference) => securedWith(conference, 2)))
})

test("a copy shows its messages when the certificates of their authors are over", async () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ["Date"], now })
  const identity = await newPersonOfAcme("Ada")
  const ada = await Conference.create({ server: SERVER, identity, admission: ofAcme, durationMs: DAY_MS / 24 })
  const bob = await Conference.join({ url: ada.invitation.url, identity: await newPersonOfAcme("Bob") })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await bob.channel("chat", { history: true }).send("I am Bob")
  await ada.channel("chat", { history: true }).send("I am Ada")
  await received(ada, "chat", 2)
  await ada.leave({ forget: false })
  // The authority's own certificate is over too.
  vi.setSystemTime(now + 40 * DAY_MS)
  const copy = await Conference.openKept({ id: ada.id, identity })
  const refused: string[] = []
  copy.on("security", ({ code }) => refused.push(code))
  const texts = (await received(copy, "chat", 2)).map(({ text, from }) => `${from.name}: ${text}`)
  expect(texts).toEqual(["Bob: I am Bob", "Ada: I am Ada"])
  expect(refused).toEqual([])
})

/** A copy of a conference that ended 40 days ago, as has the certificate of the only member. */
async function oldCopy() {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ["Date"], now })
  const authority = await TestAuthority.create("Lasting Ltd", { notAfter: new Date(now + 365 * DAY_MS) })
  const store = createMemoryStore()
  await (await room.openIdentity("Ada", store)).close()
  await certify(store, "Ada", {}, authority)
  const admission = { policy: "ca", authority: authority.certificate } as const
  const identity = await room.openIdentity("Ada", store)
  const ada = await Conference.create({ server: SERVER, identity, admission, durationMs: DAY_MS / 24 })
  await ada.channel("chat", { history: true }).send("before the end")
  await identity.close()
  vi.setSystemTime(now + 40 * DAY_MS)
  const renewed = { ...RENEWED, notBefore: new Date(Date.now()), notAfter: new Date(Date.now() + 10 * DAY_MS) }
  return {
    open: async (host: string) =>
      Conference.openKept({ id: ada.id, identity: await room.identity("Ada", store, host) }),
    renew: () => certify(store, "Ada", renewed, authority),
  }
}

test("a copy opens with a certificate that was renewed after the end", async () => {
  const { open, renew } = await oldCopy()
  await renew()
  const copy = await open("Ada later")
  expect(await received(copy, "chat", 1)).toMatchObject([{ text: "before the end", from: { self: true } }])
})

test("gives no evidence that cannot be valid when the certificate has expired", async () => {
  const { open, renew } = await oldCopy()
  const copy = await open("Ada later")
  const refused: string[] = []
  copy.on("security", ({ code }) => refused.push(code))
  await expect(copy.evidence()).rejects.toMatchObject({ code: "bad-certificate" })
  expect(refused).toEqual([])
  await copy.leave({ forget: false })
  await renew()
  expect(await verifyEvidence(await (await open("Ada again")).evidence())).toMatchObject({
    valid: true,
    evidence: { messages: [{ text: "before the end", certified: true }] },
  })
})

test("a certificate from after the planned end admits to an extended conference", async () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ["Date"], now })
  const identity = await newPersonOfAcme("Ada", { notAfter: new Date(now + 10 * DAY_MS) })
  const ada = await Conference.create({ server: SERVER, identity, admission: ofAcme, durationMs: DAY_MS / 24 })
  await ada.setEnd(now + DAY_MS)
  vi.setSystemTime(now + DAY_MS / 2)
  const bob = await newPersonOfAcme("Bob", { notBefore: new Date(Date.now()) })
  await securedWith(await Conference.join({ url: ada.invitation.url, identity: bob }), 2)
})

test("a newcomer gets messages from before their author's certificate was over", async () => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ["Date"], now })
  const long = { notAfter: new Date(now + 10 * DAY_MS) }
  const identity = await newPersonOfAcme("Ada", long)
  const ada = await Conference.create({ server: SERVER, identity, admission: ofAcme, durationMs: 5 * DAY_MS })
  const { url } = ada.invitation
  const bob = await Conference.join({ url, identity: await newPersonOfAcme("Bob") })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await bob.channel("chat", { history: true }).send("I am Bob")
  await bob.leave()
  vi.setSystemTime(now + 2 * DAY_MS)
  const cleo = await Conference.join({ url, identity: await newPersonOfAcme("Cleo", long) })
  const [message] = await received(cleo, "chat", 1)
  expect(message).toMatchObject({ text: "I am Bob", from: { name: "Bob" }, transferred: { by: { name: "Ada" } } })
})
