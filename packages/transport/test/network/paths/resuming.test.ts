import { describe, expect, test, vi } from "vitest"
import {
  CLOSED_GRACE_MS,
  LASTED_MS,
  PATH_NUDGES,
  PAYLOAD_BYTES_HIGH,
  RESUME_GRACE_MS,
} from "../../../src/bounds/network-bounds.ts"
import type { HostEvent } from "../../../src/host/index.ts"
import { linkedPair } from "../conference.ts"
import type { TestMember } from "../member.ts"

const numbered = (index: number) => new Uint8Array(Uint32Array.of(index, ...Array(index % 300).fill(index)).buffer)
const numbers = ({ received }: TestMember) => received.map((bytes) => new DataView(bytes.buffer).getUint32(0, true))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const linkEvents = (member: TestMember) =>
  member.outputs.map(({ type }) => type).filter((type) => type.startsWith("link"))

// A hundred connections are much to compute, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })

/** `npm run test:all` breaks it more often. */
const BREAKS = process.env["RUNS"] === "full" ? 100 : 30

describe("a link whose connection breaks", () => {
  test(`${BREAKS} times under load loses, repeats and reorders nothing`, async () => {
    const { conference, low, high } = await linkedPair(3)
    let sent = 0
    let losing: string | null = null
    conference.network.onDelivery = (to, event) =>
      event.type === "peer-frames" && losing !== null && losing.includes(to) ? [] : [event]
    const send = () => {
      for (let burst = conference.random.integer(20); burst >= 0; burst--) {
        low.mesh.send(high.member, numbered(sent))
        high.mesh.send(low.member, numbered(sent))
        sent += 1
      }
    }
    for (let kill = 0; kill < BREAKS; kill++) {
      send()
      await conference.network.run()
      losing = conference.random.pick(["low", "high", "low high", ""])
      send()
      await conference.network.run()
      conference.network.cut("low", "high")
      losing = null
      send()
      await conference.pass(100)
      conference.network.mend("low", "high")
      send()
      await conference.pass(1_500)
      await conference.skip(LASTED_MS)
    }
    expect([low.of("linkDown"), high.of("linkDown")]).toEqual([[], []])
    expect(numbers(low)).toEqual(upTo(sent))
    expect(numbers(high)).toEqual(upTo(sent))
    expect([linkEvents(low), linkEvents(high)]).toEqual([["linkUp"], ["linkUp"]])
    expect(low.commandsOf("peer-open").length).toBeGreaterThan(BREAKS)
    expect([low.mesh.bufferedBytes(high.member), high.mesh.bufferedBytes(low.member)]).toEqual([0, 0])
    expect([...low.securityCodes, ...high.securityCodes]).toEqual([])
  })

  test("is down when it does not resume in time, and a new one has nothing of it", async () => {
    const { conference, low, high } = await linkedPair()
    await conference.pass(LASTED_MS)
    conference.network.cut("low", "high")
    await conference.network.run()
    low.mesh.send(high.member, numbered(1))
    await conference.pass(RESUME_GRACE_MS / 2)
    expect([low.links, high.links]).toEqual([[high.member], [low.member]])
    await conference.pass(RESUME_GRACE_MS)
    expect([low.links, high.links]).toEqual([[], []])
    conference.network.mend("low", "high")
    await conference.pass(20_000)
    low.mesh.send(high.member, numbered(2))
    await conference.pass(200)
    expect(numbers(high)).toEqual([2])
    expect(linkEvents(high)).toEqual(["linkUp", "linkDown", "linkUp"])
  })

  test("goes down at the other end when one gave it up, and restarts empty", async () => {
    const { conference, low, high } = await linkedPair()
    await conference.pass(LASTED_MS)
    for (const member of [low, high]) member.mesh.send(member === low ? high.member : low.member, numbered(0))
    await conference.pass(200)
    // One end hears nothing of the end of the connection, nor of attempts at another.
    conference.network.onDelivery = (to, event) =>
      to === "high" && (event.type === "peer-closed" || event.type === "room-signal") ? [] : [event]
    conference.network.cut("low", "high")
    await conference.pass(RESUME_GRACE_MS + 200)
    high.mesh.send(low.member, numbered(1))
    expect([low.links, high.links]).toEqual([[], [low.member]])
    conference.network.onDelivery = null
    conference.network.mend("low", "high")
    await conference.pass(10_000)
    expect([linkEvents(low), linkEvents(high)]).toEqual([0, 1].map(() => ["linkUp", "linkDown", "linkUp"]))
    low.mesh.send(high.member, numbered(7))
    high.mesh.send(low.member, numbered(8))
    await conference.pass(200)
    expect([numbers(high), numbers(low)]).toEqual([
      [0, 7],
      [0, 8],
    ])
  })

  test("has the longer time when the other end closed it and is heard of first", async () => {
    const { conference, low, high } = await linkedPair(1, { serverRelays: false })
    await conference.pass(LASTED_MS)
    const closed = (member: TestMember, byPeer: boolean): HostEvent => {
      const { connectionId } = member.commandsOf("peer-open").at(-1)!
      return { type: "peer-closed", connectionId, byPeer, reason: "closed" }
    }
    conference.network.inject("low", closed(low, false))
    await conference.network.run()
    const late = closed(high, true)
    // And nothing else of it.
    conference.network.onDelivery = (_, event) => (event === late ? [event] : [])
    conference.network.inject("high", late)
    await conference.pass(CLOSED_GRACE_MS + 200)
    expect(linkEvents(high)).toEqual(["linkUp"])
    await conference.pass(RESUME_GRACE_MS - CLOSED_GRACE_MS)
    expect(linkEvents(high)).toEqual(["linkUp", "linkDown"])
  })

  test("gets the longer time when its closing end is heard of in the room", async () => {
    const { conference, low, high } = await linkedPair(1, { serverRelays: false })
    await conference.pass(LASTED_MS)
    // Both hear that the other one has closed it, and the next one is long in opening.
    const held: [string, HostEvent][] = []
    conference.network.onDelivery = (to, event) => {
      if (event.type !== "peer-connected") return [event]
      held.push([to, event])
      return []
    }
    for (const [name, member] of [["low", low] as const, ["high", high] as const]) {
      const { connectionId } = member.commandsOf("peer-open").at(-1)!
      conference.network.inject(name, {
        type: "peer-closed",
        connectionId,
        byPeer: true,
        reason: "closed by the other side",
      })
    }
    low.mesh.send(high.member, numbered(0))
    high.mesh.send(low.member, numbered(0))
    await conference.pass(RESUME_GRACE_MS - 200)
    expect(held.map(([to]) => to)).toEqual(["low", "high"])
    conference.network.onDelivery = null
    for (const [to, event] of held) conference.network.inject(to, event)
    await conference.pass(100)
    expect([linkEvents(low), linkEvents(high)]).toEqual([["linkUp"], ["linkUp"]])
    expect([numbers(low), numbers(high)]).toEqual([[0], [0]])
  })

  test("is up as soon as it is made again, though it went down before", async () => {
    const { conference, low, high } = await linkedPair(1, { serverRelays: false })
    await conference.pass(LASTED_MS)
    const held: [string, HostEvent][] = []
    conference.network.onDelivery = (to, event) => {
      if (event.type !== "peer-connected") return [event]
      held.push([to, event])
      return []
    }
    for (const [name, member] of Object.entries({ low, high })) {
      const { connectionId } = member.commandsOf("peer-open").at(-1)!
      conference.network.inject(name, { type: "peer-closed", connectionId, byPeer: false, reason: "broken" })
    }
    await conference.pass(RESUME_GRACE_MS + 300)
    expect([linkEvents(low), linkEvents(high)]).toEqual([0, 1].map(() => ["linkUp", "linkDown"]))
    conference.network.onDelivery = null
    for (const [to, event] of held) conference.network.inject(to, event)
    await conference.pass(100)
    expect([linkEvents(low), linkEvents(high)]).toEqual([0, 1].map(() => ["linkUp", "linkDown", "linkUp"]))
    expect(low.commandsOf("peer-open")).toHaveLength(2)
    low.mesh.send(high.member, numbered(1))
    await conference.pass(100)
    expect(numbers(high)).toEqual([1])
  })

  test("closed without a goodbye is down sooner, and with a goodbye at once", async () => {
    for (const [goodbye, withinMs] of [
      [false, CLOSED_GRACE_MS + 200],
      [true, 100],
    ] as const) {
      const { conference, low, high } = await linkedPair()
      if (goodbye) low.mesh.close()
      low.host.close()
      conference.members.splice(conference.members.indexOf(low), 1)
      await conference.pass(withinMs)
      expect(high.links).toEqual([])
    }
  })
})

