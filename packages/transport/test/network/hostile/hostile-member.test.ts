import { bytesToHex } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import { RELAYS_HALF_OPEN_MAX } from "../../../src/bounds/network-bounds.ts"
import { loopbackSdp } from "../../../src/testing/index.ts"
import { TestConference } from "../conference.ts"
import { HostileMember } from "./hostile-member.ts"
import type { TestMember } from "../member.ts"

async function attacked(
  place = 2,
  identities = 3,
): Promise<{ conference: TestConference; hostile: HostileMember; victim: TestMember }> {
  const conference = new TestConference(identities)
  const victim = conference.join("victim", conference.identity(place))
  await conference.pass(200)
  const hostile = new HostileMember(conference, conference.identity(0), victim)
  await conference.network.run()
  return { conference, hostile, victim }
}

async function linked(place = 2, identities = 3) {
  const all = await attacked(place, identities)
  await all.hostile.introduce()
  await all.hostile.link()
  expect(all.victim.links).toEqual([all.hostile.identity.member])
  return all
}

const otherCertificate = loopbackSdp("attacker/9", "ee".repeat(32))

/** The peer connections that it has closed. A relay is closed by the same command. */
function closedConnections(member: TestMember): unknown[] {
  const opened = new Set(member.commandsOf("peer-open").map(({ connectionId }) => connectionId))
  return member.commandsOf("peer-close").filter(({ connectionId }) => opened.has(connectionId))
}

