import * as wrtc from "@roamhq/wrtc"
import * as native from "node-datachannel"
import { expect, onTestFinished, test, vi } from "vitest"
import { CANDIDATES_MAX } from "../../src/bounds/network-bounds.ts"
import type { PeerSignal, WebRtc } from "../../src/host/index.ts"
import { WebRtcConnection } from "../../src/host/webrtc-connection.ts"
import { Negotiation } from "../../src/network/path/negotiation.ts"
import type { Signal } from "../../src/network/messages/signal.ts"
import { nodeWebRtc } from "../../src/node/index.ts"

/** An implementation that restarts ICE as browsers do. */
const restarting = "default" in wrtc ? (wrtc.default as typeof wrtc) : wrtc
const until = (condition: () => void) => vi.waitFor(condition, { timeout: 30_000, interval: 20 })

/** Two peer connections that signal through what the mesh checks, as two members do. */
function connect(implementations: readonly [WebRtc, WebRtc]) {
  const roles = ["initiator", "responder"] as const
  const ends = roles.map((role) => ({
    negotiation: new Negotiation(role, 1),
    received: [] as number[],
    connected: false,
    closed: "",
    descriptions: [] as string[],
    dropped: [] as string[],
  }))
  const links: WebRtcConnection[] = []
  /** Signals of the initiator that are under way, and lost ones of the responder. Null if they arrive at once. */
  const way: { held: Signal[] | null; lost: Signal[] | null } = { held: null, lost: null }
  const tell = (from: number, signal: PeerSignal): void => {
    for (const told of ends[from]!.negotiation.handleLocal(signal) ?? []) {
      if (from === 0 && way.held) way.held.push(told)
      else if (from === 1 && way.lost) way.lost.push(told)
      else hear(from, told)
    }
  }
  const hear = (from: number, told: Signal): void => {
    const to = ends[1 - from]!
    if (told.kind === "description" || told.kind === "candidate") {
      const verdict = to.negotiation.handleRemote(told)
      if (verdict.verdict === "answered") for (const answer of verdict.signals) hear(1 - from, answer)
      else if (verdict.verdict !== "forward") to.dropped.push(verdict.reason)
      else {
        if (verdict.signal.type !== "candidate") to.descriptions.push(verdict.signal.sdp)
        queueMicrotask(() => links[1 - from]!.signal(verdict.signal))
      }
    }
  }
  for (const [index, role] of roles.entries()) {
    const end = ends[index]!
    links.push(
      new WebRtcConnection({
        initiator: role === "initiator",
        iceServers: [],
        transportPolicy: "all",
        wrtc: implementations[index]!,
        signals: { take: (signal) => tell(index, signal) },
        onConnected: () => (end.connected = true),
        onFrame: ([number]) => end.received.push(number!),
        onClosed: (reason) => (end.closed = reason),
      }),
    )
  }
  onTestFinished(() => {
    for (const link of links) link.destroy()
  })
  const release = (): void => {
    for (const told of way.held?.splice(0) ?? []) hear(0, told)
    way.held = null
  }
  return { ends, links, way, release }
}

test("an ICE restart under traffic reconnects both ends and loses nothing", async () => {
  const { ends, links } = connect([restarting, restarting])
  const [initiator, responder] = links as [WebRtcConnection, WebRtcConnection]
  await until(() => expect(ends.map(({ connected }) => connected)).toEqual([true, true]))
  for (let round = 1; round <= 3; round++) {
    for (let number = 0; number < 20; number++) {
      initiator.send([Uint8Array.of(number)], "reliable")
      responder.send([Uint8Array.of(number)], "reliable")
    }
    initiator.restartIce()
    await until(() => expect(ends.map(({ descriptions }) => descriptions.length)).toEqual([round + 1, round + 1]))
    await until(() => expect(ends.map(({ received }) => received.length)).toEqual([20 * round, 20 * round]))
  }
  for (const { descriptions, closed, dropped } of ends) {
    expect(new Set(descriptions.map((sdp) => /^a=ice-ufrag:.*$/m.exec(sdp)![0])).size).toBe(4)
    expect([closed, dropped]).toEqual(["", []])
  }
})

test("restarts ICE once when the offers of two restarts arrive together", async () => {
  const { ends, links, way, release } = connect([restarting, restarting])
  const [initiator, responder] = links as [WebRtcConnection, WebRtcConnection]
  await until(() => expect(ends.map(({ connected }) => connected)).toEqual([true, true]))
  const held: Signal[] = []
  way.held = held
  for (let restart = 1; restart <= 2; restart++) {
    initiator.restartIce()
    await until(() => expect(held.filter(({ kind }) => kind === "description")).toHaveLength(restart))
  }
  release()
  await until(() => expect(ends.map(({ descriptions }) => descriptions.length)).toEqual([2, 2]))
  for (let number = 0; number < 20; number++) {
    initiator.send([Uint8Array.of(number)], "reliable")
    responder.send([Uint8Array.of(number)], "reliable")
  }
  await until(() => expect(ends.map(({ received }) => received.length)).toEqual([20, 20]))
  // The pair has another path, so the next restart has a description of each end.
  initiator.restartIce()
  await until(() => expect(ends.map(({ descriptions }) => descriptions.length)).toEqual([3, 3]))
  expect(ends.map(({ closed }) => closed)).toEqual(["", ""])
})

