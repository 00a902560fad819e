import type { MemberId } from "@keymoot/transport"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { Call, type CallEvent } from "../../src/media/call/call.ts"
import { CALL_PEERS_MAX, type CallPeer, CONNECT_MS, FORMER_MS } from "../../src/media/call/call-peer.ts"
import { FORGED_FRAMES_MIN } from "../../src/media/call/forgery-watch.ts"
import { EARLY_MEDIA_SIGNALS_MAX } from "../../src/media/signals/early-signals.ts"
import { REPLACE_MS, SILENCE_MS } from "../../src/media/connection/path-watch.ts"
import type { MediaThread } from "../../src/media/call/media-thread.ts"
import { REOPEN_APART_MS } from "../../src/media/call/reopenings.ts"
import { MEDIA_SOURCES } from "../../src/media/keys/media-view.ts"
import { LOOK_MS } from "../../src/media/worker/media-worker-protocol.ts"
import type { TrackCounts } from "../../src/media/worker/track-counts.ts"
import { FakeBrowser, type FakeConnection } from "./fake-browser.ts"
import { sampleDescription } from "./connection/sample-description.ts"

const peer = (index: number, session = 7): CallPeer => {
  return {
    member: index.toString(16).padStart(32, "0") as MemberId,
    incarnation: 1,
    session,
    sources: ["microphone"],
    wanted: null,
    isLinked: true,
  }
}
/** The lower one offers. */
const [LOWEST, HIGHEST] = ["0", "f"].map((digit) => digit.repeat(32)) as [MemberId, MemberId]
const BOB = peer(1)

let browser: FakeBrowser
let call: Call
let events: CallEvent[]
/** Messages to the media worker. */
let toWorker: unknown[]
let counted: () => readonly TrackCounts[] | Promise<never>
/** Holds up the answer to the question for ICE servers. */
let serversKnown: Promise<void>

