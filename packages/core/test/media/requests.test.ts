import type { MemberId } from "@keymoot/transport"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { MediaEvents, Member, SecurityEvent } from "../../src/api/index.ts"
import { Emitter } from "../../src/client/connection/emitter.ts"
import { Media, type MediaConfig } from "../../src/client/conference-media.ts"
import { ASK_APART_MS } from "../../src/media/call/host-requests.ts"
import type { MediaSignal } from "../../src/media/signals/media-signal.ts"
import { FakeMediaWorker } from "./fake-media-worker.ts"

const [ADA, BOB, EVE] = ["a", "b", "e"].map((letter) => letter.repeat(32) as MemberId) as [MemberId, MemberId, MemberId]
type Sent = { readonly to: readonly MemberId[]; readonly signal: MediaSignal }

beforeEach(() => {
  vi.stubGlobal("document", { visibilityState: "visible" })
  vi.stubGlobal("RTCPeerConnection", vi.fn())
  vi.stubGlobal("RTCRtpScriptTransform", vi.fn())
  vi.stubGlobal("Worker", FakeMediaWorker)
})
afterEach(() => vi.unstubAllGlobals())

function member(id: MemberId, rank: number | null, self = false): Member {
  const role = rank === null ? "editor" : "host"
  const base = { id, name: id, publicKey: null, self, verified: false, changedKey: false, maySetRole: false }
  return { ...base, role, rank, mayRemove: !self && rank === null }
}

/** No connection is opened, since its configuration never comes. */
const NEVER = new Promise<never>(() => undefined)

/** Bob in a call with a microphone, and what Bob's program sends and reports. */
async function inCall(members: readonly Member[], configuration = NEVER) {
  const sent: Sent[] = []
  const security: SecurityEvent[] = []
  const requests: string[] = []
  const emitter = new Emitter<MediaEvents>()
  emitter.on("request", (request, from) => requests.push(`${request} by ${from.id}`))
  const media = new Media({
    info: { id: "c", self: { id: BOB }, incarnation: 1 } as MediaConfig["info"],
    connection: {
      passMediaKeys: (_: string, port: MessagePort | null) => port?.close(),
      call: (name: string, params: Sent) =>
        name === "media.signal" ? Promise.resolve(void sent.push(params)) : configuration,
    } as unknown as MediaConfig["connection"],
    present: {
      view: { members },
      onEvent: (event: { readonly event: SecurityEvent }) => security.push(event.event),
    } as unknown as MediaConfig["present"],
    emitter,
  })
  media.onEvent({ type: "view", peers: members.map(({ id }) => ({ id, incarnation: 1 })) } as never)
  await media.enter()
  const track = Object.assign(new EventTarget(), { kind: "audio", readyState: "live" }) as unknown as MediaStreamTrack
  await media.publish("microphone", track)
  const session = (): number => {
    const state = sent.map(({ signal }) => signal).findLast(({ kind }) => kind === "state")
    return state!.session
  }
  const ask = (from: MemberId, request: "mute" | "unmute", of = session()): void =>
    media.onEvent({ type: "media", from, signal: { kind: "request", session: of, request } })
  return { media, sent, security, requests, session, ask }
}

