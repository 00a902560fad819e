/** Members of one room whose code speaks different versions of the protocol. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import type { Protocol } from "../../src/index.ts"
import type { HostEvent, RoomAddress } from "../../src/port/port.ts"
import { CONTACT_STALE_MS } from "../../src/bounds/network-bounds.ts"
import { openAdvertisement, sealAdvertisement, signedByCard } from "../../src/network/messages/room-card.ts"
import { TestConference } from "./conference.ts"
import { conferenceId, descriptorHash, invitation, SERVER, type TestMember } from "./member.ts"

const room = bytesToHex(conferenceId)
const scope = { conferenceId, descriptorHash }
const newer: Protocol = { major: 2, features: [] }
type Advertised = HostEvent & { type: "room-advertisement" }

/** The member's last report of others with another version. */
const told = (member: TestMember) =>
  member
    .of("otherVersions")
    .at(-1)
    ?.others.map(({ peer, theirs, ours, older }) => ({ peer, theirs, ours, older }))

/** A room that a member of version 1 has left, and its advertisements, which a witness received. */
async function abandoned(): Promise<{ conference: TestConference; old: Advertised[] }> {
  const conference = new TestConference(3)
  const old: Advertised[] = []
  conference.network.onDelivery = (to, event) => {
    if (to === "witness" && event.type === "room-advertisement") old.push(event)
    return [event]
  }
  conference.join("witness", conference.identity(2))
  const before = conference.join("before", conference.identity(0))
  await conference.pass(1_000)
  before.mesh.close()
  before.host.close()
  conference.network.onDelivery = null
  expect(old).not.toEqual([])
  return { conference, old }
}

describe("two members of different major versions", () => {
  test("both learn which of them is older, and open no connection", async () => {
    const conference = new TestConference(2)
    const low = conference.join("low", conference.identity(0))
    const high = conference.join("high", conference.identity(1), { protocol: newer })
    await conference.pass(5_000)
    expect(told(low)).toEqual([{ peer: high.member, theirs: 2, ours: 1, older: "us" }])
    expect(told(high)).toEqual([{ peer: low.member, theirs: 1, ours: 2, older: "them" }])
    for (const member of [low, high]) {
      expect(member.links).toEqual([])
      expect(member.commandsOf("peer-open")).toEqual([])
      expect(member.securityCodes).toEqual([])
    }
  })

  test("are notified once, however long they stay", async () => {
    const conference = new TestConference(2)
    const low = conference.join("low", conference.identity(0))
    conference.join("high", conference.identity(1), { protocol: newer })
    await conference.pass(2 * CONTACT_STALE_MS)
    expect(low.of("otherVersions")).toHaveLength(1)
  })

  test("link when the older one has been updated, and are notified", async () => {
    const conference = new TestConference(2)
    const low = conference.join("low", conference.identity(0))
    const high = conference.join("high", conference.identity(1), { protocol: newer })
    await conference.pass(5_000)
    low.mesh.close()
    low.host.close()
    const again = conference.join("again", conference.identity(0), { protocol: newer, incarnation: 2 })
    await conference.pass(5_000)
    expect([again.links, high.links]).toEqual([[high.member], [again.member]])
    expect(told(high)).toEqual([])
    expect(told(again)).toBeUndefined()
  })

  test("are notified when the other one has left", async () => {
    const conference = new TestConference(2)
    const low = conference.join("low", conference.identity(0))
    const high = conference.join("high", conference.identity(1), { protocol: newer })
    await conference.pass(5_000)
    high.mesh.close()
    high.host.close()
    await conference.pass(CONTACT_STALE_MS + 1_000)
    expect(told(low)).toEqual([])
  })

  test("do not keep the members of one version from each other", async () => {
    const conference = new TestConference(4)
    const versions = [undefined, newer, undefined, newer]
    const members = versions.map((protocol, index) =>
      conference.join(`m${index}`, conference.identity(index), protocol && { protocol }),
    )
    await conference.pass(5_000)
    const [a, b, c, d] = members as [TestMember, TestMember, TestMember, TestMember]
    expect(members.map(({ links }) => links)).toEqual([[c.member], [d.member], [a.member], [b.member]])
    for (const member of members) expect(told(member)).toHaveLength(2)
  })
})

