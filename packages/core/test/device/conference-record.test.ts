import { conferenceIdOf } from "@keymoot/transport/signaling-protocol"
import { expect, test } from "vitest"
import type { Invitation } from "../../src/conference/invitation.ts"
import { ConferenceRecord, enteredAs } from "../../src/device/conference-record.ts"
import { createIdentity } from "../../src/identity/device-identities.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { PEOPLE_KEPT_MAX } from "../../src/identity/store.ts"

const descriptorHash = new Uint8Array(32).fill(1)
const secretOf = (byte: number) => new Uint8Array(16).fill(byte)
const known: Invitation = {
  server: "https://meet.example",
  conferenceId: conferenceIdOf(descriptorHash),
  secret: secretOf(1),
  descriptorHash,
  roomKey: null,
}
const roomKey = new Uint8Array(32).fill(9)
const descriptor = Uint8Array.of(1)

/** A device that has been in the conference. */
async function kept() {
  const store = createMemoryStore()
  await ConferenceRecord.open(store, known, descriptor)
  const stored = () => store.loadInvitation(known.conferenceId)
  return {
    open: (link: Partial<Invitation>) => ConferenceRecord.open(store, { ...known, ...link }, descriptor),
    stored,
  }
}

test.each([
  ["descriptor", { descriptorHash: new Uint8Array(32).fill(2) }, "descriptor-mismatch"],
  ["server", { server: "https://attacker.example" }, "invalid-link"],
] as const)("saves nothing when a link has another %s", async (_, link, code) => {
  const { open, stored } = await kept()
  const before = await stored()
  await expect(open({ ...link, secret: secretOf(2) })).rejects.toMatchObject({ code })
  expect(await stored()).toEqual(before)
})

test("stores no secret of a link when nothing known here proves it", async () => {
  const { open, stored } = await kept()
  const record = await open({ secret: secretOf(2), roomKey })
  expect(record.unproven).toEqual(secretOf(2))
  expect(record.invitation).toEqual(known)
  expect(record.secrets).toEqual([secretOf(1)])
  expect(await stored()).toMatchObject({ secret: secretOf(1), otherSecrets: [] })
  expect(await stored()).not.toHaveProperty("roomKey")
})

test("takes a link's secret when it is known, or has opened the descriptor", async () => {
  const { open, stored } = await kept()
  expect((await open({ secret: secretOf(2) })).unproven).toBeNull()
  expect(await stored()).toMatchObject({ secret: secretOf(2), otherSecrets: [secretOf(1)] })
  expect((await open({ secret: secretOf(1), roomKey })).unproven).toBeNull()
  expect(await stored()).toMatchObject({ secret: secretOf(1), otherSecrets: [secretOf(2)], roomKey })
})

test("takes any link when the conference is not known", async () => {
  const record = await ConferenceRecord.open(createMemoryStore(), { ...known, roomKey }, descriptor)
  expect(record.unproven).toBeNull()
  expect(record.secrets).toEqual([secretOf(1)])
})

test("keeps the names of the members met last, within the bound and over a new entry", async () => {
  const { open, stored } = await kept()
  const record = await open({})
  record.met(["Bob", "Bob"])
  record.met(Array.from({ length: 10 * PEOPLE_KEPT_MAX }, (_, index) => `Person ${index}`))
  record.met(["Bob"])
  const people = ["Person 73", "Person 74", "Person 75", "Person 76", "Person 77", "Person 78", "Person 79", "Bob"]
  await expect.poll(async () => (await stored())?.people).toEqual(people)
  await open({})
  expect((await stored())?.people).toEqual(people)
})

test("remembers name and identity of the last entry while the identity is here", async () => {
  const store = createMemoryStore()
  const { id } = await openIdentity({ store, name: "Ann" })
  const ann = { name: "Ann", identity: id }
  await ConferenceRecord.open(store, known, descriptor, ann)
  // Somewhere else under another name.
  await openIdentity({ store, name: "Dr. Jane Smith" })
  await ConferenceRecord.open(store, known, descriptor)
  expect(await enteredAs(store, known.conferenceId)).toEqual(ann)
  await store.remove(id)
  expect(await enteredAs(store, known.conferenceId)).toBeNull()
})

/** Two people of one device who are in the conference, the second since later. */
async function shared() {
  const store = createMemoryStore()
  const [ann, gil] = [
    { name: "Ann", identity: (await createIdentity(store, { name: "Ann", passphrase: null }, 0)).identity.id },
    { name: "Gil", identity: (await createIdentity(store, { name: "Gil", passphrase: null }, 0)).identity.id },
  ]
  const first = await ConferenceRecord.open(store, known, descriptor, ann)
  const second = await ConferenceRecord.open(store, known, descriptor, gil)
  return { store, ann, gil, first, second, stored: () => store.loadInvitation(known.conferenceId) }
}

test("keeps a second person of the device when the first one saves again", async () => {
  const { first, stored, ann, gil } = await shared()
  first.met(["Bob"])
  await expect.poll(stored).toMatchObject({ people: ["Bob"], as: gil, others: [ann] })
})

test("keeps the way back of the last of the device's people who has not left", async () => {
  const { store, first, second, ann, stored } = await shared()
  await second.forget()
  expect(await enteredAs(store, known.conferenceId)).toEqual(ann)
  second.met(["Bob"])
  expect(await stored()).not.toHaveProperty("people")
  await first.forget()
  expect(await stored()).toBeNull()
})

test("keeps nothing for a person whose identity is gone", async () => {
  const { store, second, ann, stored } = await shared()
  await store.remove(ann.identity)
  await second.forget()
  expect(await stored()).toBeNull()
})

test("returns as the chosen identity when several of the device have entered", async () => {
  const { store, ann, gil } = await shared()
  expect(await enteredAs(store, known.conferenceId)).toEqual(gil)
  await store.choose(ann.identity)
  expect(await enteredAs(store, known.conferenceId)).toEqual(ann)
})