describe("somebody with the invitation", () => {
  test("is linked when it keeps the rules (so that what follows fails for its deviation)", async () => {
    const { hostile, victim } = await linked()
    await hostile.send([hostile.sealer!.seal(Uint8Array.of(0, 1, 7))])
    expect(victim.received).toEqual([Uint8Array.of(7)])
    expect(victim.securityCodes).toEqual([])
  })

  test("cannot swap its live link's certificate: the link ends, the person is notified", async () => {
    for (const type of ["offer", "answer"] as const) {
      const { hostile, victim } = await linked()
      await hostile.signal({ kind: "description", attempt: 1, type, sdp: otherCertificate })
      expect(victim.links).toEqual([])
      expect(victim.of("security")).toMatchObject([{ code: "fingerprint-mismatch", member: hostile.identity.member }])
      expect(
        victim
          .commandsOf("peer-signal")
          .some(({ signal }) => signal.type !== "candidate" && signal.sdp === otherCertificate),
      ).toBe(false)
    }
  })

  test("cannot renegotiate its live link: the description is dropped, the link stays", async () => {
    const { hostile, victim } = await linked()
    const signals = victim.commandsOf("peer-signal").length
    const [offer] = victim.commandsOf("peer-signal")
    const { sdp } = offer!.signal as { sdp: string }
    await hostile.signal({ kind: "description", attempt: 1, type: "offer", sdp })
    expect(victim.links).toEqual([hostile.identity.member])
    expect(victim.commandsOf("peer-signal")).toHaveLength(signals)
    expect(victim.mesh.dropped.get("signal: renegotiation")).toBe(1)
  })

  test("replaces its link by a later attempt, but not by a former one", async () => {
    const { conference, hostile, victim } = await linked()
    await conference.pass(1_000)
    await hostile.link(3)
    expect(victim.outputs.filter(({ type }) => type.startsWith("link")).map(({ type }) => type)).toEqual([
      "linkUp",
      "linkDown",
      "linkUp",
    ])
    await conference.pass(1_000)
    await hostile.link(2)
    expect(victim.links).toEqual([hostile.identity.member])
    expect(victim.of("linkDown")).toHaveLength(1)
    expect(victim.mesh.dropped.get("signal: of a former attempt")).toBe(1)
  })

  test("cannot offer a description with two certificates, or with none", async () => {
    const { conference, hostile, victim } = await attacked()
    await hostile.introduce()
    const two = `${otherCertificate}${otherCertificate.replaceAll("EE", "DD")}`
    for (const [index, sdp] of [two, "v=0\r\n", two.replaceAll("sha-256", "sha-1")].entries()) {
      await hostile.signal({ kind: "description", attempt: index + 1, type: "offer", sdp })
      await conference.pass(1_000)
    }
    expect(victim.commandsOf("peer-open")).toHaveLength(3)
    expect(victim.commandsOf("peer-signal")).toEqual([])
    expect(victim.links).toEqual([])
    expect(closedConnections(victim)).toHaveLength(victim.commandsOf("peer-open").length)
  })

  test("cannot speak in another member's name", async () => {
    const { conference, hostile, victim } = await attacked()
    const honest = conference.identity(1)
    // An advertisement with the honest member's certificate, signed by itself; then a hello in its own name, signed by nobody.
    await hostile.advertise({ ...hostile.card, certificate: honest.certificate })
    expect(victim.of("security").map(({ code, member }) => [code, member])).toEqual([["forged-signal", null]])
    expect(hostile.victimCard).toBeNull()
    await hostile.advertise()
    await hostile.signal({ kind: "hello", card: hostile.card }, () => new Uint8Array(64))
    await hostile.signal({ kind: "hello", card: { ...hostile.card, certificate: honest.certificate } })
    expect(victim.of("security").at(-1)).toMatchObject({ code: "forged-signal", member: hostile.identity.member })
    expect(victim.commandsOf("peer-open")).toEqual([])
  })

  test("cannot greet under another name than its certificate's, though well signed", async () => {
    const { conference, victim } = await attacked()
    const name = conference.identity(1).member
    const hostile = new HostileMember(conference, conference.identity(0), victim, "impostor", name)
    await conference.network.run()
    await hostile.introduce()
    expect(victim.mesh.dropped.get("signal: a hello that contradicts its envelope")).toBe(1)
  })

  test("cannot greet with a card that is not what the signal was sealed with", async () => {
    const { conference, hostile, victim } = await attacked()
    await hostile.advertise()
    await hostile.signal({ kind: "hello", card: { ...hostile.card, ephemeral: conference.random.bytes(32) } })
    await hostile.signal({ kind: "hello", card: { ...hostile.card, address: conference.random.bytes(16) } })
    expect(victim.mesh.dropped.get("signal: a hello that contradicts its envelope")).toBe(2)
  })

  test("cannot make anybody accept a certificate that is not valid", async () => {
    const { hostile, victim } = await attacked()
    await hostile.advertise({ ...hostile.card, certificate: hostile.card.certificate.slice(0, -1) })
    await hostile.advertise({ ...hostile.card, certificate: Uint8Array.of(1) })
    expect(victim.of("security").map(({ code }) => code)).toEqual(["bad-credential", "bad-credential"])
  })

  test("ends only its own link by a replayed, reordered, cut or forged frame", async () => {
    const deviations: [string, (frames: [Uint8Array, Uint8Array]) => Uint8Array[]][] = [
      ["replayed", ([first]) => [first, first]],
      ["gap", ([, second]) => [second]],
      ["forged", ([first]) => [first.with(30, first[30]! ^ 1)]],
      ["forged", ([first]) => [first.slice(0, -1)]],
      ["malformed", () => [Uint8Array.of(1, 2, 3)]],
      ["malformed", () => [new Uint8Array()]],
    ]
    for (const [detail, deviate] of deviations) {
      const { hostile, victim } = await linked()
      const frames: [Uint8Array, Uint8Array] = [
        hostile.sealer!.seal(Uint8Array.of(0, 1, 7)),
        hostile.sealer!.seal(Uint8Array.of(0, 1, 8)),
      ]
      await hostile.send(deviate(frames))
      expect(victim.links).toEqual([])
      expect(victim.of("security")).toMatchObject([{ code: "bad-frame", member: hostile.identity.member, detail }])
    }
  })

  test("ends its own link by messages that are not packed as they must be", async () => {
    const { hostile, victim } = await linked()
    await hostile.send([hostile.sealer!.seal(Uint8Array.of(0, 9, 1))])
    expect(victim.securityCodes).toEqual(["bad-frame: malformed-frame"])
  })

  test("cannot make a member hold more candidates than the bound", async () => {
    const { hostile, victim } = await linked()
    for (let index = 0; index < 100; index++) {
      await hostile.signal({
        kind: "candidate",
        attempt: 1,
        candidate: `candidate:${index}`,
        sdpMid: null,
        sdpMLineIndex: 0,
      })
    }
    expect(victim.commandsOf("peer-signal").filter(({ signal }) => signal.type === "candidate")).toHaveLength(64)
  })

  test("cannot make a member open connections without pause by ever new attempts", async () => {
    const { hostile, victim } = await attacked()
    await hostile.introduce()
    for (let attempt = 1; attempt <= 50; attempt++) {
      await hostile.signal({ kind: "description", attempt, type: "offer", sdp: otherCertificate })
    }
    expect(victim.commandsOf("peer-open")).toHaveLength(2)
    expect(victim.mesh.dropped.get("signal: offers too often")).toBe(48)
  })

  test("with many identities opens at most the bound of half-open connections", async () => {
    const count = 10 * RELAYS_HALF_OPEN_MAX
    const conference = new TestConference(count + 1)
    const victim = conference.join("victim", conference.identity(count))
    await conference.pass(200)
    for (let index = 0; index < count; index++) {
      const hostile = new HostileMember(conference, conference.identity(index), victim, `hostile ${index}`)
      await conference.network.run()
      await hostile.introduce()
      const sdp = loopbackSdp(`nobody/${index}`, bytesToHex(conference.random.bytes(32)))
      await hostile.signal({ kind: "description", attempt: 1, type: "offer", sdp })
    }
    expect(victim.commandsOf("peer-open")).toHaveLength(16)
    expect(victim.commandsOf("relay-open")).toHaveLength(RELAYS_HALF_OPEN_MAX / 2)
    await conference.pass(21_000)
    expect(closedConnections(victim)).toHaveLength(16)
  })
})
