import type { MemberId } from "@keymoot/transport"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { levelOf, Loudness } from "../../src/media/call/loudness.ts"
import {
  type ConnectionSignal,
  EARLY_MEDIA_CANDIDATES_MAX,
  MediaConnection,
} from "../../src/media/call/media-connection.ts"
import { SILENCE_MS } from "../../src/media/call/path-watch.ts"
import { MEDIA_SOURCES } from "../../src/media/keys/index.ts"
import { FakeBrowser } from "./fake-browser.ts"
import { sampleDescription } from "./sample-description.ts"

const BOB = { member: "b".repeat(32) as MemberId, incarnation: 1 }
const TRACK = {} as MediaStreamTrack

let browser: FakeBrowser
let signals: ConnectionSignal[]
let faults: (string | null)[]

beforeEach(() => {
  browser = new FakeBrowser()
  ;[signals, faults] = [[], []]
  for (const [name, value] of Object.entries(browser.globals)) vi.stubGlobal(name, value)
})
afterEach(() => vi.unstubAllGlobals())

/** `initiator`: it offers. */
function connect(initiator: boolean): MediaConnection {
  const connection = new MediaConnection({
    peer: BOB,
    initiator,
    iceServers: [],
    transportPolicy: "all",
    worker: {} as Worker,
    loudness: new Loudness(),
    emit: (event) => {
      if (event.type === "signal") signals.push(event.signal)
      if (event.type === "failed") faults.push(event.fault)
    },
  })
  browser.endTask()
  return connection
}

const offer = (sdp = sampleDescription()): ConnectionSignal => ({ kind: "description", type: "offer", sdp })
const answer = (sdp = sampleDescription()): ConnectionSignal => ({ kind: "description", type: "answer", sdp })
const described = (): Promise<void> => vi.waitFor(() => void expect(signals.length).toBeGreaterThan(0))
const candidate = (port: number): ConnectionSignal => ({
  kind: "candidate",
  candidate: `candidate:1 1 udp 1 10.0.0.1 ${port} typ host`,
  section: 0,
})

test("measures loudness as the root mean square, at most 1", () => {
  const wave = Float32Array.from({ length: 2048 }, (_, i) => Math.sin(i))
  expect(levelOf(wave)).toBeCloseTo(Math.SQRT1_2, 2)
  expect(levelOf(new Float32Array(2048))).toBe(0)
  expect(levelOf(new Float32Array(8).fill(3))).toBe(1)
})

