import { randomBytes } from "node:crypto"
import { conferenceIdOf, descriptorHashOf } from "@keymoot/transport/signaling-protocol"
import { bytesToHex } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import { descriptorBody, descriptorSigningBytes, signedDescriptor } from "../../src/conference/descriptor-codec.ts"
import { createDescriptor } from "../../src/conference/create-descriptor.ts"
import { checkConference, checkPerson } from "../../src/directory/listed-entries.ts"
import { provePossession } from "../../src/directory/own-certificates.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { VerifiedPeople } from "../../src/identity/verified-people.ts"
import { openIdentity, type OwnIdentity } from "../../src/identity/own-identity.ts"
import { newcomer } from "../identity/people.ts"

const checker = createCredentialChecker()
const NOW_MS = Date.now()
const store = createMemoryStore()
const me = await openIdentity({ name: "Grace", store })
const people = await VerifiedPeople.open({ store, id: me.id, signer: me.signer, publicKey: me.publicKey, checker })
const onlooker = { publicKey: me.publicKey, people }
const [ada, mallory, bob] = await Promise.all(["Ada", "Mallory", "Bob"].map((name) => newcomer(name)))

const listed = ({ name, fingerprint, certificate }: OwnIdentity) => ({ name, fingerprint, certificate })
const personOf = (entry: Parameters<typeof checkPerson>[0]) => checkPerson(entry, checker, onlooker)

async function conferenceOf(creator: OwnIdentity, named: OwnIdentity) {
  const { bytes: descriptor, invitation } = await createDescriptor({
    server: "https://meet.example",
    creator,
    title: "",
    keyAgreement: "tgdh",
    admission: { policy: "roster", others: [named] },
    history: "everything",
    startsAtMs: NOW_MS,
    durationMs: 3_600_000,
  })
  const { fingerprint, certificate } = creator
  const times = { startsAtMs: NOW_MS, endsAtMs: NOW_MS + 3_600_000 }
  return { id: invitation.conferenceId, ...times, creator: fingerprint, certificate, descriptor }
}

describe("a listed person", () => {
  test("is unverified until this identity has verified the key", async () => {
    const carol = await newcomer("Carol")
    const publicKey = bytesToHex(carol.publicKey)
    expect(await personOf(listed(carol))).toMatchObject({ name: "Carol", publicKey, standing: "unverified" })
    expect(await checkPerson(listed(carol), checker, null)).toMatchObject({ standing: "unverified" })
    await people.verify(carol.publicKey, "Carol", NOW_MS)
    expect(await personOf(listed(carol))).toMatchObject({ standing: "verified" })
    const impostor = await newcomer("Carоl")
    expect(await personOf(listed(impostor))).toMatchObject({ standing: "changed-key" })
  })

  test("has no card when the certificate is withheld, replaced, altered or renamed", async () => {
    const altered = ada!.certificate.slice()
    altered[altered.length - 1]! ^= 1
    const lies = [
      { ...listed(ada!), certificate: null },
      { ...listed(ada!), certificate: mallory!.certificate },
      { ...listed(ada!), certificate: altered },
      { ...listed(ada!), certificate: new Uint8Array(randomBytes(300)) },
      { ...listed(mallory!), name: "Ada" },
    ]
    for (const lie of lies)
      expect(await personOf(lie)).toMatchObject({ standing: "unchecked", card: null, publicKey: null })
  })
})

describe("a listed conference", () => {
  const conference = (entry: Parameters<typeof checkConference>[0], own = me.fingerprint) =>
    checkConference(entry, new Set([own]), checker, onlooker)

  test("is signed when its creator signed a roster with this identity", async () => {
    const entry = await conferenceOf(ada!, me)
    expect(await conference(entry)).toMatchObject({ id: entry.id, signed: true, creator: { name: "Ada" } })
  })

  test("is not signed when the server invents, replaces, withholds or moves something", async () => {
    const [entry, other, forBob] = [
      await conferenceOf(ada!, me),
      await conferenceOf(ada!, me),
      await conferenceOf(ada!, bob!),
    ]
    const byMallory = await conferenceOf(mallory!, me)
    const lies = {
      "no descriptor": { ...entry, descriptor: null },
      "another descriptor": { ...entry, descriptor: other.descriptor },
      "no certificate": { ...entry, certificate: null },
      "another creator": { ...byMallory, creator: ada!.fingerprint, certificate: ada!.certificate },
      "other times": { ...entry, startsAtMs: entry.startsAtMs - 1 },
      "another end": { ...entry, endsAtMs: entry.endsAtMs + 1 },
      "a roster without me": forBob,
      nonsense: { ...entry, descriptor: new Uint8Array(randomBytes(500)) },
    }
    for (const [lie, told] of Object.entries(lies)) expect((await conference(told)).signed, lie).toBe(false)
  })

  test("is not signed when another key signed it under the creator's certificate", async () => {
    const entry = await conferenceOf(mallory!, me)
    const body = descriptorBody.decode(signedDescriptor.decode(entry.descriptor).body)
    const forged = descriptorBody.encode({ ...body, hosts: [new Uint8Array(Buffer.from(ada!.fingerprint, "hex"))] })
    const signature = await mallory!.signer.sign(descriptorSigningBytes(forged))
    const descriptor = signedDescriptor.encode({ body: forged, signature })
    const id = conferenceIdOf(descriptorHashOf(descriptor))
    const told = { ...entry, id, descriptor, creator: ada!.fingerprint, certificate: ada!.certificate }
    expect(await conference(told)).toMatchObject({ signed: false, creator: { name: "Ada" } })
    const unsigned = signedDescriptor.encode({ body: forged, signature: new Uint8Array(64) })
    const without = { ...told, id: conferenceIdOf(descriptorHashOf(unsigned)), descriptor: unsigned }
    expect((await conference(without)).signed).toBe(false)
  })
})

test("the engine signs no other purpose, and no challenge of another length", async () => {
  const asked = { purpose: "participant:prove" as const, origin: "https://meet.example", challenge: new Uint8Array(32) }
  expect((await provePossession(me, asked)).signature).toHaveLength(64)
  for (const wrong of [{ purpose: "room:enter" as never }, { challenge: new Uint8Array(31) }]) {
    await expect(provePossession(me, { ...asked, ...wrong })).rejects.toMatchObject({ code: "invalid-argument" })
  }
})
