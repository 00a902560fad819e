import { describe, expect, test } from "vitest"
import { LASTED_MS, STANDBY_AFTER_MS, UNLINKED_RETRY_MS_MAX } from "../../../src/bounds/network-bounds.ts"
import type { ConnectionId } from "../../../src/port/port.ts"
import { linkedPair, TestConference } from "../conference.ts"
import { CountingChecker, Gate, SERVER, type TestMember } from "../member.ts"

const linkEvents = (member: { outputs: readonly { type: string }[] }) =>
  member.outputs.map(({ type }) => type).filter((type) => type.startsWith("link"))

const setServerOf = ({ network }: TestConference, name: string, state: "up" | "down") =>
  network.inject(name, { type: "bootstrap-state", server: SERVER, state })

/** Ends the last connection of that kind at both ends. */
function breakLinks(
  { network }: TestConference,
  members: Readonly<Record<string, TestMember>>,
  kind: "peer-open" | "relay-open",
): void {
  for (const [name, member] of Object.entries(members)) {
    const { connectionId } = member.commandsOf(kind).at(-1)!
    network.inject(name, { type: "peer-closed", connectionId, byPeer: false, reason: "broken" })
  }
}

describe("a member that comes back", () => {
  test("after a reload has its former link replaced, though that never closed", async () => {
    for (const index of [0, 1]) {
      const { conference, low, high } = await linkedPair()
      const [staying, leaving] = index === 0 ? [high, low] : [low, high]
      const again = conference.join("again", leaving.identity, { incarnation: 2 })
      await conference.pass(3_000)
      expect(linkEvents(staying)).toEqual(["linkUp", "linkDown", "linkUp"])
      expect(staying.of("linkUp").map(({ incarnation }) => incarnation)).toEqual([1, 2])
      expect(again.links).toEqual([staying.member])
      expect(leaving.links).toEqual([])
      expect(staying.securityCodes).toEqual([])
    }
  })

  test("as a former incarnation is not linked beside the newer one", async () => {
    const { conference, high } = await linkedPair()
    conference.join("newer", conference.identity(0), { incarnation: 5 })
    await conference.pass(3_000)
    conference.join("older", conference.identity(0), { incarnation: 3 })
    await conference.pass(20_000)
    expect(high.of("linkUp").map(({ incarnation }) => incarnation)).toEqual([1, 5])
  })

  test("after its connection broke is linked again, once the network lets it", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.cut("low", "high")
    await conference.pass(5_000)
    expect([low.links, high.links]).toEqual([[], []])
    expect(low.of("linkDown")).toMatchObject([{ peer: high.member }])
    conference.network.mend("low", "high")
    await conference.pass(30_000)
    expect([low.links, high.links]).toEqual([[high.member], [low.member]])
    expect([...low.securityCodes, ...high.securityCodes]).toEqual([])
  })

  test("is retried rarely when unreachable, and no more when not advertised", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.cut("low", "high")
    const attempts = () => low.commandsOf("peer-open").length
    await conference.pass(60_000)
    expect(attempts()).toBeGreaterThan(2)
    expect(attempts()).toBeLessThan(60_000 / UNLINKED_RETRY_MS_MAX)
    high.mesh.close()
    high.host.close()
    conference.members.splice(conference.members.indexOf(high), 1)
    await conference.pass(80_000)
    const last = attempts()
    await conference.pass(60_000)
    expect(attempts()).toBe(last)
  })

  test("over a direct path that falls silent has a lost relay opened again at once", async () => {
    const { conference, low, high } = await linkedPair()
    await conference.pass(LASTED_MS)
    breakLinks(conference, { low, high }, "relay-open")
    await conference.pass(200)
    const isDirect = (to: string, connectionId: ConnectionId) =>
      (to === "low" ? low : high).commandsOf("peer-open").some((command) => command.connectionId === connectionId)
    conference.network.onDelivery = (to, event) =>
      event.type === "peer-frames" && isDirect(to, event.connectionId) ? [] : [event]
    low.mesh.send(high.member, Uint8Array.of(7))
    // Nobody is suspected so soon.
    await conference.pass(2_000)
    expect(high.received).toEqual([Uint8Array.of(7)])
  })

  test("repeats an offer that was lost without the server when it enters again", async () => {
    const { conference, low, high } = await linkedPair(1, { serverRelays: false })
    setServerOf(conference, "low", "down")
    breakLinks(conference, { low, high }, "peer-open")
    await conference.pass(1_000)
    setServerOf(conference, "low", "up")
    high.mesh.send(low.member, Uint8Array.of(7))
    await conference.pass(300)
    expect(low.received).toEqual([Uint8Array.of(7)])
  })

  test("gets a relay at once after an outage, despite the back-off", async () => {
    const { conference, low, high } = await linkedPair()
    const { network } = conference
    network.cutDirect("low", "high")
    network.relays = false
    breakLinks(conference, { low, high }, "relay-open")
    network.onDelivery = (_to, event) => (event.type.startsWith("room-") ? [] : [event])
    setServerOf(conference, "high", "down")
    await conference.pass(20_000)
    const last = (carrier: string) =>
      low.of("traced").findLast(({ event: { ids } }) => "carrier" in ids && ids.carrier === carrier)?.event.event
    // Between two requests, while a direct offer waits for an answer.
    while (last("server") !== "connection-ended" || last("webrtc") !== "connection-opened") await conference.pass(100)
    network.relays = true
    network.onDelivery = null
    setServerOf(conference, "high", "up")
    await conference.pass(300)
    expect(linkEvents(high)).toEqual(["linkUp", "linkDown", "linkUp"])
  })

  test("repeats its lost request for a relay when the other end asks for one", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.cutDirect("low", "high")
    setServerOf(conference, "low", "down")
    breakLinks(conference, { low, high }, "relay-open")
    await conference.pass(3_000)
    expect(linkEvents(low)).toEqual(["linkUp", "linkDown"])
    let isAsked = false
    conference.network.onDelivery = (to, event) => {
      if (event.type !== "room-signal") return [event]
      isAsked ||= to === "low"
      return isAsked ? [event] : []
    }
    setServerOf(conference, "low", "up")
    await conference.pass(300)
    expect(linkEvents(low)).toEqual(["linkUp", "linkDown", "linkUp"])
  })

  test("gets lost requests again when it has entered the room anew", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.cutDirect("low", "high")
    setServerOf(conference, "high", "down")
    conference.network.onDelivery = (to, event) => (event.type === "room-signal" && to === "high" ? [] : [event])
    breakLinks(conference, { low, high }, "relay-open")
    await conference.pass(3_000)
    expect(linkEvents(low)).toEqual(["linkUp", "linkDown"])
    conference.network.onDelivery = null
    setServerOf(conference, "high", "up")
    await conference.pass(300)
    expect(linkEvents(low)).toEqual(["linkUp", "linkDown", "linkUp"])
    expect(low.commandsOf("relay-open").at(-1)!.to).toBe(high.commandsOf("room-enter").at(-1)!.address)
  })

  test("keeps its link when an advertisement of a newer incarnation may be a replay", async () => {
    const { conference, low, high } = await linkedPair()
    await conference.pass(STANDBY_AFTER_MS)
    conference.network.onDelivery = (_, event) => (event.type === "room-signal" ? [] : [event])
    breakLinks(conference, { low, high }, "relay-open")
    await conference.pass(2 * STANDBY_AFTER_MS)
    const attempts = low.commandsOf("relay-open").length
    expect(attempts).toBeGreaterThan(1)
    conference.join("again", high.identity, { incarnation: 2 })
    await conference.pass(1_000)
    expect(linkEvents(low)).toEqual(["linkUp"])
  })

  test("after minutes of total disruption is linked within seconds of its end", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.cut("low", "high")
    conference.network.mend("low", "high")
    conference.network.onDelivery = (_, event) => {
      if (event.type === "room-signal") return [{ ...event, envelope: event.envelope.map((byte) => byte ^ 1) }]
      return event.type === "room-advertisement" ? [] : [event]
    }
    await conference.pass(40_000)
    expect([low.links, high.links]).toEqual([[], []])
    conference.network.onDelivery = null
    await conference.pass(6_000)
    expect([low.links, high.links]).toEqual([[high.member], [low.member]])
  })
})