describe("a sender that is faster than the other end", () => {
  test("has its payload turned away at a bound, and its control messages never", async () => {
    const { conference, low, high } = await linkedPair()
    // Nothing is lost, but nothing arrives: a network that is full.
    const held: Parameters<NonNullable<typeof conference.network.onDelivery>>[1][] = []
    conference.network.onDelivery = (to, event) => {
      if (to !== "high" || event.type !== "peer-frames") return [event]
      held.push(event)
      return []
    }
    const chunk = new Uint8Array(64 * 1024)
    const taken: boolean[] = []
    for (let index = 0; index < 1_000; index++) {
      taken.push(low.mesh.send(high.member, chunk, { payload: true }))
      await conference.network.run()
      expect(low.mesh.bufferedBytes(high.member)).toBeLessThanOrEqual(PAYLOAD_BYTES_HIGH)
    }
    expect(taken.indexOf(false)).toBe(PAYLOAD_BYTES_HIGH / chunk.length)
    for (let index = 0; index < 20; index++) expect(low.mesh.send(high.member, numbered(index))).toBe(true)
    conference.network.onDelivery = null
    for (const event of held) conference.network.inject("high", event)
    await conference.pass(500)
    expect(numbers(high).slice(-20)).toEqual(upTo(20))
    expect(high.received).toHaveLength(PAYLOAD_BYTES_HIGH / chunk.length + 20)
    expect(low.mesh.send(high.member, chunk, { payload: true })).toBe(true)
  })

  test("replaces the connection when nothing is acknowledged for too long", async () => {
    const { conference, low, high } = await linkedPair(1, { serverRelays: false })
    await conference.pass(LASTED_MS)
    let swallowing = true
    conference.network.onDelivery = (to, event) =>
      swallowing && to === "high" && event.type === "peer-frames" ? [] : [event]
    low.mesh.send(high.member, numbered(0))
    await conference.pass(9_000)
    expect(low.commandsOf("peer-open")).toHaveLength(1)
    swallowing = false
    await conference.pass(3_000)
    expect(low.commandsOf("peer-open")).toHaveLength(2)
    expect(numbers(high)).toEqual([0])
    expect([linkEvents(low), linkEvents(high)]).toEqual([["linkUp"], ["linkUp"]])
  })

  test("is given up when it has control messages without end for somebody who takes none", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.onDelivery = (to, event) => (to === "high" && event.type === "peer-frames" ? [] : [event])
    const chunk = new Uint8Array(4 * 1024 * 1024)
    let sent = 0
    while (low.mesh.send(high.member, chunk)) sent += 1
    expect(sent).toBe(16)
    expect(low.links).toEqual([])
    expect(low.mesh.bufferedBytes(high.member)).toBe(0)
  })
})