test("completes an ICE restart at the next one when its answer was lost", async () => {
  const { ends, links, way } = connect([restarting, restarting])
  const [initiator] = links as [WebRtcConnection, WebRtcConnection]
  await until(() => expect(ends.map(({ connected }) => connected)).toEqual([true, true]))
  const lost: Signal[] = []
  way.lost = lost
  initiator.restartIce()
  await until(() => expect(lost.map(({ kind }) => kind)).toContain("description"))
  way.lost = null
  initiator.restartIce()
  await until(() => expect(ends.map(({ descriptions }) => descriptions.length)).toEqual([2, 2]))
  initiator.restartIce()
  await until(() => expect(ends.map(({ descriptions }) => descriptions.length)).toEqual([3, 3]))
  expect(ends.map(({ closed }) => closed)).toEqual(["", ""])
})

test("repeats the answer to a restart, and no more often than ICE may be restarted", () => {
  const negotiation = new Negotiation("responder", 1)
  const handle = (sdp: string) => negotiation.handleRemote({ kind: "description", attempt: 1, type: "offer", sdp })
  const answer = (sdp: string) => negotiation.handleLocal({ type: "answer", sdp })
  handle(offer("first"))
  answer(offer("answer"))
  expect(handle(offer("first")).verdict).toBe("dropped")
  handle(offer("second"))
  expect(handle(offer("second")).verdict).toBe("dropped")
  const signals = answer(offer("restarted"))
  for (let again = 0; again < 15; again++) {
    const verdict = handle(offer("second", "a=candidate:1 1 udp 1 10.0.0.1 9 typ host"))
    expect(verdict).toEqual({ verdict: "answered", signals })
  }
  expect(handle(offer("second")).verdict).toBe("dropped")
})

test("ends a link in Node when the peer restarts its ICE", async () => {
  const { ends, links } = connect([restarting, nodeWebRtc(native)])
  const [initiator, responder] = links as [WebRtcConnection, WebRtcConnection]
  await until(() => expect(ends.map(({ connected }) => connected)).toEqual([true, true]))
  responder.restartIce()
  initiator.send([Uint8Array.of(1)], "reliable")
  await until(() => expect(ends[1]!.received).toEqual([1]))
  expect(ends.map(({ descriptions, closed }) => [descriptions.length, closed])).toEqual([
    [1, ""],
    [1, ""],
  ])
  initiator.restartIce()
  await until(() => expect(ends[1]!.closed).toMatch(/ICE cannot be restarted/u))
  await until(() => expect(ends[0]!.closed).not.toBe(""))
})

const offer = (ufrag: string, ...more: string[]) =>
  [
    "v=0",
    `o=- ${ufrag.length} 2 IN IP4 127.0.0.1`,
    `m=application ${40_000 + ufrag.length} UDP/DTLS/SCTP webrtc-datachannel`,
    `a=ice-ufrag:${ufrag}`,
    `a=fingerprint:sha-256 ${Array(32).fill("AB").join(":")}`,
    ...more,
    "",
  ].join("\r\n")

test("drops a restart that changes more than the path, and one too many", () => {
  const negotiation = new Negotiation("responder", 1)
  const handle = (sdp: string, type: "offer" | "answer" = "offer") =>
    negotiation.handleRemote({ kind: "description", attempt: 1, type, sdp }).verdict
  expect(handle(offer("first"))).toBe("forward")
  expect(handle(offer("first"))).toBe("dropped")
  expect(handle(offer("second", "m=audio 9 UDP/TLS/RTP/SAVPF 111"))).toBe("dropped")
  expect(handle(offer("second", "a=max-message-size:1"))).toBe("dropped")
  expect(handle(offer("second"), "answer")).toBe("dropped")
  expect(handle(offer("second").replaceAll("AB", "CD"))).toBe("refused")
  for (let restart = 0; restart < 16; restart++) expect(handle(offer(`again ${restart}`))).toBe("forward")
  expect(handle(offer("one too many"))).toBe("dropped")
})

test.each(["\r\n", "\n", "\r"])("tries no address when a description has too many, apart by %j", (end) => {
  const handle = (negotiation: Negotiation, ufrag: string, count: number) => {
    const lines = Array.from({ length: count }, (_, i) => `a=candidate:1 1 udp 1 10.0.0.1 ${i} typ host`)
    const sdp = offer(ufrag, ...lines).replaceAll("\r\n", end)
    return negotiation.handleRemote({ kind: "description", attempt: 1, type: "offer", sdp })
  }
  expect(handle(new Negotiation("responder", 1), "first", CANDIDATES_MAX + 1)).toEqual({
    verdict: "refused",
    reason: "bad-description",
    detail: "too-many-candidates",
  })
  const negotiation = new Negotiation("responder", 1)
  expect(handle(negotiation, "first", CANDIDATES_MAX).verdict).toBe("forward")
  expect(handle(negotiation, "second", CANDIDATES_MAX + 1).verdict).toBe("dropped")
  expect(handle(negotiation, "second", CANDIDATES_MAX).verdict).toBe("forward")
})
