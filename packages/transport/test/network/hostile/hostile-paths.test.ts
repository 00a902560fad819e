import { describe, expect, test } from "vitest"
import { PATH_UNHEARD_MS, RELAYS_HALF_OPEN_MAX } from "../../../src/bounds/network-bounds.ts"
import type { HostEvent } from "../../../src/port/port.ts"
import { linkedPair, TestConference } from "../conference.ts"
import type { TestMember } from "../member.ts"

const toBytes = (index: number) => new Uint8Array(Uint32Array.of(index).buffer)
const toNumbers = ({ received }: TestMember) =>
  received.map((bytes) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const pathsTo = (member: TestMember, peer: TestMember) =>
  member.of("path").flatMap((output) => (output.peer === peer.member ? [output.path] : []))
const downs = (member: TestMember, peer: TestMember) =>
  member.of("linkDown").filter((each) => each.peer === peer.member)

/** Two members talk while an attacker acts. `act` is called every 100 ms. */
class Talk {
  readonly #conference: TestConference
  readonly #ends: readonly [TestMember, TestMember]
  sent = 0

  constructor(conference: TestConference, one: TestMember, other: TestMember) {
    this.#conference = conference
    this.#ends = [one, other]
  }

  async pass(ms: number, act: () => void = () => undefined): Promise<void> {
    const [one, other] = this.#ends
    for (const endMs = this.#conference.nowMs + ms; this.#conference.nowMs < endMs;) {
      act()
      one.mesh.send(other.member, toBytes(this.sent))
      other.mesh.send(one.member, toBytes(this.sent))
      this.sent += 1
      await this.#conference.pass(100)
    }
  }

  expectNothingLost(): void {
    for (const end of this.#ends) expect(toNumbers(end)).toEqual(upTo(this.sent))
  }
}

describe("an attacker on the network", () => {
  test("changes the path rarely when it breaks every direct one, and nobody is down", async () => {
    const { conference, low, high } = await linkedPair(9)
    const talk = new Talk(conference, low, high)
    const isDirect = () => pathsTo(low, high).at(-1) === "direct"
    const changes: number[] = []
    for (let minute = 0; minute < 3; minute++) {
      const before = pathsTo(low, high).length
      await talk.pass(60_000, () => {
        if (isDirect()) conference.network.cutDirect("low", "high")
        else conference.network.mend("low", "high")
      })
      changes.push(pathsTo(low, high).length - before)
    }
    expect(changes[0]).toBeLessThanOrEqual(14)
    for (const each of changes.slice(1)) expect(each).toBeLessThanOrEqual(4)
    await talk.pass(1_000)
    talk.expectNothingLost()
    expect([...downs(low, high), ...downs(high, low)]).toEqual([])
    expect([...low.securityCodes, ...high.securityCodes]).toEqual([])
  })

  test("only sends the link to the relay when it holds back a direct path's frames", async () => {
    const { conference, low, high } = await linkedPair(9)
    const talk = new Talk(conference, low, high)
    const { connectionId } = low.commandsOf("peer-open").at(-1)!
    const held: (() => void)[] = []
    conference.network.onDelivery = (to, event) => {
      if (event.type !== "peer-frames" || to !== "low" || event.connectionId !== connectionId) return [event]
      held.push(() => conference.network.inject(to, event))
      return []
    }
    await talk.pass(1_000)
    expect([pathsTo(low, high).at(-1), pathsTo(high, low).at(-1)]).toEqual(["relayed-by-server", "relayed-by-server"])
    conference.network.onDelivery = null
    for (const deliver of held) deliver()
    await talk.pass(3_000)
    expect([pathsTo(low, high).at(-1), pathsTo(high, low).at(-1)]).toEqual(["direct", "direct"])
    talk.expectNothingLost()
    expect([...low.securityCodes, ...high.securityCodes, ...downs(low, high), ...downs(high, low)]).toEqual([])
  })
})

/** After an ICE restart that Chromium offers, Firefox can drop what comes over the new path, and goes on sending. */
describe("a direct path with one dead direction", () => {
  test.each(["low", "high"])("leaves nobody silent for a second (to %s), and is made anew", async (deaf) => {
    const { conference, low, high } = await linkedPair(9)
    const talk = new Talk(conference, low, high)
    const connectionId = (deaf === "low" ? low : high).commandsOf("peer-open").at(-1)!.connectionId
    conference.network.onDelivery = (to, event) =>
      event.type === "peer-frames" && to === deaf && event.connectionId === connectionId ? [] : [event]
    let mostMissing = 0
    await talk.pass(30_000, () => {
      for (const { received } of [low, high]) mostMissing = Math.max(mostMissing, talk.sent - received.length)
    })
    // Each end sends ten messages a second.
    expect(mostMissing).toBeLessThanOrEqual(10)
    expect([pathsTo(low, high).at(-1), pathsTo(high, low).at(-1)]).toEqual(["direct", "direct"])
    talk.expectNothingLost()
    expect([...low.securityCodes, ...high.securityCodes, ...downs(low, high), ...downs(high, low)]).toEqual([])
  })
})

describe("a report that a voice is missing", () => {
  const directly = async () => {
    const { conference, low, high } = await linkedPair(9)
    return {
      conference,
      low,
      high,
      talk: new Talk(conference, low, high),
      connectionId: low.commandsOf("peer-open").at(-1)!.connectionId,
    }
  }

  test("moves both ends to the relay early when their direct path is silent", async () => {
    const { conference, low, high, talk, connectionId } = await directly()
    const held: (() => void)[] = []
    conference.network.onDelivery = (to, event) => {
      if (event.type !== "peer-frames" || to !== "low" || event.connectionId !== connectionId) return [event]
      held.push(() => conference.network.inject(to, event))
      return []
    }
    low.mesh.unheard(high.member)
    await talk.pass(PATH_UNHEARD_MS + 300)
    expect([pathsTo(low, high).at(-1), pathsTo(high, low).at(-1)]).toEqual(["relayed-by-server", "relayed-by-server"])
    conference.network.onDelivery = null
    for (const deliver of held) deliver()
    await talk.pass(3_000)
    talk.expectNothingLost()
    expect([...low.securityCodes, ...high.securityCodes, ...downs(low, high), ...downs(high, low)]).toEqual([])
  })

  test("changes nothing while the link is heard, however often it is repeated", async () => {
    const { low, high, talk } = await directly()
    const before = pathsTo(low, high).length
    await talk.pass(10_000, () => low.mesh.unheard(high.member))
    expect([pathsTo(low, high).length, pathsTo(low, high).at(-1)]).toEqual([before, "direct"])
    talk.expectNothingLost()
  })
})

describe("a hostile relay of the server", () => {
  test("prevents no direct path when it takes frames and delivers none", async () => {
    const conference = new TestConference(2, 5)
    const relayed = new Set<string>()
    const [low, high] = ["low", "high"].map((name, index) => conference.join(name, conference.identity(index))) as [
      TestMember,
      TestMember,
    ]
    conference.network.onDelivery = (to, event) => {
      const member = to === "low" ? low : high
      if (event.type !== "peer-frames") return [event]
      const isRelay = member.commandsOf("relay-open").some(({ connectionId }) => connectionId === event.connectionId)
      if (isRelay) relayed.add(to)
      // The handshake passes, so both believe in the relay.
      return isRelay && low.links.length + high.links.length === 2 ? [] : [event]
    }
    await conference.pass(1_000)
    const talk = new Talk(conference, low, high)
    await talk.pass(3_000)
    expect(relayed.size).toBe(2)
    expect([pathsTo(low, high).at(-1), pathsTo(high, low).at(-1)]).toEqual(["direct", "direct"])
    talk.expectNothingLost()
    expect([...low.securityCodes, ...high.securityCodes]).toEqual([])
  })

  test("opens few relays and stops nobody when it replays advertisements", async () => {
    const conference = new TestConference(32, 5)
    const replayed: HostEvent[] = []
    conference.network.onDelivery = (to, event) => {
      if (to === "m0" && event.type === "room-advertisement") replayed.push(event)
      // Nobody whose advertisement is replayed has ever proved anything here.
      return event.type === "room-signal" ? [] : [event]
    }
    const victim = conference.join("m0", conference.identity(1))
    for (let index = 2; index < 32; index++) {
      const { mesh, host } = conference.join(`m${index}`, conference.identity(index))
      await conference.network.run()
      mesh.close()
      host.close()
    }
    conference.members.splice(1)
    await conference.pass(10_000)
    conference.network.onDelivery = null
    const before = victim.commandsOf("relay-open").length
    for (const event of replayed) conference.network.inject("m0", event)
    await conference.pass(500)
    expect(replayed.length).toBeGreaterThanOrEqual(30)
    expect(victim.commandsOf("relay-open").length - before).toBe(RELAYS_HALF_OPEN_MAX / 2)
    const newcomer = conference.join("new", conference.identity(0))
    await conference.pass(500)
    expect(newcomer.links).toEqual([victim.member])
  })
})