describe("unreliable messages", () => {
  test("with 20 % loss delivers the rest at most once, and leaves the reliable one alone", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.loseUnreliable(0.2, conference.random)
    for (let index = 0; index < 2_000; index++) {
      low.mesh.send(high.member, numbered(index * 2), { reliability: "unreliable" })
      if (index % 10 === 0) low.mesh.send(high.member, numbered(index * 2 + 1))
      await conference.network.run()
    }
    const odd = numbers(high).filter((index) => index % 2 === 1)
    const even = numbers(high).filter((index) => index % 2 === 0)
    expect(odd).toEqual(upTo(200).map((index) => index * 20 + 1))
    expect(new Set(even).size).toBe(even.length)
    expect(even.length).toBeGreaterThan(1_500)
    expect(even.length).toBeLessThan(1_700)
    expect(high.securityCodes).toEqual([])
  })

  test("drops what is replayed, forged or of the other kind, and ends nothing for it", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.onDelivery = (to, event) => {
      if (event.type !== "peer-frames" || event.reliability !== "unreliable" || to !== "high") return [event]
      const spoilt = event.frames.map((frame) => frame.with(30, frame[30]! ^ 1))
      return [event, event, { ...event, frames: spoilt }, { ...event, frames: [new Uint8Array(3)] }]
    }
    for (let index = 0; index < 50; index++) {
      low.mesh.send(high.member, numbered(index), { reliability: "unreliable" })
      await conference.network.run()
    }
    expect(numbers(high)).toEqual(upTo(50))
    expect([high.links, high.securityCodes]).toEqual([[low.member], []])
  })

  test("nudge a silent direct path by three frames in one go, which a host may take", async () => {
    const { conference, low, high } = await linkedPair()
    conference.network.onDelivery = (_, event) => (event.type === "peer-frames" ? [] : [event])
    low.mesh.send(high.member, numbered(0))
    await conference.pass(3_000)
    const nudges = low.commandsOf("peer-send").filter(({ reliability }) => reliability === "unreliable")
    expect(nudges.length).toBeGreaterThan(3)
    expect(new Set(nudges.map(({ frames }) => frames.length))).toEqual(new Set([PATH_NUDGES]))
    const buffers = nudges.flatMap(({ frames }) => frames.map(({ buffer }) => buffer))
    expect(new Set(buffers).size).toBe(buffers.length)
  })

  test("keeps the newest when full, and an oversized message is sent as reliable", async () => {
    const { conference, low, high } = await linkedPair()
    for (let index = 0; index < 1_000; index++)
      low.mesh.send(high.member, numbered(index), { reliability: "unreliable" })
    low.mesh.send(high.member, new Uint8Array(100_000).fill(255), { reliability: "unreliable" })
    await conference.network.run()
    const small = numbers(high).filter((index) => index < 1_000)
    expect(small.at(-1)).toBe(999)
    expect(small.length).toBeLessThan(200)
    expect(high.received.some(({ length }) => length === 100_000)).toBe(true)
  })
})
