/** The post-quantum agreement: one secret for all, in one round; costs; liars; and attackers that hold real state. */
import { expect, test } from "vitest"
import { createKemAgreement, type Kem, KEM_PUBLIC_KEY_BYTES, loadKem, type MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { bytesToHex } from "@noble/hashes/utils.js"
import { decodeKemMessage, encodeKemMessage, kemAttachmentCodec } from "../../src/kem-ckd/kem-ckd-codec.ts"
import { nextSeed, sealSeed, seedCommitment } from "../../src/kem-ckd/kem-sealing.ts"
import { Harness, memberNamed, type View } from "../harness.ts"
import { derivableSeeds, kemSecret } from "./kem-eavesdropper.ts"

const kem = await loadKem()
const group = createToyGroup()
const KEY_LENGTH = 1184
const SEAL_LENGTH = 1136

class Room {
  /** Every secret key that a member ever had. */
  readonly minds = new Map<MemberId, Uint8Array[]>()
  readonly views: View[] = []
  readonly harness: Harness

  constructor(names: string) {
    this.harness = new Harness(group, { create: (self) => createKemAgreement(this.#recording(self), self) })
    for (const name of names) this.harness.start(name)
  }

  #recording(self: MemberId): Kem {
    const mind: Uint8Array[] = []
    this.minds.set(self, mind)
    const keyPair: Kem["keyPair"] = (seed) => {
      const pair = kem.keyPair(seed)
      mind.push(pair.secretKey.slice())
      return pair
    }
    return { ...kem, keyPair }
  }

  change(names: string): View {
    const { view } = this.harness.change(membersOf(names))
    this.views.push(view)
    expect(this.harness.faults).toEqual([])
    expect(this.secretsOf(view).size).toBe(1)
    return view
  }

  secretsOf(view: View): Set<string> {
    const held = view.members.map((id) => this.harness.member(id).secret)
    return new Set(held.map((each) => (each?.view === view ? each.secret : "none")))
  }

  derivable(secretKeys: readonly Uint8Array[], seeds: readonly Uint8Array[] = []): Uint8Array[] {
    return derivableSeeds(kem, this.views, secretKeys, seeds)
  }

  /** Seeds of the views of these members, which such a member held. */
  seedsHeld(member: MemberId): Uint8Array[] {
    const all = this.derivable([...this.minds.values()].flat())
    const held = new Set(this.harness.secrets.filter((each) => each.member === member).map(({ secret }) => secret))
    return all.filter((seed) => this.views.some(({ members }) => held.has(topOf(seed, members.length))))
  }

  knows(seeds: readonly Uint8Array[], view: View): boolean {
    const secret = this.harness.secrets.find((each) => each.view === view)!.secret
    return seeds.some((seed) => topOf(seed, view.members.length) === secret)
  }
}

const topOf = (seed: Uint8Array, members: number): string => bytesToHex(kemSecret(seed, members))
const membersOf = (names: string): MemberId[] => [...names].map(memberNamed)
const seedMessages = (view: View) =>
  view.log.flatMap(({ bytes }) => {
    const message = decodeKemMessage(bytes)
    return message?.type === "seed" ? [message] : []
  })
const keysIn = (view: View): number =>
  [...view.attachments.values()].filter((bytes) => kemAttachmentCodec.decode(bytes)!.share.length > 0).length

test("agrees through joins, leaves, merges, refreshes and reloads, in one round", () => {
  const room = new Room("abcdefgh")
  const changes = ["a", "ab", "abc", "abcd", "bcd", "bcd", "bcdefgh", "cfgh", "ch", "abcdefgh", "abcdefgh"]
  const secrets = changes.map((names) => {
    const view = room.change(names)
    expect(view.log.length).toBe(names.length > 1 ? 1 : 0)
    return [...room.secretsOf(view)][0]
  })
  expect(new Set(secrets).size).toBe(changes.length)
  room.harness.start("c")
  room.change("abcdefgh")
})

test("merges two groups whose guess about the larger one was right", () => {
  const room = new Room("abcdef")
  room.change("abcd")
  room.change("ef")
  const view = room.change("abcdef")
  expect(view.log.length).toBe(1)
  expect(seedMessages(view)[0]).toMatchObject({ isForward: true })
})

test("takes one more round when a member that kept its key enters as new", () => {
  const room = new Room("abcdefgh")
  room.change("abcde")
  room.change("fgh")
  // Both groups are proposed whole, so a and b keep their keys, unless it is their turn. Then c, d and e are lost.
  const proposal = room.harness.propose(membersOf("abcdefgh"))
  const members = membersOf("abfgh")
  const attachments = new Map(members.map((id) => [id, proposal.attachments.get(id)!]))
  const view = room.harness.install({ ...proposal, members, attachments })
  room.views.push(view)
  const lacking = members.filter((id) => kemAttachmentCodec.decode(attachments.get(id)!)!.share.length === 0)
  expect(room.harness.member(memberNamed("h")).agreement.awaiting()).toEqual(
    lacking.filter((id) => id < memberNamed("f")),
  )
  room.harness.settle()
  expect(room.harness.faults).toEqual([])
  expect(room.secretsOf(view).size).toBe(1)
  expect(view.log.filter(({ bytes }) => decodeKemMessage(bytes)?.type === "key").length).toBeGreaterThan(0)
})

test("blames no leader whose seed overtakes the key of another member", () => {
  const room = new Room("abcdefgh")
  room.change("abcde")
  room.change("fgh")
  const proposal = room.harness.propose(membersOf("abcdefgh"))
  const members = membersOf("abfgh")
  const attachments = new Map(members.map((id) => [id, proposal.attachments.get(id)!]))
  const view = room.harness.install({ ...proposal, members, attachments })
  const [late, leader] = membersOf("hf") as [MemberId, MemberId]
  // Multicasts keep the order of their sender only. The leader has the keys first, and its seed comes before them.
  room.harness.settle(members.filter((id) => id !== late))
  while (room.harness.deliverNext(late, leader));
  room.harness.settle()
  expect(room.harness.faults).toEqual([])
  expect(room.secretsOf(view).size).toBe(1)
  expect(room.secretsOf(view).has("none")).toBe(false)
})

test("sends nothing in a view of one member that kept its key", () => {
  const room = new Room("abc")
  room.change("abc")
  for (const names of ["a", "b", "c"]) expect(room.change(names).log).toEqual([])
})

test("sends one seal for a join, and one for each other member after a leave", () => {
  const names = Array.from({ length: 24 }, (_, i) => String.fromCharCode(97 + i)).join("")
  const room = new Room(names)
  room.change(names.slice(0, 23))
  const join = room.change(names)
  // The newcomer's key, and at most one in its turn.
  expect(keysIn(join)).toBeLessThanOrEqual(2)
  expect(join.log[0]!.bytes.length).toBeLessThan(SEAL_LENGTH + 64)
  const leave = room.change(names.slice(0, -1))
  expect(leave.log[0]!.bytes.length).toBeLessThan(22 * SEAL_LENGTH + 64)
  const sent = [...leave.attachments.values(), leave.log[0]!.bytes].reduce((sum, { length }) => sum + length, 0)
  expect(sent).toBeLessThan(40_000)
  expect(KEY_LENGTH).toBe(KEM_PUBLIC_KEY_BYTES)
})

test("renews every member's key once in as many views as there are members", () => {
  const room = new Room("abcdef")
  room.change("abcdef")
  const before = room.harness.members.size
  const renewed = new Map<MemberId, number>()
  for (let i = 0; i < before; i++) {
    for (const [id, bytes] of room.change("abcdef").attachments)
      if (kemAttachmentCodec.decode(bytes)!.share.length > 0) renewed.set(id, (renewed.get(id) ?? 0) + 1)
  }
  expect([...renewed.values()]).toEqual(Array.from({ length: before }, () => 1))
})

test("the tests' attacker is real: a member's keys and all traffic give every secret", () => {
  const room = new Room("abcdef")
  for (const names of ["abc", "abcd", "bcd", "bcdef", "bcdef"]) room.change(names)
  const seeds = room.derivable(room.minds.get(memberNamed("c"))!)
  for (const view of room.views) expect(room.knows(seeds, view)).toBe(true)
})

test.each(["a", "b", "d"])("%s as a former member computes no later secret, with all that it ever had", (former) => {
  const room = new Room("abcdefg")
  for (const names of ["abcd", "abcde"]) room.change(names)
  const id = memberNamed(former)
  for (const names of ["abcde", "abcdef", "abcdef", "abcdefg"]) room.change(names.replace(former, ""))
  const seeds = room.derivable(room.minds.get(id)!, room.seedsHeld(id))
  for (const view of room.views) expect(room.knows(seeds, view)).toBe(view.members.includes(id))
})

test("two former members compute no later secret together", () => {
  const room = new Room("abcdef")
  for (const names of ["abcdef", "bcdef", "cdef", "cdef"]) room.change(names)
  const [a, b] = membersOf("ab") as [MemberId, MemberId]
  const held = [...room.seedsHeld(a), ...room.seedsHeld(b)]
  const seeds = room.derivable([...room.minds.get(a)!, ...room.minds.get(b)!], held)
  for (const view of room.views.slice(2)) expect(room.knows(seeds, view)).toBe(false)
})

test("a newcomer computes no earlier secret", () => {
  const room = new Room("abcde")
  for (const names of ["abc", "abcd", "abcd", "abcde", "abcde"]) room.change(names)
  const id = memberNamed("e")
  const seeds = room.derivable(room.minds.get(id)!, room.seedsHeld(id))
  for (const view of room.views) expect(room.knows(seeds, view)).toBe(view.members.includes(id))
})

test("a stolen seed gives no secret after the next view that is no join", () => {
  const room = new Room("abcde")
  for (const names of ["abcd", "abcde", "abcde"]) room.change(names)
  const stolen = room.seedsHeld(memberNamed("a")).filter((seed) => room.knows([seed], room.views[0]!))
  const seeds = room.derivable([], stolen)
  expect(room.views.map((view) => room.knows(seeds, view))).toEqual([true, true, false])
})

test("a stolen key opens nothing after its owner's turn and a fresh seed", () => {
  const room = new Room("abcd")
  room.change("abcd")
  const stolen = [...room.minds.get(memberNamed("c"))!]
  for (let i = 0; i < 4; i++) room.change("abcd")
  const last = room.change("abcd")
  expect(room.knows(room.derivable(stolen), last)).toBe(false)
})

/** The leader's message as an attacker rewrites it, delivered to all. */
function lie(names: string, next: string, forge: (room: Room, view: View, bytes: Uint8Array) => Uint8Array) {
  const room = new Room(`${names}${next}`)
  room.change(names)
  const view = room.harness.install(room.harness.propose(membersOf(next)))
  const { from, bytes } = view.log[0]!
  const forged = forge(room, view, bytes)
  for (const id of view.members) if (id !== from) room.harness.inject(id, from, forged)
  return {
    leader: from,
    faults: room.harness.faults,
    secrets: room.harness.secrets.filter((each) => each.view === view),
  }
}

test("names a leader that seals another seed than it commits to", () => {
  const { leader, faults, secrets } = lie("abc", "ab", (_, __, bytes) => {
    const message = seedMessages({ log: [{ bytes }] } as unknown as View)[0]!
    return encodeKemMessage({ ...message, commitment: new Uint8Array(32) })
  })
  expect(faults).toEqual([{ at: memberNamed("b"), member: leader, reason: "wrong-key" }])
  expect(secrets).toEqual([])
})

test("names a leader that gives the newcomer another seed than the members compute", () => {
  const { leader, faults, secrets } = lie("abc", "abcd", (_, view) => {
    const seed = new Uint8Array(32).fill(9)
    const { share } = kemAttachmentCodec.decode(view.attachments.get(memberNamed("d"))!)!
    const channel = { sid: view.sid, leader: memberNamed("a"), member: memberNamed("d") }
    const sealed = [sealSeed(kem, share, channel, new Uint8Array(64), seed)!]
    return encodeKemMessage({ type: "seed", isForward: true, commitment: seedCommitment(seed, view.sid), sealed })
  })
  expect(faults.map(({ at, member, reason }) => [at, member, reason])).toEqual(
    membersOf("bc").map((at) => [at, leader, "wrong-key"]),
  )
  expect(secrets.map(({ member }) => member)).toEqual(membersOf("d"))
})

test("names a leader that hashes the seed forward although somebody left", () => {
  const { leader, faults, secrets } = lie("abcd", "abce", (room, view) => {
    const seed = nextSeed(room.seedsHeld(memberNamed("d"))[0] ?? new Uint8Array(32), view.sid)
    const { share } = kemAttachmentCodec.decode(view.attachments.get(memberNamed("e"))!)!
    const channel = { sid: view.sid, leader: memberNamed("a"), member: memberNamed("e") }
    const sealed = [sealSeed(kem, share, channel, new Uint8Array(64), seed)!]
    return encodeKemMessage({ type: "seed", isForward: true, commitment: seedCommitment(seed, view.sid), sealed })
  })
  expect(faults.map(({ at, member }) => [at, member])).toEqual(membersOf("bc").map((at) => [at, leader]))
  expect(secrets.map(({ member }) => member)).toEqual(membersOf("e"))
})

test("names a leader whose message is damaged, too short or replayed", () => {
  for (const forge of [
    (_: Room, __: View, bytes: Uint8Array) => bytes.slice(0, -1),
    (_: Room, __: View, bytes: Uint8Array) =>
      bytes.with(40, bytes[40]! ^ 1).with(37 + SEAL_LENGTH, bytes[37 + SEAL_LENGTH]! ^ 1),
    (room: Room) => room.views[0]!.log[0]!.bytes,
  ]) {
    const { leader, faults, secrets } = lie("abc", "abc", forge)
    expect(new Set(faults.map(({ member }) => member))).toEqual(new Set([leader]))
    expect(secrets).toEqual([])
  }
})

test("names a member whose key is not reduced, and a newcomer without a key", () => {
  const unreduced = new Uint8Array(KEM_PUBLIC_KEY_BYTES).fill(0xff)
  const bad = [
    Uint8Array.of(1, 0, ...unreduced),
    Uint8Array.of(1, 0),
    Uint8Array.of(1, 0, ...new Uint8Array(KEM_PUBLIC_KEY_BYTES - 1)),
  ]
  for (const bytes of bad) {
    const room = new Room("abcd")
    room.change("abc")
    const proposal = room.harness.propose(membersOf("abcd"))
    proposal.attachments.set(memberNamed("d"), bytes)
    room.harness.install(proposal, membersOf("abc"))
    expect(room.harness.faults.map(({ member, reason }) => [member, reason])).toEqual(
      membersOf("abc").map(() => [memberNamed("d"), "malformed-attachment"]),
    )
  }
})

test("gives a member nothing that replays another's key", () => {
  const room = new Room("abcd")
  room.change("abc")
  const proposal = room.harness.propose(membersOf("abcd"))
  // d shows a key that it has no secret of: the first one of b, from an earlier view.
  proposal.attachments.set(memberNamed("d"), room.views[0]!.attachments.get(memberNamed("b"))!)
  const view = room.harness.install(proposal, membersOf("abc"))
  room.views.push(view)
  room.harness.settle(membersOf("abc"))
  expect(room.harness.faults).toEqual([])
  expect(room.knows(room.derivable(room.minds.get(memberNamed("d"))!), view)).toBe(false)
})

test("refuses what nobody prescribed, and a second message", () => {
  const room = new Room("abc")
  const view = room.change("abc")
  const [c, a] = [memberNamed("c"), memberNamed("a")]
  const key = encodeKemMessage({ type: "key", publicKey: kem.keyPair(new Uint8Array(64)).publicKey })
  room.harness.inject(c, a, view.log[0]!.bytes)
  room.harness.inject(c, memberNamed("b"), key)
  expect(room.harness.faults.map(({ reason }) => reason)).toEqual(["unexpected-message", "unexpected-message"])
})

test("overwrites what a member does not need any more", () => {
  const buffers: Uint8Array[] = []
  const watched: Kem = {
    ...kem,
    keyPair(seed) {
      const pair = kem.keyPair(seed)
      buffers.push(pair.secretKey)
      return pair
    },
  }
  const agreement = createKemAgreement(watched, memberNamed("b"))
  const harness = new Harness(group, { create: (self) => createKemAgreement(kem, self) })
  for (const name of "abc") harness.start(name)
  harness.member(memberNamed("b")).agreement = agreement
  for (const names of ["abc", "ab", "abc", "abc"]) harness.change(membersOf(names))
  expect(harness.faults).toEqual([])
  expect(buffers.length).toBeGreaterThan(4)
  for (const buffer of buffers) expect(buffer.every((byte) => byte === 0)).toBe(true)
})
