import type { MemberId } from "@keymoot/transport"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import {
  IceRestarts,
  MEDIA_RESTARTS_BURST,
  MEDIA_RESTARTS_APART_MS,
  OWN_MEDIA_RESTARTS_BURST,
} from "../../src/media/call/ice-restarts.ts"
import { levelOf, Loudness } from "../../src/media/call/loudness.ts"
import { type ConnectionSignal, MEDIA_CANDIDATES_MAX, MediaConnection } from "../../src/media/call/media-connection.ts"
import { RESTART_MS, SILENCE_MS } from "../../src/media/call/path-watch.ts"
import { MEDIA_SOURCES } from "../../src/media/keys/index.ts"
import { FakeBrowser } from "./fake-browser.ts"
import { sampleDescription } from "./sample-description.ts"

const BOB = { member: "b".repeat(32) as MemberId, incarnation: 1 }
const TRACK = {} as MediaStreamTrack

let browser: FakeBrowser
let restarts: IceRestarts
let signals: ConnectionSignal[]
let faults: (string | null)[]

beforeEach(() => {
  browser = new FakeBrowser()
  restarts = new IceRestarts()
  ;[signals, faults] = [[], []]
  for (const [name, value] of Object.entries(browser.globals)) vi.stubGlobal(name, value)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** `initiator`: it offers. */
function connect(initiator: boolean): MediaConnection {
  const connection = new MediaConnection({
    peer: BOB,
    initiator,
    iceServers: [],
    transportPolicy: "all",
    worker: {} as Worker,
    loudness: new Loudness(),
    restarts,
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

const restarted = (turn: number): string => sampleDescription().replaceAll("ufrag:one", `ufrag:${turn}`)

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
    const watch = (nowMs: number, linkLostAtMs = -Infinity) =>
      connection.watch({ nowMs, sounds: browser.sounds, expected: true, linkLostAtMs })
    const sounds = (atMs: number): void => {
      receiver.arrived++
      watch(atMs)
    }
    sounds(0)
    return { connection, sounds, watch }
  }
  const offers = (): number => signals.filter((each) => each.kind === "description" && each.type === "offer").length
  const settled = (): Promise<void> => new Promise((done) => setTimeout(done))

  test("has ICE restarted, and once more when it falls silent again", async () => {
    const { connection, sounds, watch } = await hear()
    watch(RESTART_MS + 1)
    await vi.waitFor(() => expect(offers()).toBe(2))
    connection.signal(answer(sampleDescription().replaceAll("a=ice-ufrag:one", "a=ice-ufrag:two")))
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(2))
    sounds(10_000)
    watch(10_001 + RESTART_MS)
    await vi.waitFor(() => expect(offers()).toBe(3))
  })

  test("gets no second offer while the first one has no answer", async () => {
    const { sounds, watch } = await hear()
    watch(RESTART_MS + 1)
    await vi.waitFor(() => expect(offers()).toBe(2))
    sounds(2000)
    watch(2001 + RESTART_MS)
    await settled()
    expect(offers()).toBe(2)
  })

  test("gets no second offer while the first one is being made", async () => {
    const { sounds, watch } = await hear()
    watch(RESTART_MS + 1)
    sounds(2000)
    watch(2001 + RESTART_MS)
    await settled()
    expect(offers()).toBe(2)
  })

  test("gets no offer from the end that answers", async () => {
    const { watch } = await hear(false)
    watch(RESTART_MS + 1)
    await settled()
    expect(offers()).toBe(0)
  })

  test("gets a bounded number of offers at once, however often it falls silent", async () => {
    vi.spyOn(performance, "now").mockReturnValue(0)
    const { connection, sounds, watch } = await hear()
    for (let turn = 1; turn <= 20; turn++) {
      sounds(1000 * turn)
      watch(1000 * turn + RESTART_MS + 1)
      await settled()
      connection.signal(answer(restarted(turn)))
      await settled()
    }
    expect(offers()).toBe(1 + OWN_MEDIA_RESTARTS_BURST)
  })

  test("has the connection replaced when the link has lost it too", async () => {
    const { watch } = await hear()
    const answers = [watch(SILENCE_MS + 1), watch(SILENCE_MS + 2, 100), watch(SILENCE_MS + 3, 100)]
    expect(answers).toEqual(["report", "replace", null])
    await settled()
    expect(offers()).toBe(1)
  })
})

describe("a member that floods a connection", () => {
  let nowMs = 0
  let turn = 0
  beforeEach(() => {
    nowMs = turn = 0
    vi.spyOn(performance, "now").mockImplementation(() => nowMs)
  })
  const described = (connection: number, count: number) =>
    vi.waitFor(() => expect(browser.connections[connection]!.described).toHaveLength(count))
  /** A connection with all the restarts that its peer may have at once. */
  async function flood(): Promise<MediaConnection> {
    const connection = connect(false)
    for (let count = 0; count <= MEDIA_RESTARTS_BURST; count++) connection.signal(offer(restarted(++turn)))
    await described(0, 1 + MEDIA_RESTARTS_BURST)
    expect(faults).toEqual([])
    return connection
  }

  test("is reported when it restarts ICE too often, and the connection fails", async () => {
    const connection = await flood()
    connection.signal(offer(restarted(++turn)))
    expect([faults, browser.open]).toEqual([["too many restarts of ICE"], []])
  })

  test("gets no more restarts with another connection", async () => {
    await flood()
    const next = connect(false)
    next.signal(offer())
    await described(1, 1)
    next.signal(offer(restarted(++turn)))
    expect(faults).toEqual(["too many restarts of ICE"])
  })

  test("may restart ICE again later, at a low rate", async () => {
    const connection = await flood()
    nowMs += MEDIA_RESTARTS_APART_MS
    connection.signal(offer(restarted(++turn)))
    await described(0, 2 + MEDIA_RESTARTS_BURST)
    connection.signal(offer(restarted(++turn)))
    expect(faults).toEqual(["too many restarts of ICE"])
  })

  test("has a bounded number of candidates for each description", async () => {
    const connection = connect(false)
    for (const count of [1, 2]) {
      connection.signal(offer(restarted(++turn)))
      await described(0, count)
      for (let port = 0; port < MEDIA_CANDIDATES_MAX + 10; port++) connection.signal(candidate(port))
      expect(browser.connections[0]!.candidates).toHaveLength(count * MEDIA_CANDIDATES_MAX)
    }
  })
})

test("takes all restarts of an honest end, also when they are delayed", () => {
  const arrivals: number[] = []
  for (let nowMs = 0; nowMs < 600_000; nowMs += 100)
    // The line is slow at first.
    if (restarts.take("own", BOB.member, nowMs)) arrivals.push(Math.max(nowMs, 5000))
  expect(arrivals.length).toBeGreaterThan(300)
  expect(arrivals.filter((atMs) => !restarts.take("peer", BOB.member, atMs))).toEqual([])
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
    for (let port = 0; port < MEDIA_CANDIDATES_MAX + 10; port++) connection.signal(candidate(port))
    connection.signal(initiator ? answer() : offer())
    await vi.waitFor(() => expect(browser.connections[0]!.candidates).toHaveLength(MEDIA_CANDIDATES_MAX))
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

describe("a line that becomes wider", () => {
  const maximums = (): (string | undefined)[] =>
    browser.connections[0]!.described.map((sdp) => /^b=AS:(\d+)\r$/mu.exec(sdp)?.[1])

  /** A connection that sends a camera. */
  async function sendCamera(initiator: boolean): Promise<MediaConnection> {
    const connection = connect(initiator)
    connection.signal(initiator ? answer() : offer())
    await vi.waitFor(() => expect(signals).toHaveLength(1))
    await vi.waitFor(() => expect(maximums()).toEqual(["2500"]))
    connection.send("camera", TRACK)
    connection.limit("camera", { active: true, maxBitrate: 700_000 })
    return connection
  }

  /** Looks at a growing line. */
  async function grow(connection: MediaConnection): Promise<void> {
    for (const estimate of [400_000, 450_000, 500_000]) {
      browser.connections[0]!.estimate = estimate
      await connection.look()
    }
  }

  for (const initiator of [true, false]) {
    const end = initiator ? "offers" : "answers"
    test(`is probed by the end that ${end}, and the peer gets no description`, async () => {
      await grow(await sendCamera(initiator))
      await vi.waitFor(() => expect(maximums()).toEqual(["2500", "2501", "2502"]))
      expect(browser.connections[0]!.signalingState).toBe("stable")
      expect([signals.length, faults]).toEqual([1, []])
    })
  }

  test("keeps its maximum when ICE is restarted", async () => {
    const connection = await sendCamera(false)
    await grow(connection)
    connection.signal(offer(restarted(1)))
    await vi.waitFor(() => expect(maximums()).toEqual(["2500", "2501", "2502", "2502"]))
  })

  for (const end of ["offers", "answers"])
    test(`is not probed again by an end that ${end} if its browser refuses`, async () => {
      const connection = await sendCamera(end === "offers")
      const [refusing] = browser.connections
      refusing!.refuses = true
      await grow(connection)
      await vi.waitFor(() => expect(refusing!.signalingState).toBe("stable"))
      refusing!.refuses = false
      await grow(connection)
      expect([maximums(), faults, signals.length]).toEqual([["2500"], [], 1])
    })
})