describe("a request to mute", () => {
  test("stops the microphone when a host asks, and the member may publish again", async () => {
    const { media, ask, requests, security, sent } = await inCall([member(ADA, 0), member(BOB, null, true)])
    const track = media.published.get("microphone")!
    ask(ADA, "mute")
    expect(media.published.size).toBe(0)
    expect(sent.at(-1)!.signal).toMatchObject({ kind: "state", sources: [] })
    expect([requests, security]).toEqual([[`mute by ${ADA}`], []])
    await media.publish("microphone", track)
    expect(media.published.size).toBe(1)
    media.leave()
  })

  test.each([
    ["of a member that is no host", [member(BOB, null, true), member(EVE, null)]],
    ["of a host that ranks below", [member(BOB, 0, true), member(EVE, 1)]],
    [
      "of a host that has lost its office",
      [member(BOB, null, true), { ...member(EVE, null), role: "viewer" as const }],
    ],
  ])("%s is refused and reported", async (_, members) => {
    const { media, ask, requests, security } = await inCall(members)
    ask(EVE, "mute")
    ask(EVE, "unmute")
    expect(media.published.size).toBe(1)
    expect(requests).toEqual([])
    // Once a view, however often it asks.
    expect(security.map(({ code, member }) => [code, member])).toEqual([["beyond-role", EVE]])
    media.leave()
  })

  test("is dropped when its sender is outside of the view", async () => {
    const { media, ask, requests } = await inCall([member(ADA, 0), member(BOB, null, true)])
    ask(EVE, "mute")
    expect([media.published.size, requests]).toEqual([1, []])
    media.leave()
  })

  test("does nothing when it was made for an earlier entry into the call", async () => {
    const { media, ask, requests, session } = await inCall([member(ADA, 0), member(BOB, null, true)])
    ask(ADA, "mute", session() - 1)
    expect([media.published.size, requests]).toEqual([1, []])
    media.leave()
  })

  test("reaches the page as one to unmute only while the microphone is off", async () => {
    const { media, ask, requests } = await inCall([member(ADA, 0), member(BOB, null, true)])
    ask(ADA, "unmute")
    expect(requests).toEqual([])
    await media.unpublish("microphone")
    ask(ADA, "unmute")
    expect([media.published.size, requests]).toEqual([0, [`unmute by ${ADA}`]])
    media.leave()
  })

  test("reaches the page once in a while when a host repeats one to unmute", async () => {
    vi.useFakeTimers()
    const { media, ask, requests } = await inCall([member(ADA, 0), member(EVE, 1), member(BOB, null, true)])
    await media.unpublish("microphone")
    for (let ms = 0; ms < 2 * ASK_APART_MS; ms += 20) {
      ask(ADA, "unmute")
      // A new view gives it no further one.
      media.onEvent({ type: "view", peers: [ADA, BOB, EVE].map((id) => ({ id, incarnation: 1 })) } as never)
      vi.advanceTimersByTime(20)
    }
    expect(requests).toEqual([`unmute by ${ADA}`, `unmute by ${ADA}`])
    ask(EVE, "unmute")
    expect(requests.at(-1)).toBe(`unmute by ${EVE}`)
    media.leave()
    vi.useRealTimers()
  })

  test("is sent only to a member in the call that this member may remove", async () => {
    const { media, sent } = await inCall([member(ADA, 0), member(BOB, 1, true), member(EVE, null)])
    await expect(media.request(EVE, "mute")).rejects.toMatchObject({ code: "invalid-argument" })
    for (const from of [ADA, EVE])
      media.onEvent({ type: "media", from, signal: { kind: "state", session: 7, incarnation: 1, sources: [] } })
    await expect(media.request(ADA, "mute")).rejects.toMatchObject({ code: "not-permitted" })
    await media.request(EVE, "mute")
    expect(sent.at(-1)).toMatchObject({ to: [EVE], signal: { kind: "request", session: 7, request: "mute" } })
    media.leave()
  })
})

test("tells a member which of its tracks are shown, again with each state", async () => {
  const { media, sent, session } = await inCall([member(ADA, 0), member(BOB, null, true)])
  media.subscribe(ADA, "camera", "large")
  const wanted = { kind: "wanted", session: session(), sources: ["camera", "screen"], large: ["camera"] }
  expect(sent.at(-1)!.signal).toMatchObject(wanted)
  media.subscribe(ADA, "screen", "none")
  expect(sent.at(-1)!.signal).toMatchObject({ sources: ["camera"], large: ["camera"] })
  const before = sent.length
  media.subscribe(ADA, "screen", "none")
  expect(sent).toHaveLength(before)
  await media.unpublish("microphone")
  expect(sent.slice(before).map(({ signal }) => signal.kind)).toEqual(["state", "wanted"])
  media.leave()
})

test("repeats the wanted size to a member in each session, until it leaves", async () => {
  const { media, sent } = await inCall([member(ADA, 0), member(BOB, null, true)])
  const wishesAfter = (session: number): readonly unknown[] => {
    const before = sent.length
    media.onEvent({ type: "media", from: ADA, signal: { kind: "state", session, incarnation: 1, sources: [] } })
    return sent.slice(before).map(({ signal }) => signal.kind === "wanted" && signal.large)
  }
  media.subscribe(ADA, "camera", "large")
  expect([7, 7, 8, 0, 9].map(wishesAfter)).toEqual([[["camera"]], [], [["camera"]], [], []])
  media.leave()
})

test("asks once for tracks in the size that they have by default", async () => {
  const { media, sent } = await inCall([member(ADA, 0), member(BOB, null, true)])
  const before = sent.length
  for (let i = 0; i < 2; i++) media.subscribe(ADA, "camera", "small")
  expect(sent.slice(before).map(({ signal }) => signal)).toMatchObject([{ sources: ["camera", "screen"], large: [] }])
  media.leave()
})

test("has no path to a member while the configuration of connections is refused", async () => {
  const refused = Promise.reject(new Error("no server"))
  const { media } = await inCall([member(BOB, null, true), member(EVE, null)], refused)
  media.onEvent({ type: "media", from: EVE, signal: { kind: "state", session: 7, incarnation: 1, sources: [] } })
  expect(media.participants.map(({ connection }) => connection)).toEqual(["connecting"])
  await vi.waitFor(() => expect(media.participants.map(({ connection }) => connection)).toEqual(["no-path"]))
  media.leave()
})