describe("a connection that gets stuck", () => {
  test.each([
    ["before its channel opens", "peer-connected"],
    ["in its handshake", "peer-frames"],
  ])("%s is given up, and made anew", async (_, lost) => {
    const conference = new TestConference(2)
    conference.network.onDelivery = (_, event) => (event.type === lost ? [] : [event])
    const low = conference.join("low", conference.identity(0))
    const high = conference.join("high", conference.identity(1))
    await conference.pass(15_000)
    conference.network.onDelivery = null
    await conference.pass(30_000)
    expect([low.links, high.links]).toEqual([[high.member], [low.member]])
    expect(low.commandsOf("peer-open").length).toBeGreaterThan(1)
    expect([...linkEvents(low), ...linkEvents(high)]).toEqual(["linkUp", "linkUp"])
  })
})

describe("a mesh that is closed", () => {
  test("delivers earlier input, leaves the room, and does nothing afterwards", async () => {
    const { conference, low, high } = await linkedPair()
    low.mesh.send(high.member, Uint8Array.of(1))
    low.mesh.close()
    low.mesh.close()
    const { length } = low.commands
    await conference.pass(60_000)
    conference.network.setServer("down")
    await conference.pass(100)
    conference.network.setServer("up")
    await conference.pass(1_000)
    expect(high.received).toEqual([Uint8Array.of(1)])
    expect(high.links).toEqual([])
    expect(low.commands.at(-1)).toMatchObject({ type: "room-leave" })
    expect(low.commands).toHaveLength(length)
    expect(low.of("linkDown")).toEqual([])
  })

  test("does nothing for what its signer or checker finishes afterwards", async () => {
    for (const events of [1, 5, 10, 15, 20]) {
      const conference = new TestConference(2)
      const gate = new Gate()
      const held =
        <P extends unknown[], R>(run: (...parts: P) => Promise<R>) =>
        async (...parts: P): Promise<R> => {
          await gate.pass()
          return run(...parts)
        }
      const identity = conference.identity(0)
      const { member, certificate } = identity
      const checker = new CountingChecker()
      const low = conference.join("low", identity, {
        signer: { member, certificate, sign: held((bytes) => identity.sign(bytes)) },
        credentials: {
          check: held((bytes) => checker.check(bytes)),
          verify: held((...parts: Parameters<CountingChecker["verify"]>) => checker.verify(...parts)),
        },
      })
      conference.join("high", conference.identity(1))
      for (let round = 0; round < events; round++) {
        await conference.network.run()
        gate.open()
      }
      await conference.network.run()
      low.mesh.close()
      const before = [low.commands.length, low.outputs.length]
      for (let round = 0; round < 20; round++) {
        gate.open()
        await conference.pass(100)
      }
      expect([low.commands.length, low.outputs.length]).toEqual(before)
    }
  })

  test("silently loses messages, as does one without a link to the member", async () => {
    const { low, high } = await linkedPair()
    low.mesh.send(low.member, Uint8Array.of(1))
    expect(low.mesh.bufferedBytes(low.member)).toBe(0)
    high.mesh.close()
    high.mesh.send(low.member, Uint8Array.of(1))
    expect(high.mesh.bufferedBytes(low.member)).toBe(0)
  })
})
