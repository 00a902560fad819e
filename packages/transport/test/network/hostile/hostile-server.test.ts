import { bytesToHex } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import type { HostEvent, RoomAddress } from "../../../src/port/port.ts"
import { SEALED_BYTES_MAX } from "../../../src/bounds/network-bounds.ts"
import { Random } from "../../../src/testing/random/random.ts"
import { linkedPair, TestConference } from "../conference.ts"
import type { CredentialChecker } from "../../../src/index.ts"
import { conferenceId, CountingChecker, Gate, invitation, SERVER, type TestMember } from "../member.ts"

const room = bytesToHex(conferenceId)
type Signalled = HostEvent & { type: "room-signal" }
type Advertised = HostEvent & { type: "room-advertisement" }

/** Everything that the server hands on, as it may keep it. */
function record(conference: TestConference): { to: string; event: Signalled | Advertised }[] {
  const seen: { to: string; event: Signalled | Advertised }[] = []
  conference.network.onDelivery = (to, event) => {
    if (event.type === "room-signal" || event.type === "room-advertisement") seen.push({ to, event })
    return [event]
  }
  return seen
}
/** Copies of which each differs in one byte, or ends before one. */
function changedCopies(event: Signalled | Advertised): HostEvent[] {
  const bytes = event.type === "room-signal" ? event.envelope : event.advertisement
  return Array.from(bytes, (byte, position) => [bytes.with(position, byte ^ 0x10), bytes.slice(0, position)])
    .flat()
    .map((copy) => (event.type === "room-signal" ? { ...event, envelope: copy } : { ...event, advertisement: copy }))
}

const opened = (member: TestMember) => member.commandsOf("peer-open").length