beforeEach(() => {
  events = []
  toWorker = []
  counted = () => []
  serversKnown = Promise.resolve()
  browser = new FakeBrowser()
  for (const [name, value] of Object.entries(browser.globals)) vi.stubGlobal(name, value)
  vi.useFakeTimers()
  enter(HIGHEST)
})
afterEach(() => {
  call.close()
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function enter(self: MemberId): void {
  call = new Call({
    self,
    session: 3,
    thread: {
      worker: { postMessage: (message: unknown) => toWorker.push(message) },
      onKeyFrameNeeded: () => undefined,
      silentSinceMs: (connection: number) => {
        const silentMs = browser.sounds.get(connection) ?? -Infinity
        return silentMs === 0 ? null : performance.now() - silentMs
      },
      onSounds: (listener: () => void) => setInterval(listener, LOOK_MS),
      counts: async () => counted(),
      close: () => undefined,
    } as unknown as MediaThread,
    servers: { ask: () => serversKnown.then(() => ({ iceServers: [], transportPolicy: "all" })) },
    sink: { take: (event) => events.push(event) },
  })
}

const offer = (attempt: number, session = 7) =>
  ({ kind: "description", type: "offer", sdp: sampleDescription(), session, attempt }) as const
/** Everything that is due has happened, and so much time has passed. */
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test("keeps candidates that arrive while the connection is made", async () => {
  call.setPeers([BOB])
  call.signal(BOB.member, offer(1))
  const candidate = "candidate:1 1 udp 1 10.0.0.1 1000 typ host"
  call.signal(BOB.member, { kind: "candidate", session: 7, attempt: 1, candidate, section: 0 })
  await pass(0)
  expect(browser.connections[0]!.candidates).toHaveLength(1)
})

describe("a member that floods a call", () => {
  test("gets one connection a second, however often it offers", async () => {
    call.setPeers([BOB])
    for (let attempt = 1; attempt <= 100; attempt++) {
      call.signal(BOB.member, offer(attempt))
      await pass(0)
    }
    expect(browser.connections).toHaveLength(1)
    await pass(REOPEN_APART_MS)
    expect([browser.connections.length, browser.open.length]).toEqual([2, 1])
    // The last offer has waited.
    const answers = events.flatMap((event) =>
      event.type === "send" && "attempt" in event.signal ? [event.signal] : [],
    )
    expect(answers.at(-1)).toMatchObject({ kind: "description", type: "answer", attempt: 100 })
  })

  test("gets no more when it leaves the call and enters again, and stays connected", async () => {
    for (let session = 1; session <= 100; session++) {
      call.setPeers([{ ...BOB, session }])
      call.signal(BOB.member, offer(1, session))
      await pass(1)
    }
    expect(browser.connections).toHaveLength(1)
    const candidate = "candidate:1 1 udp 1 10.0.0.1 1000 typ host"
    call.signal(BOB.member, { kind: "candidate", session: 100, attempt: 1, candidate, section: 0 })
    await pass(REOPEN_APART_MS)
    expect([browser.connections.length, browser.open.length]).toEqual([2, 1])
    expect(browser.connections[1]!.candidates).toHaveLength(1)
    browser.connections[1]!.become("connected")
    expect(call.connectionOf(BOB.member)).toBe("connected")
  })

  test("leaves no tracks in the media worker when it leaves the call and enters again", async () => {
    for (let session = 1; session <= 10; session++) {
      call.setPeers([{ ...BOB, session }])
      call.signal(BOB.member, offer(1, session))
      await pass(REOPEN_APART_MS)
    }
    call.setPeers([])
    const used = browser.connections.map(({ transceivers }) => transceivers[0]!.sender.transform!.options.connection)
    expect(used).toHaveLength(10)
    expect(toWorker).toEqual(used.map((connection) => ({ type: "ended", connection })))
  })

  test("gets one offer a second when it leaves the call and enters again", async () => {
    call.close()
    enter(LOWEST)
    for (let session = 1; session <= 100; session++) {
      call.setPeers([{ ...BOB, session }])
      await pass(1)
    }
    expect(browser.connections).toHaveLength(1)
    await pass(1000)
    expect([browser.connections.length, browser.open.length]).toEqual([2, 1])
  })

  test("does not make this member change what it sends to the others", async () => {
    const others = [2, 3, 4, 5].map((index) => peer(index))
    call.publish("camera", { getSettings: () => ({ height: 720 }) } as unknown as MediaStreamTrack)
    call.setPeers([BOB, ...others])
    for (const { member } of others) call.signal(member, offer(1))
    await pass(0)
    call.setPeers(others)
    call.setPeers(others.slice(1))
    expect(browser.parameterChanges).toBeGreaterThan(0)
    call.setPeers([BOB, ...others])
    const before = browser.parameterChanges
    for (let session = 8; session <= 100; session++) {
      call.setPeers([{ ...BOB, session }, ...others])
      call.setPeers(others)
    }
    expect(browser.parameterChanges).toBe(before)
  })

  test("has a bounded number of signals kept before its view", async () => {
    for (let attempt = 1; attempt <= EARLY_MEDIA_SIGNALS_MAX + 1; attempt++)
      call.signal(BOB.member, { kind: "candidate", session: 7, attempt: 0, candidate: "", section: 0 })
    call.signal(BOB.member, offer(1))
    call.setPeers([BOB])
    await pass(0)
    expect(browser.connections).toHaveLength(0)
  })

  test("does not fill the room for the early signals of others", async () => {
    for (let index = 1; index <= 2 * CALL_PEERS_MAX; index++) call.signal(peer(index).member, offer(1))
    const all = Array.from({ length: 2 * CALL_PEERS_MAX }, (_, index) => peer(index + 1))
    call.setPeers(all)
    await pass(0)
    expect(browser.open).toHaveLength(CALL_PEERS_MAX)
  })

  test("does not fill the room for candidates of a connection that is being made", async () => {
    call.setPeers([BOB])
    for (let index = 2; index <= CALL_PEERS_MAX + 1; index++) call.signal(peer(index).member, offer(1))
    call.signal(BOB.member, offer(1))
    const candidate = "candidate:1 1 udp 1 10.0.0.1 1000 typ host"
    call.signal(BOB.member, { kind: "candidate", session: 7, attempt: 1, candidate, section: 0 })
    await pass(0)
    expect(browser.connections[0]!.candidates).toHaveLength(1)
  })

  test("in the name of a former session or attempt changes nothing", async () => {
    call.setPeers([BOB])
    call.signal(BOB.member, offer(5))
    await pass(2000)
    call.signal(BOB.member, offer(4))
    call.signal(BOB.member, offer(6, 8))
    await pass(0)
    expect(browser.connections).toHaveLength(1)
    expect(browser.connections[0]!.described).toHaveLength(1)
  })
})

test("sends its camera on request only when more than eight are in the call", async () => {
  call.close()
  enter(LOWEST)
  const others = Array.from({ length: 8 }, (_, index) => peer(index + 1))
  const isSentTo = (): (boolean | undefined)[] =>
    browser.open.map(({ transceivers }) => transceivers[MEDIA_SOURCES.indexOf("camera")]!.sender.limits.active)
  call.setPeers(others.slice(1))
  await pass(0)
  call.publish("camera", { getSettings: () => ({ height: 360 }) } as unknown as MediaStreamTrack)
  expect(isSentTo()).toEqual(Array(7).fill(true))
  call.setPeers(others)
  await pass(0)
  expect(isSentTo().slice(0, 7)).toEqual(Array(7).fill(false))
  call.setWanted(others[3]!.member, { session: 7, sources: ["camera"], large: [] })
  expect(isSentTo().filter(Boolean)).toHaveLength(1)
})

describe("a camera in a call that fills", () => {
  const others = [1, 2, 3, 4, 5].map((index) => peer(index))
  const rates = (): (number | undefined)[] =>
    browser.open.map(({ transceivers }) => transceivers[MEDIA_SOURCES.indexOf("camera")]!.sender.limits.maxFramerate)

  for (const [end, self] of [
    ["offers", LOWEST],
    ["answers", HIGHEST],
  ] as const)
    test(`has its limits before a connection carries anything, at the end that ${end}`, async () => {
      call.close()
      enter(self)
      call.publish("camera", { getSettings: () => ({ height: 360 }) } as unknown as MediaStreamTrack)
      call.setPeers(others)
      if (self === HIGHEST) for (const { member } of others) call.signal(member, offer(1))
      await pass(0)
      expect(rates()).toEqual(Array(5).fill(15))
    })

  test("changes for a member alone when that connects", async () => {
    call.close()
    enter(LOWEST)
    call.publish("camera", { getSettings: () => ({ height: 360 }) } as unknown as MediaStreamTrack)
    call.setPeers(others)
    await pass(0)
    const before = browser.parameterChanges
    browser.open[0]!.become("connected")
    expect(browser.parameterChanges).toBe(before + 1)
  })
})

test("sends fewer frames when its timers show an overload, unless its page is hidden", async () => {
  call.close()
  enter(LOWEST)
  // The media worker of an overloaded machine answers late.
  counted = () => new Promise<never>(() => undefined)
  call.setPeers([BOB])
  await pass(0)
  call.publish("camera", { getSettings: () => ({ height: 360 }) } as unknown as MediaStreamTrack)
  const { sender } = browser.open[0]!.transceivers[MEDIA_SOURCES.indexOf("camera")]!
  const now = performance.now.bind(performance)
  let skewMs = 0
  vi.spyOn(performance, "now").mockImplementation(() => now() + skewMs)
  /** Two seconds by the timers, in which six have passed. */
  const passSlowly = async (): Promise<void> => {
    skewMs += 4000
    await pass(2000)
  }
  browser.visibility = "hidden"
  await passSlowly()
  browser.visibility = "visible"
  // It was hidden at the beginning of this time.
  await passSlowly()
  await pass(2000)
  expect([sender.limits.maxFramerate, call.isVideoReduced]).toEqual([30, false])
  await passSlowly()
  expect([sender.limits.maxFramerate, call.isVideoReduced, events.at(-1)?.type]).toEqual([12, true, "changed"])
  // Its person can help by switching off the camera, which a screen does not need.
  call.publish("screen", { getSettings: () => ({ height: 1080 }) } as unknown as MediaStreamTrack)
  call.publish("camera", null)
  expect(call.isVideoReduced).toBe(false)
})

test("reports a member that mixes forged frames into its own", async () => {
  let frames = 0
  counted = () => {
    frames += 100
    const track = {
      direction: "receive",
      source: "microphone",
      peer: BOB,
      formerPassed: 0,
      keyless: 0,
      heldMs: 0,
    } as const
    return [{ ...track, passed: frames, dropped: { forged: frames } }]
  }
  call.setPeers([BOB])
  call.signal(BOB.member, offer(1))
  await pass(0)
  browser.open[0]!.become("connected")
  await pass(20_000)
  const detail = "it sends forged frames"
  expect(events.filter(({ type }) => type === "fault")).toEqual([{ type: "fault", member: BOB.member, detail }])
  expect(call.connectionOf(BOB.member)).toBe("connected")
})

describe("a member that makes a new connection before each look", () => {
  const kinds = [
    ["offers anew", (round: number) => call.signal(BOB.member, offer(round))],
    [
      "enters the call anew",
      (session: number) => {
        call.setPeers([{ ...BOB, session }])
        call.signal(BOB.member, offer(1, session))
      },
    ],
  ] as const
  const faultsWhile = async (renew: (round: number) => void, forgedOf: (frames: number) => number) => {
    let frames = 0
    counted = () => {
      frames += 100
      const track = { direction: "receive", source: "microphone", peer: BOB, formerPassed: 0, heldMs: 0 } as const
      return [{ ...track, passed: frames, keyless: 0, dropped: { forged: forgedOf(frames) } }]
    }
    call.setPeers([BOB])
    for (let round = 1; round <= 10; round++) {
      renew(round)
      await pass(0)
      browser.open.at(-1)!.become("connected")
      await pass(1500)
    }
    expect(browser.connections).toHaveLength(10)
    return events.flatMap((event) => (event.type === "fault" ? [event.detail] : []))
  }

  test.each(kinds)("is reported when it %s and mixes in forged frames", async (_, renew) => {
    expect(await faultsWhile(renew, (frames) => frames)).toEqual(["it sends forged frames"])
  })

  test.each(kinds)("is not reported when it %s and its frames are good again", async (_, renew) => {
    expect(await faultsWhile(renew, () => FORGED_FRAMES_MIN)).toEqual([])
  })
})

test.each([
  ["under a key that nobody has", { source: "microphone", keyless: 20 }],
  ["of a track that nobody announced", { source: "screen", keyless: 0 }],
] as const)("reports a member when it keeps sending frames %s", async (_, { source, keyless }) => {
  let looks = 0
  counted = () => {
    looks++
    const track = { direction: "receive", peer: BOB, formerPassed: 0, heldMs: 0 } as const
    const dropped = { late: looks * keyless }
    return [{ ...track, source, passed: looks * 20, keyless: looks * keyless, dropped }]
  }
  call.setPeers([BOB])
  call.signal(BOB.member, offer(1))
  await pass(0)
  browser.open[0]!.become("connected")
  const faults = () => events.filter(({ type }) => type === "fault")
  await pass(20_000)
  // A view that changes brings some, too.
  call.setAgreeing(true)
  call.setAgreeing(false)
  await pass(20_000)
  expect(faults()).toEqual([])
  await pass(20_000)
  const detail = "it keeps sending frames that nobody can use"
  expect(faults()).toEqual([{ type: "fault", member: BOB.member, detail }])
  expect(call.connectionOf(BOB.member)).toBe("connected")
})

test.each([
  ["offers", LOWEST],
  ["answers", HIGHEST],
])("blames nobody and tries again when an end that %s gets no connection", async (_, self) => {
  call.close()
  enter(self)
  browser.isExhausted = true
  call.setPeers([BOB])
  if (self === HIGHEST) call.signal(BOB.member, offer(1))
  await pass(0)
  expect(browser.connections).toEqual([])
  browser.isExhausted = false
  await pass(2 * REOPEN_APART_MS)
  if (self === HIGHEST) call.signal(BOB.member, offer(2))
  await pass(0)
  expect(browser.open).toHaveLength(1)
  expect(events.filter(({ type }) => type === "fault")).toEqual([])
})

test("looks more often at a line while it is narrow", async () => {
  call.publish("camera", { getSettings: () => ({ height: 360 }) } as unknown as MediaStreamTrack)
  call.setPeers([BOB])
  call.signal(BOB.member, offer(1))
  await pass(0)
  const [connection] = browser.open as [FakeConnection]
  connection.become("connected")
  const looks = vi.spyOn(connection, "getStats")
  const looksIn = async (estimate: number): Promise<number> => {
    connection.estimate = estimate
    // The first look finds how wide it is.
    await pass(2000)
    looks.mockClear()
    await pass(8000)
    return looks.mock.calls.length
  }
  const [narrow, wide] = [await looksIn(100_000), await looksIn(9_000_000)]
  expect(narrow).toBeGreaterThan(3 * wide)
  expect(wide).toBeGreaterThan(0)
})

test("waits longer for each next path, also at the end that answers", async () => {
  call.setPeers([BOB])
  for (const attempt of [1, 2]) {
    call.signal(BOB.member, offer(attempt))
    await pass(CONNECT_MS + 2000)
  }
  browser.open[0]?.become("connected")
  expect(call.connectionOf(BOB.member)).toBe("connected")
})

test("keeps an early offer while others come and go, until a view without its sender", async () => {
  const [eve, dan] = [peer(2), peer(3)]
  call.signal(eve.member, offer(1))
  call.signal(dan.member, offer(1))
  call.setPeers([BOB])
  call.retain(new Set([BOB.member, eve.member]))
  call.setPeers([BOB, eve, dan])
  await pass(0)
  expect(browser.open).toHaveLength(1)
})

test("has no path when the peer offers again before one was found", async () => {
  call.setPeers([BOB])
  call.signal(BOB.member, offer(1))
  await pass(REOPEN_APART_MS)
  expect(call.connectionOf(BOB.member)).toBe("connecting")
  call.signal(BOB.member, offer(2))
  await pass(0)
  expect(call.connectionOf(BOB.member)).toBe("no-path")
  browser.open[0]!.become("connected")
  expect(call.connectionOf(BOB.member)).toBe("connected")
})

test("offers to a bounded number of members", async () => {
  call.close()
  enter(LOWEST)
  call.setPeers(Array.from({ length: 2 * CALL_PEERS_MAX }, (_, index) => peer(index + 1)))
  await pass(0)
  expect(browser.open).toHaveLength(CALL_PEERS_MAX)
})

test("ends the connection to a member that is no longer in the view", async () => {
  call.setPeers([BOB, peer(2)])
  call.signal(BOB.member, offer(1))
  await pass(0)
  call.setPeers([peer(2)])
  expect(browser.open).toEqual([])
})

test("has longer packets of sound from the fourth person on", async () => {
  const duration = (): string | undefined => /^a=ptime:(\d+)/mu.exec(browser.open[0]!.described.at(-1)!)?.[1]
  call.setPeers([BOB])
  call.signal(BOB.member, offer(1))
  await pass(0)
  expect(duration()).toBe("20")
  call.setPeers([BOB, peer(2), peer(3)])
  await pass(0)
  expect(duration()).toBe("40")
  call.setPeers([BOB])
  await pass(0)
  expect(duration()).toBe("20")
})

test("looks at all peers while a browser never answers for one of them", async () => {
  let looks = 0
  counted = () => (looks++, [])
  call.setPeers([BOB])
  call.signal(BOB.member, offer(1))
  await pass(0)
  const [connection] = browser.open as [FakeConnection]
  connection.become("connected")
  connection.isClosing = true
  await pass(9000)
  expect(looks).toBeGreaterThanOrEqual(3)
})

describe("a connection whose path dies together with the link's", () => {
  const TRACK = {} as MediaStreamTrack
  const microphoneOf = ({ transceivers }: FakeConnection) => transceivers[MEDIA_SOURCES.indexOf("microphone")]!
  const states = (): RTCPeerConnectionState[] => browser.connections.map(({ connectionState }) => connectionState)

  /** A connection to Bob that is connected, and has carried his sound. */
  async function talk(self: MemberId): Promise<FakeConnection> {
    call.close()
    enter(self)
    call.setPeers([BOB])
    if (self === HIGHEST) call.signal(BOB.member, offer(1))
    await pass(REOPEN_APART_MS)
    const [connection] = browser.open as [FakeConnection]
    if (self === LOWEST) microphoneOf(connection).receiver.hear()
    connection.become("connected")
    // Between two looks at the sound, so that the link is lost after the last one.
    await pass(0.75 * SILENCE_MS)
    return connection
  }
  async function loseLink(): Promise<void> {
    call.onLinkLost(BOB.member)
    await pass(2 * SILENCE_MS)
  }

  test("carries media until another one is connected", async () => {
    const former = await talk(LOWEST)
    await loseLink()
    const next = browser.open[1]!
    expect(call.received(BOB.member, "microphone")).toBe(microphoneOf(former).receiver.track)
    expect(call.connectionOf(BOB.member)).toBe("connected")
    next.become("connected")
    expect(call.received(BOB.member, "microphone")).toBe(microphoneOf(next).receiver.track)
  })

  test("is not left open when the time of an attempt ends during the next one", async () => {
    const former = await talk(HIGHEST)
    call.signal(BOB.member, offer(2))
    await pass(CONNECT_MS - 10)
    let answer = (): void => undefined
    serversKnown = new Promise((known) => (answer = known))
    call.signal(BOB.member, offer(3))
    await pass(20)
    answer()
    await pass(0)
    const next = browser.open.at(-1)!
    expect(browser.open).toEqual([former, next])
    next.become("connected")
    await pass(FORMER_MS)
    expect(browser.open).toEqual([next])
  })

  test("sends nothing more when the next one is connected, and ends a little later", async () => {
    const former = await talk(LOWEST)
    call.publish("microphone", TRACK)
    await loseLink()
    const next = browser.open[1]!
    next.become("connected")
    expect([former, next].map((each) => microphoneOf(each).sender.track)).toEqual([null, TRACK])
    await pass(FORMER_MS - 1)
    expect(states()).toEqual(["connected", "connected"])
    await pass(1)
    expect(states()).toEqual(["closed", "connected"])
  })

  test("sends again when the next one fails as soon as it is connected", async () => {
    const former = await talk(LOWEST)
    call.publish("microphone", TRACK)
    await loseLink()
    const next = browser.open[1]!
    for (const state of ["connected", "failed"] as const) next.become(state)
    await pass(FORMER_MS)
    expect(browser.open[0]).toBe(former)
    expect(microphoneOf(former).sender.track).toBe(TRACK)
  })

  test("is reported to the link once, and only while the peer has a microphone on", async () => {
    const reports = () => events.filter(({ type }) => type === "unheard")
    const connection = await talk(LOWEST)
    await pass(2 * SILENCE_MS)
    expect(reports()).toEqual([{ type: "unheard", member: BOB.member }])
    microphoneOf(connection).receiver.hear()
    await pass(SILENCE_MS / 2)
    call.setPeers([{ ...BOB, sources: [] }])
    await pass(9 * SILENCE_MS)
    expect(reports()).toHaveLength(1)
  })

  test("is left alone while the peer is heard, and by the end that answers", async () => {
    const heard = await talk(LOWEST)
    microphoneOf(heard).receiver.hear()
    call.onLinkLost(BOB.member)
    await pass(SILENCE_MS / 2)
    expect(browser.connections).toHaveLength(1)
    const answering = await talk(HIGHEST)
    microphoneOf(answering).receiver.hear()
    await pass(SILENCE_MS)
    await loseLink()
    expect(browser.open).toEqual([answering])
  })

  test("is replaced when only the end that answers hears nothing, and not at once again", async () => {
    const connection = await talk(LOWEST)
    const hear = setInterval(() => microphoneOf(connection).receiver.hear(), LOOK_MS)
    const unheard = { kind: "unheard", session: 3, attempt: 1 } as const
    for (const late of [{ session: 4 }, { attempt: 2 }]) call.signal(BOB.member, { ...unheard, ...late })
    await pass(REOPEN_APART_MS)
    expect(browser.connections).toHaveLength(1)
    call.signal(BOB.member, unheard)
    await pass(REOPEN_APART_MS)
    expect(states()).toEqual(["connected", "new"])
    browser.open[1]!.become("connected")
    call.signal(BOB.member, { ...unheard, attempt: 2 })
    await pass(REOPEN_APART_MS)
    expect(browser.connections).toHaveLength(2)
    clearInterval(hear)
  })

  test("is named to the end that offers by the other one, unless packets come", async () => {
    const connection = await talk(HIGHEST)
    microphoneOf(connection).receiver.hear()
    connection.packetAgeMs = 400
    await pass(2 * REPLACE_MS)
    const unheard = () => events.filter((event) => event.type === "send" && event.signal.kind === "unheard")
    expect(unheard()).toEqual([])
    connection.packetAgeMs = 2000
    await pass(REPLACE_MS + SILENCE_MS)
    const signal = { kind: "unheard", session: BOB.session, attempt: 1 }
    expect(unheard()).toEqual([{ type: "send", to: BOB.member, signal }])
  })

  test("sends and stops with the one that replaces it", async () => {
    const former = await talk(LOWEST)
    await loseLink()
    const both = [former, browser.open[1]!]
    const sent = () => both.map((each) => microphoneOf(each).sender.track)
    call.publish("microphone", TRACK)
    expect(sent()).toEqual([TRACK, TRACK])
    call.publish("microphone", null)
    expect(sent()).toEqual([null, null])
    call.setPeers([])
    expect(browser.open).toEqual([])
  })

  test("may fail while the next one connects", async () => {
    const former = await talk(LOWEST)
    await loseLink()
    former.become("failed")
    expect(states()).toEqual(["closed", "new"])
    expect(call.connectionOf(BOB.member)).toBe("connecting")
  })

  test("continues when the next one finds no path, unless it has none either", async () => {
    const former = await talk(LOWEST)
    await loseLink()
    browser.open[1]!.become("failed")
    expect(browser.open).toEqual([former])
    expect(call.connectionOf(BOB.member)).toBe("connected")
    call.publish("microphone", TRACK)
    expect(microphoneOf(former).sender.track).toBe(TRACK)
    const lost = await talk(LOWEST)
    await loseLink()
    lost.become("disconnected")
    browser.open[1]!.become("failed")
    expect(browser.open).toEqual([])
    expect(call.connectionOf(BOB.member)).toBe("no-path")
  })

  test("is kept, and its peer not blamed, when a vain try is answered late", async () => {
    const former = await talk(LOWEST)
    const answer = (attempt: number) => ({ ...offer(attempt, 3), type: "answer" }) as const
    call.signal(BOB.member, answer(1))
    await loseLink()
    browser.open[1]!.become("failed")
    call.signal(BOB.member, answer(2))
    await pass(0)
    expect([browser.open, former.described.length]).toEqual([[former], 1])
    expect(events.filter(({ type }) => type === "fault")).toEqual([])
  })

  test("is replaced when the browser finds no path, and carries media until then", async () => {
    const former = await talk(LOWEST)
    expect(call.reaches(BOB.member)).toBe(true)
    // His microphone is off, so that his silence is no reason.
    call.setPeers([{ ...BOB, sources: [] }])
    former.become("disconnected")
    former.iceConnectionState = "disconnected"
    former.dispatchEvent(new Event("iceconnectionstatechange"))
    await pass(REOPEN_APART_MS)
    expect(states()).toEqual(["disconnected", "new"])
    expect([call.connectionOf(BOB.member), call.reaches(BOB.member)]).toEqual(["connecting", true])
    browser.open[1]!.become("connected")
    await pass(FORMER_MS)
    expect(states()).toEqual(["closed", "connected"])
  })

  test("is replaced once when the peer stays silent", async () => {
    await talk(LOWEST)
    await pass(REPLACE_MS + SILENCE_MS)
    expect(states()).toEqual(["connected", "new"])
    await pass(5 * REPLACE_MS)
    expect(states()).toEqual(["connected", "new"])
  })

  test("is kept while packets come over it, though no sound is heard", async () => {
    const connection = await talk(LOWEST)
    connection.packetAgeMs = 400
    await pass(10 * REPLACE_MS)
    expect(browser.connections).toHaveLength(1)
    connection.packetAgeMs = 600
    await pass(REPLACE_MS + SILENCE_MS)
    expect(browser.connections).toHaveLength(2)
  })

  test("is replaced once more, with more time, when it stays silent after a vain try", async () => {
    await talk(LOWEST)
    for (const attempts of [1, 2]) {
      await pass(REPLACE_MS + SILENCE_MS)
      expect(browser.connections).toHaveLength(1 + attempts)
      await pass(attempts * CONNECT_MS - REPLACE_MS)
      expect(browser.open).toHaveLength(2)
      await pass(REPLACE_MS)
    }
    expect(browser.connections).toHaveLength(4)
  })

  /** Passes time in which each next connection is connected, and falls silent. Returns how many there were. */
  async function fallSilentFor(ms: number): Promise<number> {
    let count = 0
    for (const endMs = performance.now() + ms; performance.now() < endMs;) {
      await pass(SILENCE_MS)
      const next = browser.open.find(({ connectionState }) => connectionState === "new")
      if (!next) continue
      microphoneOf(next).receiver.hear()
      next.become("connected")
      count++
    }
    return count
  }

  test("is replaced ever more rarely when each next one falls silent too", async () => {
    await talk(LOWEST)
    expect(await fallSilentFor(60_000)).toBe(5)
    // Each has been silent for a second already, so the link's report replaces it at once.
    await loseLink()
    expect(states().at(-1)).toBe("new")
  })

  test("is replaced early again after a minute without silence", async () => {
    const connection = await talk(LOWEST)
    await fallSilentFor(20_000)
    const [last = connection] = browser.open
    for (let ms = 0; ms < 70_000; ms += SILENCE_MS) {
      microphoneOf(last).receiver.hear()
      await pass(SILENCE_MS)
    }
    expect(await fallSilentFor(5000)).toBe(2)
  })

  test("is kept while the members agree on a key, and watched again afterwards", async () => {
    await talk(LOWEST)
    call.setAgreeing(true)
    await pass(5 * REPLACE_MS)
    expect(browser.connections).toHaveLength(1)
    call.setAgreeing(false)
    await pass(REPLACE_MS - SILENCE_MS)
    expect(browser.connections).toHaveLength(1)
    await pass(2 * SILENCE_MS)
    expect(browser.connections).toHaveLength(2)
  })

  test("is one of two at most, however often the peer offers", async () => {
    await talk(HIGHEST)
    for (let attempt = 2; attempt < 20; attempt++) {
      call.signal(BOB.member, offer(attempt))
      await pass(REOPEN_APART_MS)
      if (attempt % 3 === 0) browser.open.at(-1)!.become("connected")
      expect(browser.open.length).toBeLessThanOrEqual(2)
    }
  })
})
