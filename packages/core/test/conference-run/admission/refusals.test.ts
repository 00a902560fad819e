/** Whole engines, one of which shows or says what it should not: each is refused, with a reason of its own. */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { afterEach, expect, test, vi } from "vitest"
import { encodeStatements, StatementSet } from "../../../src/admission/statements/statement-set.ts"
import { NO_STATEMENT, type SignedStatement, signStatement } from "../../../src/admission/statements/statement.ts"
import { Conference } from "../../../src/client/conference.ts"
import type { Identity } from "../../../src/client/identity.ts"
import { Directory } from "../../../src/runtime/directory.ts"
import { EntryRules } from "../../../src/admission/entry-rules.ts"
import { createCredentialChecker } from "../../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../../src/identity/memory-store.ts"
import type { IdentityStore } from "../../../src/identity/store.ts"
import { openIdentity } from "../../../src/identity/own-identity.ts"
import { parseCard } from "../../../src/identity/card.ts"
import { Room, securedWith, SERVER } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const HOUR_MS = 60 * 60 * 1000
const NAMES = ["Tom", "Bob", "Eve", "Mallory"] as const
type Name = (typeof NAMES)[number]

type Print = { readonly key: string; readonly fingerprint: string }
type Ticket = {
  readonly to: Print
  readonly endsInMs?: number
  readonly generation?: string
  readonly elsewhere?: true
}

/** By Ada, one after the other. `elsewhere`: of another conference of hers. */
async function ticketsOf(ada: IdentityStore, id: string, tickets: readonly Ticket[]): Promise<Uint8Array[]> {
  const { signer, publicKey } = await openIdentity({ store: ada })
  const { descriptorHash } = (await ada.loadInvitation(id))!
  const said: SignedStatement[] = []
  for (const { to, endsInMs = HOUR_MS, generation = NO_STATEMENT, elsewhere } of tickets) {
    const previous = said.at(-1)?.id ?? NO_STATEMENT
    const body = {
      type: "ticket",
      subject: to.key,
      fingerprint: to.fingerprint,
      role: "editor",
      generation,
      expiresAtMs: Date.now() + endsInMs,
    } as const
    const place = { issuer: bytesToHex(publicKey), office: NO_STATEMENT, number: said.length + 1, previous }
    const statement = { ...place, heard: NO_STATEMENT, body }
    const conferenceId = elsewhere ? new Uint8Array(16).fill(7) : hexToBytes(id)
    said.push(await signStatement(signer, { conferenceId, descriptorHash }, statement))
  }
  return said.map(({ bytes }) => bytes)
}

/** Ada makes a conference where hosts let people in, and comes back to it; in between she has said what `tickets` tells. */
async function prepared(tickets: (prints: Readonly<Record<Name, Print>>) => readonly Ticket[]) {
  const store = createMemoryStore()
  const before = await room.openIdentity("Ada", store)
  const admission = { policy: "approval" } as const
  const made = await Conference.create({ server: SERVER, identity: before, admission })
  const { url } = made.invitation
  await before.close()
  const guests = Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, await room.identity(name)] as const)),
  ) as Record<Name, Identity>
  const printOf = async ({ card, fingerprint }: Identity): Promise<Print> => {
    return { key: bytesToHex((await parseCard(card, createCredentialChecker())).publicKey), fingerprint }
  }
  const prints = Object.fromEntries(
    await Promise.all(NAMES.map(async (name) => [name, await printOf(guests[name])] as const)),
  ) as Record<Name, Print>
  const said = await ticketsOf(store, made.id, tickets(prints))
  const resume = async (): Promise<Conference> =>
    Conference.resume({ id: made.id, identity: await room.identity("Ada", store, "Ada again") })
  const keep = async (): Promise<void> => {
    const record = (await store.loadInvitation(made.id))!
    await store.saveInvitation({ ...record, statements: encodeStatements(said) })
  }
  return { url, guests, said, keep, resume }
}

test("a ticket admits its bearer, unless expired, of another generation or person", async () => {
  const { url, guests, keep, resume } = await prepared(({ Tom, Bob, Eve }) => [
    { to: Tom },
    { to: Bob, endsInMs: -1 },
    { to: Eve, generation: "ab".repeat(32) },
    // Mallory has heard of all of them.
  ])
  await keep()
  const ada = await resume()
  const here = new Map<Name, Conference>()
  for (const name of NAMES) here.set(name, await Conference.join({ url, identity: guests[name] }))
  await Promise.all([ada, here.get("Tom")!].map((conference) => securedWith(conference, 2)))
  const knocking = (): string[] => ada.admissionState.knocks.map(({ name }) => name).toSorted()
  await expect.poll(knocking, WAIT).toEqual(["Bob", "Eve", "Mallory"])
  for (const name of ["Bob", "Eve", "Mallory"] as const) expect(here.get(name)!.admissionState.waiting).toBe(true)
  expect(here.get("Tom")!.admissionState.waiting).toBe(false)
  expect(ada.view.members.map(({ name }) => name).toSorted()).toEqual(["Ada", "Tom"])
})

test("a ticket for another conference of the host is forged, and its bearer waits", async () => {
  const { url, guests, said, resume } = await prepared(({ Bob }) => [{ to: Bob, elsewhere: true }])
  const ada = await resume()
  const heard: unknown[] = []
  ada.on("security", ({ code, member }) => heard.push({ code, member }))
  const { encoded } = StatementSet.prototype
  vi.spyOn(StatementSet.prototype, "encoded").mockImplementation(function (this: StatementSet) {
    return [...encoded.call(this), ...said]
  })
  const here = await Conference.join({ url, identity: guests.Bob })
  await expect.poll(() => heard, WAIT).toContainEqual({ code: "bad-statement", member: guests.Bob.member })
  expect(here.admissionState.waiting).toBe(true)
})

test("names the refusal when another conference's descriptor replaces the pinned one", async () => {
  const [ada, other] = [await room.create("Ada"), await room.create("Mallory")]
  const { fetchConference } = Directory.prototype
  vi.spyOn(Directory.prototype, "fetchConference").mockImplementation(function (this: Directory, server: string) {
    return fetchConference.call(this, server, other.id)
  })
  await expect(room.join("Bob", ada.invitation.url)).rejects.toMatchObject({ code: "descriptor-mismatch" })
})

test("a member that claims to know other statements gets no key and is excluded", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  const codes: string[] = []
  ada.on("security", ({ code, member }) => void (member === bob.self.id && codes.push(code)))
  const { digest } = EntryRules.prototype
  let claims = 0
  vi.spyOn(EntryRules.prototype, "digest").mockImplementation(function (this: EntryRules) {
    return this.isHost ? digest.call(this) : new Uint8Array(32).fill(++claims)
  })
  await room.join("Eve", ada.invitation.url)
  await expect.poll(() => codes, { timeout: 60_000 }).toContain("obstruction")
})
