import type { MemberId } from "@keymoot/transport"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { LinkPath, MediaEvents, Role } from "../../src/api/index.ts"
import { Emitter } from "../../src/client/connection/emitter.ts"
import { Media, type MediaConfig } from "../../src/client/conference-media.ts"
import { FRESH_MS } from "../../src/client/ice-servers.ts"
import { REPORT_MS, SILENCE_MS } from "../../src/media/connection/path-watch.ts"
import { MEDIA_SOURCES } from "../../src/media/keys/media-view.ts"
import type { MediaSignal } from "../../src/media/signals/media-signal.ts"
import { sampleDescription } from "./connection/sample-description.ts"
import { FakeBrowser } from "./fake-browser.ts"
import { FakeMediaWorker } from "./fake-media-worker.ts"

const [ADA, BOB, EVE] = ["a", "b", "e"].map((letter) => letter.repeat(32)) as [MemberId, MemberId, MemberId]

/** Members of the view. */
let here: readonly MemberId[]
let media: Media
let roles: Record<string, Role>
let ended: string[]
let failed: string[]
let sent: MediaSignal[]
let sentTo: MemberId[]
let unheard: (MemberId | undefined)[]
let changes: number
/** Questions for ICE servers. */
let asked: number
let browser: FakeBrowser

beforeEach(() => {
  browser = new FakeBrowser()
  for (const [name, value] of Object.entries({ ...browser.globals, Worker: FakeMediaWorker }))
    vi.stubGlobal(name, value)
  here = [ADA, BOB]
  roles = { [ADA]: "editor", [BOB]: "editor" }
  ;[ended, failed, sent, sentTo, unheard] = [[], [], [], [], []]
  ;[changes, asked] = [0, 0]
  const emitter = new Emitter<MediaEvents>()
  emitter.on("change", () => changes++)
  emitter.on("ended", (purpose) => ended.push(purpose))
  emitter.on("failed", ({ code }) => failed.push(`${code} ${media.state}`))
  media = new Media({
    info: { id: "conference", self: { id: ADA }, incarnation: 1 },
    connection: {
      passMediaKeys: (_: string, port: MessagePort | null) => port?.close(),
      call: async (name: string, params: { signal?: MediaSignal; to?: MemberId[]; member?: MemberId }) => {
        const { signal, to = [], member } = params
        if (name === "media.unheard") unheard.push(member)
        if (name === "media.configuration") asked++
        if (signal) sent.push(signal)
        sentTo.push(...to)
        return name === "media.configuration" ? { iceServers: [], transportPolicy: "all" } : null
      },
    },
    present: {
      get view() {
        return { members: here.map((id) => ({ id, name: id[0], self: id === ADA, role: roles[id] })) }
      },
      onEvent: () => undefined,
    },
    emitter,
  } as unknown as MediaConfig)
  const peers = [ADA, BOB].map((id) => ({ id, incarnation: 1 }))
  media.onEvent({ type: "view", peers } as never)
})
afterEach(() => {
  media.leave()
  vi.unstubAllGlobals()
})

const track = (kind: "audio" | "video") => Object.assign(new EventTarget(), { kind, getSettings: () => ({}) }) as never
const become = (member: MemberId, role: Role): void => {
  roles[member] = role
  media.onEvent({ type: "status" } as never)
}
const announce = (sources: readonly ("microphone" | "camera")[]): void =>
  media.onEvent({ type: "media", from: BOB, signal: { kind: "state", session: 7, incarnation: 1, sources } })

test("stops publishing, and tells so, when a host makes this member a viewer", async () => {
  await media.enter()
  await media.publish("microphone", track("audio"))
  await media.publish("camera", track("video"))
  become(ADA, "viewer")
  expect([...media.published.keys(), ...ended]).toEqual(["microphone", "camera"])
  expect(sent.at(-1)).toMatchObject({ kind: "state", sources: [] })
  await expect(media.publish("camera", track("video"))).rejects.toMatchObject({ code: "not-permitted" })
  become(ADA, "editor")
  await media.publish("camera", track("video"))
  expect(media.state).toBe("in")
})