describe("a stranger with the conference id", () => {
  test("costs a member no certificate check, signature or connection by any flood", async () => {
    const { conference, low } = await linkedPair()
    const random = new Random(5)
    const before = {
      checks: low.checker.checks,
      verifications: low.checker.verifications,
      commands: low.commands.length,
    }
    const from = bytesToHex(random.bytes(16)) as RoomAddress
    for (let index = 0; index < 500; index++) {
      // Some ten times as long as anything honest.
      const bytes = random.bytes(index % 50 === 49 ? 10 * SEALED_BYTES_MAX : random.integer(400))
      if (index % 2 === 0) bytes[0] = 1
      conference.network.inject("low", { type: "room-signal", server: SERVER, room, from, envelope: bytes })
      conference.network.inject("low", { type: "room-advertisement", server: SERVER, room, from, advertisement: bytes })
    }
    await conference.network.run()
    expect({
      checks: low.checker.checks,
      verifications: low.checker.verifications,
      commands: low.commands.length,
    }).toEqual(before)
    expect(low.securityCodes).toEqual([])
    expect([...low.mesh.dropped.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(1000)
  })

  test("meets nobody and learns nothing with another invitation or descriptor", async () => {
    const others = [
      { keys: { ...invitation, advertisement: new Uint8Array(32) } },
      { keys: { ...invitation, signal: new Uint8Array(32) } },
      { descriptorHash: new Uint8Array(32) },
    ]
    for (const overrides of others) {
      const conference = new TestConference(2)
      const stranger = conference.join("stranger", conference.identity(0), overrides)
      const member = conference.join("member", conference.identity(1))
      await conference.pass(20_000)
      expect([...stranger.links, ...member.links]).toEqual([])
      expect(opened(stranger) + opened(member)).toBe(0)
    }
  })

  test("is turned away with a reason when it lacks only the association's key", async () => {
    const conference = new TestConference(2)
    const keys = { ...invitation, association: new Uint8Array(32) }
    const stranger = conference.join("stranger", conference.identity(0), { keys })
    const member = conference.join("member", conference.identity(1))
    await conference.pass(500)
    expect([...stranger.links, ...member.links]).toEqual([])
    expect(member.securityCodes).toContain("bad-association: invitation-mismatch")
  })
})

describe("a hostile server", () => {
  test("cannot replay signals: they cost no verification, and change nothing", async () => {
    const conference = new TestConference(2)
    const seen = record(conference)
    const [low, high] = [
      conference.join("low", conference.identity(0)),
      conference.join("high", conference.identity(1)),
    ]
    await conference.pass(1_000)
    const before = [low, high].map(({ checker, commands, outputs }) => [
      checker.verifications,
      commands.length,
      outputs.length,
    ])
    const kept = seen.splice(0).filter(({ event }) => event.type === "room-signal")
    expect(kept.length).toBeGreaterThan(4)
    for (const { to, event } of [...kept, ...kept.toReversed()]) conference.network.inject(to, event)
    await conference.network.run()
    expect(
      [low, high].map(({ checker, commands, outputs }) => [checker.verifications, commands.length, outputs.length]),
    ).toEqual(before)
    expect((low.mesh.dropped.get("signal: replayed") ?? 0) + (high.mesh.dropped.get("signal: replayed") ?? 0)).toBe(
      kept.length * 2,
    )
  })

  test("cannot use signals of before a member's reconnection after it", async () => {
    const conference = new TestConference(2)
    const seen = record(conference)
    const [low, high] = [
      conference.join("low", conference.identity(0)),
      conference.join("high", conference.identity(1)),
    ]
    await conference.pass(1_000)
    const kept = seen.filter(({ event }) => event.type === "room-signal")
    conference.network.setServer("down")
    await conference.pass(100)
    conference.network.setServer("up")
    await conference.network.run()
    const verifications = high.checker.verifications
    for (const { to, event } of kept) if (to === "high") conference.network.inject(to, event)
    await conference.network.run()
    expect(high.checker.verifications).toBe(verifications)
    expect(high.mesh.dropped.get("signal: stale-nonce")).toBeGreaterThan(0)
    expect([low.links, high.links]).toEqual([[high.member], [low.member]])
  })

  test("cannot open connections by replaying advertisements of members that have left", async () => {
    const conference = new TestConference(3)
    const seen = record(conference)
    const gone = conference.join("gone", conference.identity(2))
    conference.join("other", conference.identity(1))
    await conference.pass(1_000)
    gone.mesh.close()
    gone.host.close()
    const late = conference.join("late", conference.identity(0))
    for (const { event } of seen) if (event.type === "room-advertisement") conference.network.inject("late", event)
    await conference.pass(10_000)
    expect(late.links).toEqual([conference.identity(1).member])
    expect(opened(late)).toBe(1)
  })

  test("cannot set a member back by replaying its former advertisement", async () => {
    const conference = new TestConference(2)
    const seen = record(conference)
    const low = conference.join("low", conference.identity(0))
    conference.join("high", conference.identity(1))
    await conference.pass(1_000)
    const [old] = seen.filter(({ to, event }) => to === "low" && event.type === "room-advertisement")
    conference.network.setServer("down")
    await conference.network.run()
    conference.network.setServer("up")
    await conference.pass(1_000)
    const { verifications } = low.checker
    const commands = low.commands.length
    conference.network.inject("low", old!.event)
    await conference.network.run()
    expect([low.checker.verifications, low.commands.length]).toEqual([verifications, commands])
    expect(low.mesh.dropped.get("advertisement: outdated")).toBe(1)
  })

  test.each(["room-advertisement", "room-signal"])(
    "cannot attribute one member's %s to another address: nobody answers it",
    async (type) => {
      const conference = new TestConference(2)
      const from = "ab".repeat(16) as RoomAddress
      conference.network.onDelivery = (_, event) => (event.type === type ? [{ ...event, from } as HostEvent] : [event])
      const members = [0, 1].map((index) => conference.join(`m${index}`, conference.identity(index)))
      await conference.pass(5_000)
      const hellos = members.map((member) => member.commandsOf("room-signal").length)
      expect(type === "room-advertisement" ? hellos : members.map(opened)).toEqual([0, 0])
      expect(members.flatMap(({ securityCodes }) => securityCodes)).toEqual([])
    },
  )

  test("cannot have a signal acted on that was verified while the member entered anew", async () => {
    const conference = new TestConference(2)
    const gate = new Gate()
    const checker = new CountingChecker()
    const credentials: CredentialChecker = {
      check: (certificate) => checker.check(certificate),
      verify: async (...parts) => {
        await gate.pass()
        return checker.verify(...parts)
      },
    }
    conference.join("low", conference.identity(0))
    const high = conference.join("high", conference.identity(1), { credentials })
    await conference.pass(500)
    expect(gate.waiting).toBeGreaterThan(0)
    conference.network.setServer("down")
    await conference.network.run()
    conference.network.setServer("up")
    await conference.network.run()
    gate.open()
    await conference.network.run()
    expect(high.mesh.dropped.get("signal: stale-nonce")).toBeGreaterThan(0)
  })

  test("is entered once when it says twice that it is up", async () => {
    const conference = new TestConference(1)
    const member = conference.join("member", conference.identity(0))
    await conference.network.run()
    conference.network.inject("member", { type: "bootstrap-state", server: SERVER, state: "up" })
    await conference.pass(1_000)
    expect(member.commandsOf("room-enter")).toHaveLength(1)
  })

  test("is asked again, under another address, when it does not let a member in", async () => {
    const conference = new TestConference(1)
    conference.network.onDelivery = (_, event) =>
      event.type === "bootstrap-reply" ? [{ ...event, reply: { ok: false, code: "room-full", message: "" } }] : [event]
    const member = conference.join("member", conference.identity(0))
    await conference.pass(20_000)
    const addresses = member.commandsOf("room-enter").map(({ address }) => address)
    expect(addresses.length).toBeGreaterThan(1)
    expect(new Set(addresses).size).toBe(addresses.length)
    // Behind each request to be let in, and no more: who is not in is not heard.
    expect(member.commandsOf("room-advertise").length).toBe(addresses.length)
  })

  test("cannot change an advertisement or a signal in any byte", async () => {
    const conference = new TestConference(2)
    const held: (Signalled | Advertised)[] = []
    const ours = new Set<HostEvent>()
    const { network } = conference
    network.onDelivery = (to, event) => {
      const isHeld = event.type === "room-signal" || event.type === "room-advertisement"
      if (!isHeld || to !== "low" || ours.has(event)) return [event]
      held.push(event)
      return []
    }
    const deliver = (event: HostEvent): void => {
      ours.add(event)
      network.inject("low", event)
    }
    const low = conference.join("low", conference.identity(0))
    const high = conference.join("high", conference.identity(1))
    const state = () => [low.checker.checks, low.checker.verifications, low.commands.length, low.outputs.length]
    const changed = { "room-signal": 0, "room-advertisement": 0 }
    while (low.links.length === 0 || held.length > 0) {
      await conference.pass(100)
      const event = held.shift()
      if (!event) continue
      const before = state()
      // They come before the original. After it, each would be refused as a repetition.
      for (const copy of changedCopies(event)) {
        deliver(copy)
        changed[event.type]++
      }
      await network.run()
      expect(state()).toEqual(before)
      deliver(event)
    }
    expect(low.links).toEqual([high.member])
    const dropped = (...reasons: readonly string[]) =>
      reasons.reduce((sum, reason) => sum + (low.mesh.dropped.get(reason) ?? 0), 0)
    expect(changed["room-signal"]).toBeGreaterThan(2_000)
    expect(dropped("signal: malformed", "signal: mac")).toBe(changed["room-signal"])
    expect(dropped("advertisement: not sealed by a holder of the invitation")).toBe(changed["room-advertisement"])
    expect(low.securityCodes).toEqual([])
  })

  test("is found out by the certificates in force when it hijacks the DTLS session", async () => {
    const conference = new TestConference(2)
    conference.network.onDelivery = (to, event) =>
      event.type === "peer-connected" && event.remoteFingerprint && to === "low"
        ? [{ ...event, remoteFingerprint: "00".repeat(32) }]
        : [event]
    const low = conference.join("low", conference.identity(0))
    const high = conference.join("high", conference.identity(1))
    await conference.pass(500)
    expect([...low.of("path"), ...high.of("path")].map(({ path }) => path)).not.toContain("direct")
    expect(low.of("security")[0]).toMatchObject({ code: "fingerprint-mismatch", member: high.member })
  })

  test("is detected at the first frame of a link that it changes or omits", async () => {
    const meddling: ((frames: readonly Uint8Array[]) => readonly Uint8Array[])[] = [
      (frames) => frames.map((frame) => frame.map((byte) => byte ^ 1)),
      (frames) => [...frames, ...frames],
      (frames) => frames.slice(1),
      (frames) => frames.toReversed(),
    ]
    for (const meddle of meddling) {
      const { conference, low, high } = await linkedPair()
      conference.network.onDelivery = (to, event) =>
        event.type === "peer-frames" && to === "high" ? [{ ...event, frames: meddle(event.frames) }] : [event]
      for (const byte of [1, 2]) low.mesh.send(high.member, new Uint8Array(20_000).fill(byte))
      await conference.network.run()
      low.mesh.send(high.member, Uint8Array.of(3))
      await conference.network.run()
      expect(high.links).toEqual([])
      expect(high.of("security")).toMatchObject([{ code: "bad-frame", member: low.member }])
      expect(high.received.map((bytes) => bytes[0])).toEqual([1, 2, 3].slice(0, high.received.length))
      conference.network.onDelivery = null
      await conference.pass(5_000)
      expect([low.links, high.links]).toEqual([[high.member], [low.member]])
    }
  })

  test("has nobody named when it forges, replays or swaps frames that it relays", async () => {
    const meddling: ((frames: readonly Uint8Array[]) => readonly Uint8Array[])[] = [
      () => [new Uint8Array(60).fill(3)],
      (frames) => frames.map((frame) => frame.map((byte, at) => (at < 30 ? byte : byte ^ 1))),
      (frames) => [...frames, ...frames],
    ]
    for (const meddle of meddling) {
      const { conference, low, high } = await linkedPair()
      conference.network.cutDirect("low", "high")
      await conference.pass(500)
      expect(high.of("path").at(-1)).toMatchObject({ path: "relayed-by-server" })
      conference.network.onDelivery = (to, event) =>
        event.type === "peer-frames" && to === "high" ? [{ ...event, frames: meddle(event.frames) }] : [event]
      low.mesh.send(high.member, Uint8Array.of(1))
      await conference.network.run()
      expect(high.of("security")).toMatchObject([{ code: "bad-frame", member: null }])
    }
  })

  test("has nobody named when it spoils the handshake of a link that it relays", async () => {
    const conference = new TestConference(2)
    conference.network.cutDirect("low", "high")
    conference.network.onDelivery = (to, event) =>
      event.type === "peer-frames" && to === "high"
        ? [{ ...event, frames: event.frames.map((frame) => frame.map((byte) => byte ^ 1)) }]
        : [event]
    conference.join("low", conference.identity(0))
    const high = conference.join("high", conference.identity(1))
    await conference.pass(1_000)
    expect(high.of("security")[0]).toMatchObject({ code: "bad-association", member: null })
  })

  test("only delays the meeting when it loses half of everything for a while", async () => {
    const conference = new TestConference(4)
    const luck = new Random(2)
    conference.network.onDelivery = (_, event) => (event.type.startsWith("room-") && luck.chance(0.5) ? [] : [event])
    for (let index = 0; index < 4; index++) conference.join(`m${index}`, conference.identity(index))
    await conference.pass(60_000)
    conference.network.onDelivery = null
    await conference.pass(90_000)
    for (const { links } of conference.members) expect(links).toHaveLength(3)
  })

  test("takes no link along when it goes down, and newcomers come when it is back", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.setServer("down")
    await conference.pass(30_000)
    low.mesh.send(high.member, Uint8Array.of(1))
    await conference.network.run()
    expect(high.received).toEqual([Uint8Array.of(1)])
    conference.network.setServer("up")
    await conference.pass(1_000)
    expect(low.of("server").map(({ state }) => state)).toEqual(["up", "down", "up"])
    expect([low.of("linkDown"), high.of("linkDown")]).toEqual([[], []])
    expect(low.securityCodes).toEqual([])
  })
})