describe("nobody believes in another version", () => {
  test("when a server replays what a member said before its update", async () => {
    const { conference, old } = await abandoned()
    const reader = conference.join("reader", conference.identity(1), { protocol: newer })
    conference.join("after", conference.identity(0), { protocol: newer, incarnation: 2 })
    for (let round = 0; round < 5; round++) {
      for (const event of old) conference.network.inject("reader", event)
      await conference.pass(1_000)
    }
    const witness = conference.identity(2).member
    for (const { others } of reader.of("otherVersions")) expect(others.map(({ peer }) => peer)).toEqual([witness])
    expect(reader.links).toEqual([conference.identity(0).member])
  })

  test("when a server replays the advertisements of a member that is gone", async () => {
    const { conference, old } = await abandoned()
    const reader = conference.join("reader", conference.identity(1), { protocol: newer })
    for (const event of old) conference.network.inject("reader", event)
    await conference.pass(5_000)
    expect(told(reader)).toHaveLength(1)
    const gone = conference.identity(0).member
    expect(reader.of("otherVersions").flatMap(({ others }) => others.map(({ peer }) => peer))).not.toContain(gone)
  })

  test("when it is said by somebody without the invitation, or in another's name", async () => {
    const conference = new TestConference(3)
    const [victim, forger] = [conference.identity(0), conference.identity(1)]
    const reader = conference.join("reader", conference.identity(2))
    const address = conference.random.bytes(16)
    const card = {
      protocol: newer,
      certificate: victim.certificate,
      incarnation: 9,
      entry: 1,
      address,
      ephemeral: conference.random.bytes(32),
      nonce: conference.random.bytes(16),
      extension: new Uint8Array(0),
    }
    const signature = await victim.sign(signedByCard(scope, card))
    const forged = await forger.sign(signedByCard(scope, card))
    const nonce = conference.random.bytes(24)
    for (const advertisement of [
      sealAdvertisement(conference.random.bytes(32), scope, card, signature, nonce),
      sealAdvertisement(invitation.advertisement, scope, card, forged, nonce),
      // Genuine, but its maker never answers: a replay, or somebody who is gone.
      sealAdvertisement(invitation.advertisement, scope, card, signature, nonce),
    ]) {
      const from = bytesToHex(address) as RoomAddress
      conference.network.inject("reader", { type: "room-advertisement", server: SERVER, room, from, advertisement })
      await conference.pass(1_000)
    }
    expect(reader.of("otherVersions")).toEqual([])
  })

  test("when it is said by somebody who is not admitted", async () => {
    const conference = new TestConference(2)
    const stranger = conference.identity(1)
    const admits = ({ member }: { readonly member: string }) => member !== stranger.member
    const reader = conference.join("reader", conference.identity(0), { policy: { admits } })
    conference.join("stranger", stranger, { protocol: newer })
    await conference.pass(5_000)
    expect(reader.of("otherVersions")).toEqual([])
  })
})

test("a card of a later version with more in it is read", async () => {
  const conference = new TestConference(1)
  const identity = conference.identity(0)
  const card = {
    protocol: { major: 9, features: [3, 400] },
    certificate: identity.certificate,
    incarnation: 1,
    entry: 1,
    address: new Uint8Array(16),
    ephemeral: new Uint8Array(32),
    nonce: new Uint8Array(16),
    extension: Uint8Array.of(1, 2, 3),
  }
  const signature = await identity.sign(signedByCard(scope, card))
  const sealed = sealAdvertisement(invitation.advertisement, scope, card, signature, new Uint8Array(24))
  expect(openAdvertisement(invitation.advertisement, scope, sealed)?.card).toEqual(card)
})

test("two members use the features that both name, and no others", async () => {
  const conference = new TestConference(2)
  const low = conference.join("low", conference.identity(0), { protocol: { major: 1, features: [1, 2, 4] } })
  const high = conference.join("high", conference.identity(1), { protocol: { major: 1, features: [2, 3, 4] } })
  await conference.pass(1_000)
  for (const member of [low, high]) expect(member.of("linkUp").map(({ features }) => features)).toEqual([[2, 4]])
})
