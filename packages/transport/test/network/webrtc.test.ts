import * as native from "node-datachannel"
import { afterEach, describe, expect, test, vi } from "vitest"
import { REKEY_MS } from "../../src/bounds/network-bounds.ts"
import {
  type ConnectionId,
  createPeers,
  type HostEvent,
  type HostFactory,
  type PeerEvent,
} from "../../src/host/index.ts"
import { nodeWebRtc } from "../../src/node/index.ts"
import { LoopbackNetwork } from "../../src/testing/loopback/loopback.ts"
import { Random } from "../../src/testing/random/random.ts"
import { TestIdentity, TestMember } from "./member.ts"

const TICK_MS = 100
const opened: { close(): void }[] = []
afterEach(() => {
  for (const each of opened.splice(0).toReversed()) each.close()
})

/** Real peer connections; the room in memory. */
function realHost(network: LoopbackNetwork, name: string): HostFactory {
  return (onEvent) => {
    const room = network.createHost(name)(onEvent)
    const peers = createPeers(onEvent, { wrtc: webRtc })
    const host = {
      post: (command: Parameters<typeof room.post>[0]) =>
        ("connectionId" in command ? peers : room).post(command as never),
      close: () => {
        peers.close()
        room.close()
      },
    }
    opened.push(host)
    return host
  }
}
const webRtc = nodeWebRtc(native)

function realPair() {
  const network = new LoopbackNetwork({ schedule: setImmediate })
  const random = new Random(7)
  const members = ["a", "b"].map((name) => new TestMember(realHost(network, name), random, new TestIdentity(random)))
  let aheadMs = 0
  const tick = () => {
    for (const { mesh } of members) mesh.tick(performance.now() + aheadMs)
  }
  const ticking = setInterval(tick, TICK_MS)
  opened.push({ close: () => clearInterval(ticking) })
  /** The clock never goes back. A receiver whose clock did would take an offer of new keys for an early one. */
  const advance = (ms: number) => {
    aheadMs += ms
    tick()
  }
  return { members: members as [TestMember, TestMember], advance }
}

const until = (condition: () => void) => vi.waitFor(condition, { timeout: 30_000, interval: 20 })

describe("over real WebRTC", () => {
  test("two meshes link, carry 10,000 messages in order both ways, and close cleanly", async () => {
    const [a, b] = realPair().members
    await until(() => expect([a.links, b.links]).toEqual([[b.member], [a.member]]))

    const count = 10_000
    const message = (index: number) => new Uint8Array(Uint32Array.of(index, ...Array(index % 97).fill(index)).buffer)
    for (let index = 0; index < count; index++) {
      a.mesh.send(b.member, message(index))
      b.mesh.send(a.member, message(index))
      if (index % 50 === 0) await new Promise(setImmediate)
    }
    await until(() => expect([a.received.length, b.received.length]).toEqual([count, count]))
    for (const { received } of [a, b]) {
      expect(received.every((bytes, index) => Buffer.from(bytes).equals(message(index)))).toBe(true)
    }
    await until(() => expect([a.mesh.bufferedBytes(b.member), b.mesh.bufferedBytes(a.member)]).toEqual([0, 0]))

    a.mesh.send(b.member, Uint8Array.of(42))
    a.mesh.close()
    await until(() => expect(b.links).toEqual([]))
    expect(b.received.at(-1)).toEqual(Uint8Array.of(42))
    expect([...a.of("security"), ...b.of("security")]).toEqual([])
    expect(b.of("linkDown")).toEqual([{ type: "linkDown", peer: a.member, reason: "closed by the other side" }])
  })

  test("keys are renewed under load, and no message is lost, doubled or reordered", async () => {
    const { members, advance } = realPair()
    const [a, b] = members
    await until(() => expect([a.links, b.links]).toEqual([[b.member], [a.member]]))
    const renewals = 3
    for (let renewal = 1; renewal <= renewals; renewal++) {
      // With nothing under way, or it would count as unacknowledged for all of that time.
      await until(() => expect([a.mesh.bufferedBytes(b.member), b.mesh.bufferedBytes(a.member)]).toEqual([0, 0]))
      advance(REKEY_MS)
      for (let index = 0; index < 1_000; index++) {
        const message = new Uint8Array(1 + (index % 300)).fill(index)
        a.mesh.send(b.member, message)
        b.mesh.send(a.member, message)
        if (index % 20 === 0) await new Promise(setImmediate)
      }
      const sent = renewal * 1_000
      await until(() => expect([a.received.length, b.received.length]).toEqual([sent, sent]))
    }
    for (const member of members) {
      const lengthAndContent = ([content, ...rest]: Uint8Array) => [1 + rest.length, content]
      const expected = Array.from({ length: renewals * 1_000 }, (_, i) => [1 + ((i % 1_000) % 300), (i % 1_000) & 255])
      expect(member.received.map(lengthAndContent)).toEqual(expected)
      const frames = member.commandsOf("peer-send").flatMap((command) => command.frames)
      const associations = new Set(frames.map((frame) => frame.slice(1, 9).toString()))
      expect(associations.size).toBeGreaterThan(renewals)
      expect([member.of("linkDown"), member.securityCodes]).toEqual([[], []])
    }
  })

  test("messages larger than any frame arrive whole, and the queue is reported", async () => {
    const [a, b] = realPair().members
    await until(() => expect(a.links).toEqual([b.member]))
    const large = new Random(3).bytes(1024 * 1024)
    for (let index = 0; index < 8; index++) a.mesh.send(b.member, large)
    expect(a.mesh.bufferedBytes(b.member)).toBe(8 * large.length)
    await until(() => expect(b.received.length).toBe(8))
    expect(b.received.every((bytes) => Buffer.from(bytes).equals(large))).toBe(true)
    await until(() => expect(a.mesh.bufferedBytes(b.member)).toBe(0))
  })
})

