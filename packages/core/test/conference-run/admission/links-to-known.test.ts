/** Links to a conference that this device keeps: which of them may change what it keeps, and where it goes. */
import { bytesToHex, randomBytes } from "@noble/hashes/utils.js"
import { afterEach, expect, test } from "vitest"
import { Conference } from "../../../src/client/conference.ts"
import { formatInvitation, parseInvitation } from "../../../src/conference/invitation.ts"
import { openDescriptor } from "../../../src/conference/descriptor.ts"
import { createCredentialChecker } from "../../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../../src/identity/store.ts"
import { Room, securedWith, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  await room.close()
  room = new Room()
})

const board = (conference: Conference) => conference.document("board").doc.getMap("elements")

/** Bob has been in a conference of Ada's, has drawn something, and is away. */
async function bobAway() {
  const ada = await room.create("Ada")
  const store = createMemoryStore()
  const identity = await room.openIdentity("Bob", store)
  const bob = await Conference.join({ url: ada.invitation.url, identity })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  board(bob).set("plan", "secret")
  await expect.poll(() => board(ada).toJSON()).toEqual({ plan: "secret" })
  await identity.close()
  await securedWith(ada, 1)
  return { ada, store }
}

/** A link to the conference with a secret that no host has made, as somebody can write it who has held the invitation. */
async function forgedLink(url: string, store: IdentityStore): Promise<string> {
  const link = parseInvitation(url)
  const { descriptor } = (await store.loadInvitation(link.conferenceId))!
  const { roomKey } = await openDescriptor(descriptor!, link, createCredentialChecker(), Date.now())
  return formatInvitation({ ...link, secret: randomBytes(16), roomKey })
}

async function secretsOf(store: IdentityStore, id: string): Promise<string[]> {
  const { secret, otherSecrets = [] } = (await store.loadInvitation(id))!
  return [secret, ...otherSecrets].map(bytesToHex)
}

test("restores nothing at another server when a link to a kept conference names it", async () => {
  const { ada, store } = await bobAway()
  const before = await store.loadInvitation(ada.id)
  const attackers = new Room()
  const identity = await attackers.identity("Bob", store)
  const url = ada.invitation.url.replace(SERVER, "https://attacker.example")
  await expect(Conference.join({ url, identity })).rejects.toMatchObject({
    code: "invalid-link",
    message: expect.stringContaining(SERVER),
  })
  expect(attackers.network.inUse.connections).toBe(0)
  expect(await store.loadInvitation(ada.id)).toEqual(before)
  await attackers.close()
})

test("hands the board to nobody who shows a secret that no host has made", async () => {
  const { ada, store } = await bobAway()
  const url = await forgedLink(ada.invitation.url, store)
  const before = await secretsOf(store, ada.id)
  room.network.cut("Ada", "Mallory")
  room.network.cut("Ada", "Bob, lured")
  const mallory = await room.join("Mallory", url)
  await securedWith(mallory, 1)
  const met: string[] = []
  mallory.on("view", ({ members }) => met.push(...members.map(({ name }) => name)))
  const lured = await room.openIdentity("Bob", store, "Bob, lured")
  const bob = await Conference.join({ url, identity: lured })
  await expect.poll(() => board(bob).toJSON()).toEqual({ plan: "secret" })
  await linkOf(bob)
  // They are linked, and either come together or part again.
  await expect.poll(() => met.includes("Bob") || bob.links.size === 0).toBe(true)
  expect(met).not.toContain("Bob")
  expect(board(mallory).toJSON()).toEqual({})
  expect(bob.invitation.url).toBe(ada.invitation.url)
  await lured.close()
  expect(await secretsOf(store, ada.id)).toEqual(before)
  const again = await Conference.resume({ id: ada.id, identity: await room.identity("Bob", store, "Bob again") })
  await Promise.all([ada, again].map((conference) => securedWith(conference, 2)))
  await expect.poll(() => board(again).toJSON()).toEqual({ plan: "secret" })
})

test("admits a returning member by a later link when members forward the host's word", async () => {
  const { ada, store } = await bobAway()
  const eve = await room.join("Eve", ada.invitation.url)
  await securedWith(ada, 2)
  const old = ada.invitation.url
  await ada.remove(eve.self.id)
  await expect.poll(() => ada.invitation.url).not.toBe(old)
  const identity = await room.identity("Bob", store, "Bob again")
  const bob = await Conference.join({ url: ada.invitation.url, identity })
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await expect.poll(() => board(bob).toJSON()).toEqual({ plan: "secret" })
  expect(bob.invitation.url).toBe(ada.invitation.url)
  const present = bytesToHex(parseInvitation(ada.invitation.url).secret)
  await expect.poll(async () => (await secretsOf(store, ada.id))[0]).toBe(present)
})

test("refuses a conference of an older version when its id is not of its descriptor", async () => {
  const { ada, store } = await bobAway()
  const record = (await store.loadInvitation(ada.id))!
  const id = "0123456789abcdef".repeat(2)
  const older = { ...record, conferenceId: id, descriptor: Uint8Array.of(2) }
  await store.saveInvitation(older)
  const identity = await room.identity("Bob", store, "Bob again")
  await expect(Conference.resume({ id, identity })).rejects.toMatchObject({ code: "conference-over" })
  expect(await store.loadInvitation(id)).toEqual(older)
  expect((await Conference.kept({ identity })).find((kept) => kept.id === id)).toMatchObject({ about: null })
  await Conference.forget({ id, identity })
  expect((await store.listInvitations()).map(({ conferenceId }) => conferenceId)).toEqual([ada.id])
})

/** Resolves when there is a link to somebody, now or later. */
function linkOf(conference: Conference): Promise<void> {
  return new Promise((resolve) => {
    conference.on("links", (links) => {
      if (links.size > 0) resolve()
    })
  })
}