describe("a path that falls silent", () => {
  /** A connection whose peer is heard at time 0. */
  async function hear(initiator = true) {
    const connection = connect(initiator)
    connection.signal(initiator ? answer() : offer())
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    const { receiver } = browser.connections[0]!.transceivers[MEDIA_SOURCES.indexOf("microphone")]!
    const watch = (nowMs: number, linkLostAtMs = -Infinity) => connection.watch({ nowMs, expected: true, linkLostAtMs })
    const sounds = (atMs: number): void => {
      receiver.soundAt = 1e6 + atMs
      watch(atMs)
    }
    sounds(0)
    return { connection, sounds, watch }
  }
  const offers = (): number => signals.filter((each) => each.kind === "description" && each.type === "offer").length
  const settled = (): Promise<void> => new Promise((done) => setTimeout(done))

  test("has ICE restarted, and once more when it falls silent again", async () => {
    const { connection, sounds, watch } = await hear()
    watch(SILENCE_MS + 1)
    await vi.waitFor(() => expect(offers()).toBe(2))
    connection.signal(answer(sampleDescription().replaceAll("a=ice-ufrag:one", "a=ice-ufrag:two")))
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(2))
    sounds(10_000)
    watch(10_001 + SILENCE_MS)
    await vi.waitFor(() => expect(offers()).toBe(3))
  })

  test("gets no second offer while the first one has no answer", async () => {
    const { sounds, watch } = await hear()
    watch(SILENCE_MS + 1)
    await vi.waitFor(() => expect(offers()).toBe(2))
    sounds(2000)
    watch(2001 + SILENCE_MS)
    await settled()
    expect(offers()).toBe(2)
  })

  test("gets no offer from the end that answers", async () => {
    const { watch } = await hear(false)
    watch(SILENCE_MS + 1)
    await settled()
    expect(offers()).toBe(0)
  })

  test("has the connection replaced when the link has lost it too", async () => {
    const { watch } = await hear()
    expect([watch(SILENCE_MS + 1), watch(SILENCE_MS + 2, 100), watch(SILENCE_MS + 3, 100)]).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe.each([true, false])("a connection whose end offers: %s", (initiator) => {
  test("names no loudness in the clear, whatever the peer asks for", async () => {
    const line = "a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    const asked = sampleDescription((each) => (each === "a=mid:0" ? `${each}\r\n${line}` : each))
    connect(initiator).signal(initiator ? answer(asked) : offer(asked))
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    expect(browser.connections[0]!.described[0]).not.toContain("audio-level")
    expect(faults).toEqual([])
  })

  test("has every transform in the task in which its transceiver appears", async () => {
    const connection = connect(initiator)
    if (!initiator) connection.signal(offer())
    await described()
    const transceivers = browser.connections[0]!.transceivers
    expect(transceivers).toHaveLength(MEDIA_SOURCES.length)
    for (const { sender, receiver } of transceivers) expect([sender.transform, receiver.transform]).not.toContain(null)
    expect(browser.leaks).toEqual([])
  })

  test("sends tracks only through a transform, published before or after", async () => {
    const connection = connect(initiator)
    connection.send("camera", TRACK)
    if (!initiator) connection.signal(offer())
    await described()
    connection.send("microphone", TRACK)
    const sent = browser.connections[0]!.transceivers.map(({ sender }) => sender.track)
    expect(sent).toEqual([TRACK, TRACK, null, null])
    expect(browser.leaks).toEqual([])
  })

  test("refuses a description with a fault, and the browser never sees it", async () => {
    const connection = connect(initiator)
    const foreign = sampleDescription().replaceAll("VP9", "H264")
    connection.signal(initiator ? answer(foreign) : offer(foreign))
    await vi.waitFor(() => expect(faults).toEqual(["a description with a fault: codec"]))
    expect(browser.connections[0]!.described).toEqual([])
    expect(browser.open).toEqual([])
  })

  test("refuses a later description with another certificate", async () => {
    const connection = connect(initiator)
    const take = initiator ? answer : offer
    connection.signal(take())
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    connection.signal(take(sampleDescription().replaceAll("AB:AB", "CD:CD")))
    await vi.waitFor(() => expect(faults).toEqual(["a description with a fault: changed"]))
    expect(browser.connections[0]!.described).toHaveLength(1)
  })

  test("refuses a description of its own type", async () => {
    const connection = connect(initiator)
    connection.signal(initiator ? offer() : answer())
    await vi.waitFor(() => expect(faults).toEqual(["an unexpected description"]))
    expect(browser.connections[0]!.described).toEqual([])
  })

  test("keeps a bounded number of early candidates, and passes them on", async () => {
    const connection = connect(initiator)
    for (let port = 0; port < EARLY_MEDIA_CANDIDATES_MAX + 10; port++) connection.signal(candidate(port))
    connection.signal(initiator ? answer() : offer())
    await vi.waitFor(() => expect(browser.connections[0]!.candidates).toHaveLength(EARLY_MEDIA_CANDIDATES_MAX))
  })

  test("takes nothing and sends nothing after its end", async () => {
    const connection = connect(initiator)
    connection.close()
    const before = signals.length
    connection.send("camera", TRACK)
    connection.signal(initiator ? answer() : offer())
    await new Promise((done) => setTimeout(done))
    expect([signals.length, browser.connections[0]!.described, browser.leaks]).toEqual([before, [], []])
    expect(browser.connections[0]!.transceivers.map(({ sender }) => sender.track).filter(Boolean)).toEqual([])
  })
})
