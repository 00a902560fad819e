import type { MemberId } from "@keymoot/transport"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { levelOf, Loudness } from "../../../src/media/connection/loudness.ts"
import {
  type ConnectionSignal,
  MEDIA_CANDIDATES_MAX,
  MediaConnection,
} from "../../../src/media/connection/media-connection.ts"
import { MEDIA_SOURCES } from "../../../src/media/keys/media-view.ts"
import { FakeBrowser, type FakeConnection } from "../fake-browser.ts"
import { sampleDescription } from "./sample-description.ts"

const BOB = { member: "b".repeat(32) as MemberId, incarnation: 1 }
const TRACK = {} as MediaStreamTrack

let browser: FakeBrowser
let signals: ConnectionSignal[]
let faults: (string | null)[]
let lost: number
/** Messages to the media worker. */
let toWorker: unknown[]

beforeEach(() => {
  browser = new FakeBrowser()
  ;[signals, faults, lost, toWorker] = [[], [], 0, []]
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
    worker: { postMessage: (message: unknown) => toWorker.push(message) } as unknown as Worker,
    loudness: new Loudness(),
    sink: {
      take: (event) => {
        if (event.type === "signal") signals.push(event.signal)
        if (event.type === "lost") lost++
        if (event.type === "failed") faults.push(event.fault)
      },
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

test("measures loudness from the first press on when sound was refused before", () => {
  const user = { hasBeenActive: false }
  const context = {
    state: "suspended",
    resume: async () => void (user.hasBeenActive && (context.state = "running")),
    createMediaStreamSource: () => ({ connect: () => undefined }),
  }
  vi.stubGlobal("navigator", { userActivation: user })
  vi.stubGlobal("AudioContext", function () {
    return context
  })
  vi.stubGlobal("MediaStream", function () {})
  vi.stubGlobal("AnalyserNode", function () {
    return { getFloatTimeDomainData: (samples: Float32Array) => samples.fill(context.state === "running" ? 1 : 0) }
  })
  const meter = new Loudness().meter(TRACK)
  expect([meter.level, meter.level]).toEqual([0, 0])
  user.hasBeenActive = true
  expect([meter.level, meter.level].at(-1)).toBe(1)
})

test.each([true, false])("sends the microphone when sound cannot be measured and it offers: %s", async (initiator) => {
  vi.stubGlobal("AudioContext", function () {
    throw new DOMException("there is no audio output", "NotSupportedError")
  })
  const connection = connect(initiator)
  connection.send("microphone", TRACK)
  if (!initiator) connection.signal(offer())
  await vi.waitFor(() => expect(browser.connections[0]!.transceivers).toHaveLength(MEDIA_SOURCES.length))
  const { sender } = browser.connections[0]!.transceivers[MEDIA_SOURCES.indexOf("microphone")]!
  expect([sender.track, connection.level, faults]).toEqual([TRACK, 0, []])
  connection.close()
})

describe.each([true, false])("a path of an end that offers: %s", (initiator) => {
  const changeIce = (state: RTCIceConnectionState): void => {
    const [connection] = browser.connections as [FakeConnection]
    connection.iceConnectionState = state
    connection.dispatchEvent(new Event("iceconnectionstatechange"))
  }
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test("is lost again and again while ICE is disconnected, until the end", async () => {
    connect(initiator)
    changeIce("disconnected")
    await vi.advanceTimersByTimeAsync(1100)
    expect(lost).toBe(2)
    changeIce("connected")
    const ended = connect(initiator)
    browser.connections[0] = browser.connections[1]!
    changeIce("disconnected")
    ended.close()
    await vi.advanceTimersByTimeAsync(1100)
    expect(lost).toBe(2)
  })

  test("is kept when ICE is connected again soon", async () => {
    connect(initiator)
    for (const state of ["disconnected", "connected"] as const) changeIce(state)
    await vi.advanceTimersByTimeAsync(1000)
    expect(lost).toBe(0)
  })
})

describe("a member that floods a connection", () => {
  test("is reported with its second description, whether an offer or an answer", async () => {
    for (const [initiator, description] of [
      [false, offer],
      [true, answer],
    ] as const) {
      faults = []
      const connection = connect(initiator)
      connection.signal(description())
      connection.signal(description())
      expect([faults, browser.open]).toEqual([["an unexpected description"], []])
    }
  })

  const FLOODS = {
    sections: (sdp: string) => sdp + sdp.slice(sdp.lastIndexOf("m=")).repeat(46),
    tracks: (sdp: string) => sdp.replace("a=mid:1", `a=mid:1\r\n${"a=msid:one two\r\n".repeat(50)}a=x:y`),
  }
  test.each(["sections", "tracks"] as const)("is reported with 50 %s, and no browser gets one", async (flood) => {
    for (const [initiator, description] of [
      [false, offer],
      [true, answer],
    ] as const) {
      faults = []
      connect(initiator).signal(description(FLOODS[flood](sampleDescription())))
      await vi.waitFor(() => expect(faults).toEqual(["a description with a fault: sections"]))
      expect([browser.open, browser.connections.at(-1)!.described]).toEqual([[], []])
    }
  })

  test("gets one transform for each source, however many streams its description names", async () => {
    const names = Array.from({ length: 50 }, (_, at) => `a=ssrc:${at + 1} cname:${at}\r\n`).join("")
    connect(false).signal(offer(sampleDescription().replace("a=mid:1", `a=mid:1\r\n${names}a=x:y`)))
    await described()
    const [connection] = browser.connections as [FakeConnection]
    expect(connection.described[0]).not.toContain("a=ssrc")
    expect([connection.transceivers.length, browser.leaks]).toEqual([MEDIA_SOURCES.length, []])
  })

  test("has a bounded number of candidates", async () => {
    const connection = connect(false)
    connection.signal(offer())
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    for (let port = 0; port < MEDIA_CANDIDATES_MAX + 10; port++) connection.signal(candidate(port))
    expect(browser.connections[0]!.candidates).toHaveLength(MEDIA_CANDIDATES_MAX)
  })
})

describe.each([true, false])("a connection whose end offers: %s", (initiator) => {
  test("tries no address when a description has too many", async () => {
    const listing = (count: number): ConnectionSignal => {
      const lines = Array.from({ length: count }, (_, at) => `a=candidate:1 1 udp 1 10.0.0.1 ${at} typ host`)
      const sdp = sampleDescription().replace("a=mid:0", ["a=mid:0", ...lines].join("\r\n"))
      return initiator ? answer(sdp) : offer(sdp)
    }
    connect(initiator).signal(listing(MEDIA_CANDIDATES_MAX))
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    connect(initiator).signal(listing(MEDIA_CANDIDATES_MAX + 1))
    await vi.waitFor(() => expect(faults).toEqual(["a description with too many candidates"]))
    expect(browser.connections[1]!.described).toEqual([])
  })

  test.each([
    ["OperationError", "this browser refuses the description"],
    ["InvalidAccessError", "this browser refuses the description"],
    ["InvalidStateError", null],
    ["UnknownError", null],
  ])("blames the peer for its description by the error: %s", async (name, fault) => {
    const connection = connect(initiator)
    browser.connections[0]!.refuses = name
    connection.signal(initiator ? answer() : offer())
    await vi.waitFor(() => expect(faults).toEqual([fault]))
    expect(browser.open).toEqual([])
  })

  test("blames nobody when its browser cannot describe this end", async () => {
    const connection = connect(initiator)
    browser.connections[0]!.isExhausted = true
    connection.signal(initiator ? answer() : offer())
    await vi.waitFor(() => expect(faults).toEqual([null]))
    expect(browser.open).toEqual([])
  })

  test("pads the sounds that it sends if its browser ignores a constant bitrate", async () => {
    const padded = async (): Promise<readonly string[]> => {
      connect(initiator).signal(initiator ? answer() : offer())
      await vi.waitFor(() => expect(browser.connections.at(-1)!.transceivers).toHaveLength(MEDIA_SOURCES.length))
      const all = browser.connections.at(-1)!.transceivers.flatMap(({ sender, receiver }) => [sender, receiver])
      const options = all.map(({ transform }) => transform!.options)
      return options.flatMap(({ isPadded, direction, source }) => (isPadded ? `${direction} ${source}` : []))
    }
    expect(await padded()).toEqual([])
    const opus = { mimeType: "audio/opus" }
    vi.stubGlobal("RTCRtpReceiver", { getCapabilities: () => ({ codecs: [opus] }) })
    expect(await padded()).toEqual(["send microphone", "send screen-audio"])
  })

  test("names no loudness in the clear when the peer asks for it", async () => {
    const line = "a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level"
    const asked = sampleDescription((each) => (each === "a=mid:0" ? `${each}\r\n${line}` : each))
    connect(initiator).signal(initiator ? answer(asked) : offer(asked))
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    expect(browser.connections[0]!.described[0]).not.toContain("audio-level")
    expect(faults).toEqual([])
  })

  test("puts no samples of its pictures into headers when the peer asks for them", async () => {
    const uri = "http://www.webrtc.org/experiments/rtp-hdrext/corruption-detection"
    const lines = [`a=extmap:12 urn:ietf:params:rtp-hdrext:encrypt ${uri}`, `a=extmap:13/recvonly ${uri}`]
    const asked = sampleDescription((line) => (line === "a=mid:1" ? [line, ...lines].join("\r\n") : line))
    connect(initiator).signal(initiator ? answer(asked) : offer(asked))
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    expect(browser.connections[0]!.described[0]).not.toContain("corruption-detection")
    expect(faults).toEqual([])
  })

  // Chromium decodes a stream without a transform if the section names another one.
  test("lets its browser know no stream by name, so none passes by the transform", async () => {
    const named = ["a=ssrc-group:FID 7 8", "a=ssrc:7 cname:eve", "a=SSRC:8 cname:eve"]
    const asked = sampleDescription((line) => (line.startsWith("a=mid:") ? [line, ...named].join("\r\n") : line))
    connect(initiator).signal(initiator ? answer(asked) : offer(asked))
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    expect(browser.connections[0]!.described[0]).not.toMatch(/ssrc/iu)
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

  test("leaves its browser VP9 and Opus, and what repeats their packets", async () => {
    const connection = connect(initiator)
    if (!initiator) connection.signal(offer())
    await described()
    const [pictures, others] = [
      ["video/VP9", "video/rtx"],
      ["audio/opus", "audio/red"],
    ]
    const left = browser.connections[0]!.transceivers.map(({ codecs }) => codecs)
    expect(left).toEqual([others.toReversed(), pictures, pictures, others])
  })

  test("gives its browser no feedback of codecs that the peer has left out", async () => {
    const connection = connect(initiator)
    const kept = sampleDescription((line) => line.replace("a=mid:1", "a=mid:1\r\na=rtcp-fb:120 nack"))
    connection.signal(initiator ? answer(kept) : offer(kept))
    await vi.waitFor(() => expect(browser.connections[0]!.described).toHaveLength(1))
    expect(browser.connections[0]!.described[0]).not.toContain("rtcp-fb")
  })

  test("refuses a description with a fault, and the browser never sees it", async () => {
    const connection = connect(initiator)
    const foreign = sampleDescription().replaceAll("VP9", "H264")
    connection.signal(initiator ? answer(foreign) : offer(foreign))
    await vi.waitFor(() => expect(faults).toEqual(["a description with a fault: codec"]))
    expect(browser.connections[0]!.described).toEqual([])
    expect(browser.open).toEqual([])
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

  test("tells the media worker once, takes nothing and sends nothing after its end", async () => {
    const connection = connect(initiator)
    connection.close()
    connection.close()
    const before = signals.length
    expect(toWorker).toEqual([{ type: "ended", connection: expect.any(Number) }])
    connection.send("camera", TRACK)
    connection.signal(initiator ? answer() : offer())
    await new Promise((done) => setTimeout(done))
    expect([signals.length, browser.connections[0]!.described, browser.leaks]).toEqual([before, [], []])
    expect(browser.connections[0]!.transceivers.map(({ sender }) => sender.track).filter(Boolean)).toEqual([])
  })
})

describe("the sound in a packet", () => {
  const durations = (): (string | undefined)[] =>
    browser.connections[0]!.described.map((sdp) => /^a=ptime:(\d+)\r$/mu.exec(sdp)?.[1])

  test.each([true, false])("grows with the call, and the peer gets no description: %s", async (initiator) => {
    const connection = connect(initiator)
    connection.signal(initiator ? answer() : offer())
    await vi.waitFor(() => expect(durations()).toEqual(["20"]))
    for (const ms of [40, 40]) connection.setPacketMs(ms)
    await vi.waitFor(() => expect(durations()).toEqual(["20", "40"]))
    expect([signals.length, faults]).toEqual([1, []])
    // Peers that enter and leave faster than the browser negotiates cost one negotiation.
    for (const ms of [20, 40, 20, 40, 20]) connection.setPacketMs(ms)
    await vi.waitFor(() => expect(durations()).toEqual(["20", "40", "20"]))
    await new Promise((done) => setTimeout(done))
    expect(durations()).toHaveLength(3)
  })

  test("is that of the call's size from the first description on", async () => {
    const connection = connect(true)
    connection.setPacketMs(40)
    connection.signal(answer())
    await vi.waitFor(() => expect(durations()).toEqual(["40"]))
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

  for (const end of ["offers", "answers"])
    test(`is not probed again by an end that ${end} if its browser refuses`, async () => {
      const connection = await sendCamera(end === "offers")
      const [refusing] = browser.connections
      refusing!.refuses = "OperationError"
      await grow(connection)
      await vi.waitFor(() => expect(refusing!.signalingState).toBe("stable"))
      refusing!.refuses = null
      await grow(connection)
      expect([maximums(), faults, signals.length]).toEqual([["2500"], [], 1])
    })
})

test("leaves no connection open when the browser refuses its set-up", () => {
  browser.refusesCodecs = true
  expect(() => connect(true)).toThrow("no such codec")
  expect(browser.connections).toHaveLength(1)
  expect(browser.open).toEqual([])
  expect(toWorker).toMatchObject([{ type: "ended" }])
})

test("fails without a fault of the peer when the browser refuses its transceivers", async () => {
  browser.refusesCodecs = true
  connect(false).signal(offer())
  await vi.waitFor(() => expect(faults).toEqual([null]))
  expect(browser.open).toEqual([])
  expect(signals).toEqual([])
})
