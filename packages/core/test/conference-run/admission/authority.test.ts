import { afterEach, expect, test } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../../src/identity/store.ts"
import { openIdentitiesInNode } from "../../../src/node/open-identity.ts"
import { TestAuthority } from "../../identity/authorities.ts"
import { received, Room, securedWith, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

/** A device whose identity the authority has certified on its own request, under a name of the authority's choice. */
async function certified(authority: TestAuthority, name: string, certifiedName: string): Promise<IdentityStore> {
  const store = createMemoryStore()
  const identities = await openIdentitiesInNode({ store })
  const { identity } = await identities.create({ name })
  const certificate = await authority.answer(await identities.certificateRequest(identity.id), certifiedName)
  const { certifications } = await identities.certify(identity.id, { certificate, authority: authority.certificate })
  expect(certifications).toMatchObject([{ name: certifiedName, authority: { name: "Acme Ltd" } }])
  identities.close()
  return store
}

const OTHER_SERIAL = { serialNumber: "5102030405060708090a0b0c0d0e0f10" }
const acme = await TestAuthority.create("Acme Ltd")

test("certified members meet under certified names, and their messages outlive them", async () => {
  const ada = await room.identity("Ada", await certified(acme, "Ada", "Dr Ada Lovelace"))
  const bob = await room.identity("Bob", await certified(acme, "Bob", "Bob Bell"))
  const first = await Conference.create({
    server: SERVER,
    identity: ada,
    admission: { policy: "ca", authority: acme.certificate },
  })
  const second = await Conference.join({ url: first.invitation.url, identity: bob })
  const view = await securedWith(second, 2)
  await securedWith(first, 2)
  expect(view.members.map(({ name }) => name).sort()).toEqual(["Bob Bell", "Dr Ada Lovelace"])
  expect(second.admission).toMatchObject({ policy: "ca", authority: { name: "Acme Ltd" } })
  const heard = received(second, "chat", 1)
  await first.channel("chat", { history: true }).send("certified")
  expect((await heard)[0]).toMatchObject({ text: "certified", from: { name: "Dr Ada Lovelace" } })
  await first.leave()
  const cleo = await room.identity("Cleo", await certified(acme, "Cleo", "Cleo"))
  const third = await Conference.join({ url: first.invitation.url, identity: cleo })
  expect((await received(third, "chat", 1))[0]).toMatchObject({
    transferred: { by: { name: "Bob Bell" }, authorKnown: true },
    from: { name: "Dr Ada Lovelace" },
  })
})

test("a member with a renewed certificate keeps its messages and its code", async () => {
  const ada = await room.identity("Ada", await certified(acme, "Ada", "Ada"))
  const admission = { policy: "ca", authority: acme.certificate } as const
  const first = await Conference.create({ server: SERVER, identity: ada, admission })
  const store = await certified(acme, "Bob", "Bob Bell")
  const before = await room.openIdentity("Bob", store)
  const bob = await Conference.join({ url: first.invitation.url, identity: before })
  await Promise.all([first, bob].map((conference) => securedWith(conference, 2)))
  const [code, { id }] = [await first.conferenceCode(), bob.self]
  await bob.channel("chat", { history: true }).send("before")
  await before.close()
  await securedWith(first, 1)

  const identities = await openIdentitiesInNode({ store })
  const [own] = await identities.list()
  const renewed = await acme.answer(await identities.certificateRequest(own!.id), "Bob Bell-Meyer", OTHER_SERIAL)
  await identities.certify(own!.id, { certificate: renewed, authority: acme.certificate })
  identities.close()
  const again = await Conference.resume({ id: first.id, identity: await room.identity("Bob", store, "Bob again") })
  await Promise.all([first, again].map((conference) => securedWith(conference, 2)))
  for (const conference of [first, again]) {
    expect(conference.view.members.map((member) => [member.id, member.name])).toContainEqual([id, "Bob Bell-Meyer"])
    expect(await conference.conferenceCode()).toBe(code)
  }
  expect(again.self.id).toBe(id)
  const [said] = await received(again, "chat", 1)
  expect(said).toMatchObject({ text: "before", from: { id, self: true } })
  const heard = received(first, "chat", 2)
  await again.channel("chat", { history: true }).send("after")
  expect((await heard).map(({ from }) => from.id)).toEqual([id, id])
})

test("a person without the authority's certificate can neither join nor create", async () => {
  const ada = await room.identity("Ada", await certified(acme, "Ada", "Ada"))
  const admission = { policy: "ca", authority: acme.certificate } as const
  const first = await Conference.create({ server: SERVER, identity: ada, admission })
  const eve = await room.identity("Eve")
  const refusal = { code: "not-admitted", message: expect.stringContaining("Acme Ltd") }
  await expect(Conference.join({ url: first.invitation.url, identity: eve })).rejects.toMatchObject(refusal)
  await expect(Conference.create({ server: SERVER, identity: eve, admission })).rejects.toMatchObject(refusal)
  // The same name, another key: a certificate of it is no help.
  const other = await TestAuthority.create("Acme Ltd")
  const mallory = await room.identity("Mallory", await certified(other, "Mallory", "Ada"))
  await expect(Conference.join({ url: first.invitation.url, identity: mallory })).rejects.toMatchObject(refusal)
})

test("an import names the fault: a foreign key, a member's certificate, garbage", async () => {
  const store = createMemoryStore()
  const identities = await openIdentitiesInNode({ store })
  const { identity } = await identities.create({ name: "Ada" })
  const strangers = await acme.issue("Ada")
  const own = await acme.answer(await identities.certificateRequest(identity.id))
  const attempt = (certificate: Uint8Array | string, authority: Uint8Array | string) =>
    identities.certify(identity.id, { certificate, authority })
  const refused = (words: string) => ({ code: "bad-certificate", message: expect.stringContaining(words) })
  await expect(attempt(strangers, acme.certificate)).rejects.toMatchObject(refused("another key"))
  await expect(attempt(own, strangers)).rejects.toMatchObject(refused("may not issue"))
  await expect(attempt("-----BEGIN", acme.certificate)).rejects.toMatchObject(refused("no X.509"))
  const pem = (der: Uint8Array) =>
    `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64")}\n-----END CERTIFICATE-----\n`
  await attempt(pem(own), pem(acme.certificate))
  expect(await identities.list()).toMatchObject([{ certifications: [{ name: "Ada" }] }])
  identities.close()
})