test("leaves the call, and says why, when the browser ends the media worker", async () => {
  await media.enter()
  announce(["microphone"])
  await media.publish("microphone", track("audio"))
  await vi.waitFor(() => expect(browser.open).toHaveLength(1))
  FakeMediaWorker.last!.fails()
  expect([failed, media.published.size, browser.open, browser.leaks]).toEqual([["internal out"], 0, [], []])
  expect(sent.at(-1)).toMatchObject({ kind: "state", session: 0, sources: [] })
  expect(await media.statistics()).toEqual([])
  await media.enter()
  expect(media.state).toBe("in")
})

test("publishes no track that has ended", async () => {
  await media.enter()
  const over = Object.assign(track("audio"), { readyState: "ended" as const })
  await expect(media.publish("microphone", over)).rejects.toMatchObject({ code: "invalid-argument" })
  expect(media.published.size).toBe(0)
})

test("says nothing of a media worker that ends after the call was left", async () => {
  await media.enter()
  const worker = FakeMediaWorker.last!
  media.leave()
  worker.fails()
  expect(failed).toEqual([])
})

test("asks a member whose voice is missing for an acknowledgement, and reports it", async () => {
  vi.useFakeTimers()
  await media.enter()
  announce(["microphone"])
  await vi.advanceTimersByTimeAsync(0)
  const { receiver } = browser.connections[0]!.transceivers[MEDIA_SOURCES.indexOf("microphone")]!
  receiver.hear()
  FakeMediaWorker.last!.report(browser.sounds)
  await vi.advanceTimersByTimeAsync(REPORT_MS + 1)
  sent = []
  FakeMediaWorker.last!.report(browser.sounds)
  await vi.advanceTimersByTimeAsync(0)
  expect([sent.map(({ kind }) => kind), unheard]).toEqual([["state"], [BOB]])
  vi.useRealTimers()
})

test("asks for ICE servers before a path is lost, and not again afterwards", async () => {
  vi.useFakeTimers()
  media.onEvent({ type: "links", links: new Map([[BOB, "direct"]]) } as never)
  await media.enter()
  announce(["microphone"])
  await vi.advanceTimersByTimeAsync(2 * FRESH_MS)
  const { receiver } = browser.connections[0]!.transceivers[MEDIA_SOURCES.indexOf("microphone")]!
  browser.connections[0]!.become("connected")
  receiver.hear()
  const listen = async (ms: number): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ms)
    FakeMediaWorker.last!.report(browser.sounds)
  }
  await listen(0)
  const before = asked
  await listen(REPORT_MS + 1)
  expect(asked).toBe(before + 1)
  media.onEvent({ type: "links", links: new Map([[BOB, "relayed-by-server"]]) } as never)
  await listen(SILENCE_MS)
  await vi.advanceTimersByTimeAsync(0)
  expect([browser.connections.length, asked]).toEqual([2, before + 1])
  vi.useRealTimers()
})

test("changes nothing when a member repeats its state", async () => {
  await media.enter()
  announce(["microphone"])
  const before = changes
  announce(["microphone"])
  expect(changes).toBe(before)
  announce([])
  expect(changes).toBe(before + 1)
})

test.each(["before the view with it", "before this member entered"])("obeys a wish that came %s", async (when) => {
  media.onEvent({ type: "links", links: new Map([[BOB, "direct"]]) } as never)
  if (when.includes("view")) {
    media.onEvent({ type: "view", peers: [{ id: ADA, incarnation: 1 }] } as never)
    await media.enter()
  }
  announce([])
  media.onEvent({ type: "media", from: BOB, signal: { kind: "wanted", session: 7, sources: [], large: [] } })
  if (when.includes("view"))
    media.onEvent({ type: "view", peers: [ADA, BOB].map((id) => ({ id, incarnation: 1 })) } as never)
  else await media.enter()
  await vi.waitFor(() => expect(browser.connections).toHaveLength(1))
  await media.publish("camera", track("video"))
  const { sender } = browser.connections[0]!.transceivers[MEDIA_SOURCES.indexOf("camera")]!
  expect(sender.limits.active).toBe(false)
})

test("names what a member publishes while nothing of it can be received", async () => {
  announce(["microphone", "camera"])
  const shown = () => media.participants.map(({ published, tracks }) => [[...published], tracks.size])
  expect(shown()).toEqual([[["microphone", "camera"], 0]])
  await media.enter()
  await vi.waitFor(() => expect(shown()).toEqual([[["microphone", "camera"], 2]]))
  browser.open[0]!.become("failed")
  expect(shown()).toEqual([[["microphone", "camera"], 0]])
  become(BOB, "viewer")
  expect(shown()).toEqual([[[], 0]])
})