describe("a peer connection", () => {
  const connectionId = 1 as ConnectionId
  function peers() {
    const events: PeerEvent[] = []
    const created = createPeers((event) => events.push(event), { wrtc: webRtc })
    opened.push(created)
    return { events, ...created }
  }
  const typesOf = (events: readonly HostEvent[]) => events.map(({ type }) => type)

  test("ends with a reason and without an exception when given nonsense", async () => {
    for (const signal of [
      { type: "offer", sdp: "nonsense" },
      { type: "candidate", candidate: "nonsense", sdpMid: null, sdpMLineIndex: null },
    ] as const) {
      const { events, post } = peers()
      post({ type: "peer-open", connectionId, initiator: false })
      post({ type: "peer-signal", connectionId, signal })
      if (signal.type === "candidate")
        post({ type: "peer-signal", connectionId, signal: { type: "offer", sdp: "v=0\r\n" } })
      await until(() => expect(typesOf(events)).toEqual(["peer-closed"]))
      expect((events[0] as PeerEvent & { type: "peer-closed" }).reason).not.toBe("")
    }
  })

  test("asks no STUN server but the given ones: only host candidates come out", async () => {
    const ends = [peers(), peers()]
    const forwarded = [0, 0]
    const forward = () => {
      for (const [index, { events }] of ends.entries()) {
        for (const event of events.slice(forwarded[index]))
          if (event.type === "peer-signal")
            ends[1 - index]!.post({ type: "peer-signal", connectionId, signal: event.signal })
        forwarded[index] = events.length
      }
    }
    for (const [index, { post }] of ends.entries()) post({ type: "peer-open", connectionId, initiator: index === 0 })
    const candidatesOf = ({ events }: (typeof ends)[number]) =>
      events.flatMap((event) =>
        event.type === "peer-signal" && event.signal.type === "candidate" ? [event.signal.candidate] : [],
      )
    await until(() => {
      forward()
      for (const end of ends) expect(candidatesOf(end)).not.toEqual([])
      for (const { events } of ends) expect(typesOf(events)).toContain("peer-connected")
    })
    for (const candidate of ends.flatMap(candidatesOf)) expect(candidate).toMatch(/ typ host(?: |$)/u)
  })

  test("can be closed at any time, twice, and is silent afterwards", async () => {
    const { events, post, close } = peers()
    post({ type: "peer-open", connectionId, initiator: true })
    post({ type: "peer-close", connectionId })
    post({ type: "peer-close", connectionId })
    post({ type: "peer-send", connectionId, reliability: "reliable", frames: [Uint8Array.of(1)] })
    close()
    close()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(events).toEqual([])
  })
})
