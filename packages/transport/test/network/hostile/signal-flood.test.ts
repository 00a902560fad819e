/** Signals of somebody with the invitation, who may be a waiting person or a removed member with the old link. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { beforeEach, expect, test, vi } from "vitest"
import type { RoomAddress } from "../../../src/port/port.ts"
import { LANES_MAX, NEW_SENDERS_BURST, NEW_SENDERS_PER_SECOND } from "../../../src/bounds/network-bounds.ts"
import { Envelopes } from "../../../src/network/messages/envelope.ts"
import { openAdvertisement, type RoomCard } from "../../../src/network/messages/room-card.ts"
import { encodeSignal } from "../../../src/network/messages/signal.ts"
import { Keyring } from "../../../src/network/shared/keyring.ts"
import { TestConference } from "../conference.ts"
import { conferenceId, descriptorHash, invitation, SERVER, type TestMember } from "../member.ts"

const count = vi.hoisted(() => ({ agreements: 0 }))
vi.mock("@noble/curves/ed25519.js", async (original) => {
  const real = await original<typeof import("@noble/curves/ed25519.js")>()
  const getSharedSecret = (): Uint8Array => {
    count.agreements += 1
    // Quick, and equal at both ends.
    return new Uint8Array(32).fill(7)
  }
  return { ...real, x25519: { ...real.x25519, getSharedSecret } }
})

const room = bytesToHex(conferenceId)
const scope = { conferenceId, descriptorHash }
let conference: TestConference
let member: TestMember
beforeEach(async () => {
  conference = new TestConference(2)
  member = conference.join("member", conference.identity(0))
  await conference.pass(1_000)
  count.agreements = 0
})

function cardOfMember(): RoomCard {
  const { advertisement } = member.commands.findLast((command) => command.type === "room-advertise")!
  return openAdvertisement(invitation.advertisement, scope, advertisement)!.card
}

function newEnvelopes(): Envelopes {
  const { random } = conference
  const keys = { ephemeralSecret: random.bytes(32), nonce: random.bytes(16) }
  const { member: self } = conference.identity(1)
  return new Envelopes({ scope, keyring: new Keyring(invitation), self, ...keys })
}

/** A hello under a new key, whose signature is missing. */
function unsigned(address: Uint8Array): Uint8Array {
  const card = cardOfMember()
  const envelopes = newEnvelopes()
  const { ephemeral, nonce } = envelopes
  const { certificate } = conference.identity(1)
  const hello = encodeSignal({ kind: "hello", card: { ...card, certificate, ephemeral, nonce, address } })
  return envelopes.draft(member.member, card, invitation, hello)!.seal(new Uint8Array(64))
}

/** Returns how many key agreements these cost the member. */
function agreementsOf(addresses: readonly Uint8Array[]): number {
  const envelopes = addresses.map(unsigned)
  count.agreements = 0
  for (const [i, envelope] of envelopes.entries()) {
    const from = bytesToHex(addresses[i]!) as RoomAddress
    member.mesh.handle({ type: "room-signal", server: SERVER, room, from, envelope })
  }
  return count.agreements
}

test("costs one key agreement, and one queue, when an address has ever new keys", () => {
  const addresses = Array.from({ length: LANES_MAX + 1 }, () => new Uint8Array(16).fill(9))
  expect(agreementsOf(addresses)).toBe(1)
  expect(member.mesh.dropped.get("a queue of signatures is full") ?? 0).toBe(0)
})

test("costs one key agreement when nothing under its key opens", () => {
  const envelopes = newEnvelopes()
  // Sealed to another key than the member's.
  const to = { ...cardOfMember(), ephemeral: envelopes.ephemeral }
  const from = bytesToHex(conference.random.bytes(16)) as RoomAddress
  const sent = Array.from({ length: 100 }, () => {
    const body = encodeSignal({ kind: "neighbour", bytes: new Uint8Array(1) })
    return envelopes.draft(member.member, to, invitation, body)!.seal(new Uint8Array(64))
  })
  count.agreements = 0
  for (const envelope of sent) member.mesh.handle({ type: "room-signal", server: SERVER, room, from, envelope })
  expect(count.agreements).toBe(1)
})

test("costs so many key agreements when ten times as many addresses send", async () => {
  const all = Array.from({ length: 10 * NEW_SENDERS_BURST }, () => conference.random.bytes(16))
  expect(agreementsOf(all)).toBe(NEW_SENDERS_BURST)
  await conference.pass(1_000)
  const more = Array.from({ length: 10 * NEW_SENDERS_PER_SECOND }, () => conference.random.bytes(16))
  expect(agreementsOf(more)).toBeLessThanOrEqual(NEW_SENDERS_PER_SECOND + 1)
})

test("meets a newcomer when another address has sent under ever new keys", async () => {
  agreementsOf(Array.from({ length: LANES_MAX + 1 }, () => new Uint8Array(16).fill(9)))
  const newcomer = conference.join("newcomer", conference.identity(1))
  await conference.pass(1_000)
  expect(member.links).toEqual([newcomer.member])
})