test("shows no track that nobody has announced, and none of a viewer", async () => {
  await media.enter()
  announce([])
  expect(media.participants.map(({ tracks }) => tracks.size)).toEqual([0])
  announce(["camera"])
  await vi.waitFor(() => expect([...media.participants[0]!.tracks.keys()]).toEqual(["camera"]))
  become(BOB, "viewer")
  expect(media.participants.map(({ tracks }) => tracks.size)).toEqual([0])
})

const links = (...members: MemberId[]): void => linksBy("direct", ...members)
const linksBy = (path: LinkPath, ...members: MemberId[]): void =>
  media.onEvent({ type: "links", links: new Map(members.map((member) => [member, path])) } as never)

test("tells a person at the door nothing of the call", async () => {
  await media.enter()
  sentTo.length = 0
  links(BOB, EVE)
  expect(sentTo).toEqual([BOB])
})

test("tells a newcomer that it has left the call before the view", async () => {
  await media.enter()
  media.leave()
  sent.length = 0
  media.onEvent({ type: "view", peers: [ADA, BOB].map((id) => ({ id, incarnation: 1 })) } as never)
  expect(sent).toMatchObject([{ kind: "state", session: 0 }])
})

test("tells a member whose link returns that it has left the call meanwhile", async () => {
  links(BOB)
  expect(sent).toEqual([])
  await media.enter()
  links()
  media.leave()
  sent.length = 0
  links(BOB)
  expect(sent).toMatchObject([{ kind: "state", session: 0, sources: [] }])
})

test.each(["direct", "relayed-by-server"] as const)(
  "sends its state when a way over another member becomes %s",
  async (path) => {
    linksBy("relayed-by-member", BOB)
    await media.enter()
    await media.publish("microphone", track("audio"))
    sent.length = 0
    linksBy(path, BOB)
    expect(sent).toMatchObject([{ kind: "state", sources: ["microphone"] }])
    expect(sent[0]).not.toMatchObject({ session: 0 })
  },
)

test("sends no state again when the path of a link changes", async () => {
  await media.enter()
  links(BOB)
  sent.length = 0
  linksBy("relayed-by-server", BOB)
  expect(sent).toEqual([])
})

test("shows a newcomer whose state came before an earlier view was secured", async () => {
  await media.enter()
  links(BOB)
  announce([])
  media.onEvent({ type: "view", peers: [{ id: ADA, incarnation: 1 }] } as never)
  media.onEvent({ type: "view", peers: [ADA, BOB].map((id) => ({ id, incarnation: 1 })) } as never)
  expect(media.participants.map(({ member }) => member.id)).toEqual([BOB])
})

test("forgets the state of a member that has left the view and has no link", async () => {
  await media.enter()
  announce([])
  media.onEvent({ type: "view", peers: [{ id: ADA, incarnation: 1 }] } as never)
  media.onEvent({ type: "view", peers: [ADA, BOB].map((id) => ({ id, incarnation: 1 })) } as never)
  expect(media.participants).toEqual([])
})

test.each([
  ["a member with a link", new Map([["0".repeat(32) as MemberId, "direct" as LinkPath]]), 1],
  ["nobody else", new Map<MemberId, LinkPath>(), 0],
])("keeps the early offer of %s over a view without its sender", async (_, links, connections) => {
  const dan = "0".repeat(32) as MemberId
  const install = (): void =>
    media.onEvent({ type: "view", peers: here.map((id) => ({ id, incarnation: 1 })) } as never)
  const take = (signal: MediaSignal): void => media.onEvent({ type: "media", from: dan, signal } as never)
  await media.enter()
  media.onEvent({ type: "links", links } as never)
  take({ kind: "state", session: 5, incarnation: 1, sources: ["microphone"] })
  take({ kind: "description", type: "offer", sdp: sampleDescription(), session: 5, attempt: 1 })
  install()
  here = [ADA, BOB, dan]
  media.onEvent({ type: "status" } as never)
  install()
  take({ kind: "state", session: 5, incarnation: 1, sources: ["microphone"] })
  await vi.waitFor(() => expect([asked, browser.open.length]).toEqual([connections, connections]))
})
