import type { MemberId } from "@keymoot/transport"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { MediaEvents } from "../../src/api/index.ts"
import { Emitter } from "../../src/client/connection/emitter.ts"
import { Media, type MediaConfig } from "../../src/client/conference-media.ts"
import { CALL_PEERS_MAX } from "../../src/media/call/call-peer.ts"
import { ENTERING_MS } from "../../src/media/call/entering-checks.ts"
import type { MediaSignal } from "../../src/media/signals/media-signal.ts"
import { FakeBrowser } from "./fake-browser.ts"
import { FakeMediaWorker } from "./fake-media-worker.ts"

const [SELF, ...OTHERS] = Array.from({ length: CALL_PEERS_MAX + 2 }, (_, index) => {
  return index.toString(16).padStart(32, "0") as MemberId
}) as [MemberId, ...MemberId[]]
const [first, ...rest] = OTHERS as [MemberId, ...MemberId[]]

let media: Media
let sessions: number[]
let timesFull: number

beforeEach(() => {
  ;[sessions, timesFull] = [[], 0]
  FakeMediaWorker.isLoading = false
  vi.useFakeTimers()
  for (const [name, value] of Object.entries({ ...new FakeBrowser().globals, Worker: FakeMediaWorker }))
    vi.stubGlobal(name, value)
  const ids = [SELF, ...OTHERS]
  const emitter = new Emitter<MediaEvents>()
  emitter.on("full", () => timesFull++)
  media = new Media({
    info: { id: "conference", self: { id: SELF }, incarnation: 1 },
    connection: {
      passMediaKeys: (_: string, port: MessagePort | null) => port?.close(),
      call: async (name: string, { signal }: { readonly signal?: MediaSignal }) => {
        if (signal?.kind === "state") sessions.push(signal.session)
        return name === "media.configuration" ? { iceServers: [], transportPolicy: "all" } : null
      },
    },
    present: {
      view: { members: ids.map((id) => ({ id, self: id === SELF, role: "editor" })) },
      onEvent: () => undefined,
    },
    emitter,
  } as unknown as MediaConfig)
  media.onEvent({ type: "view", peers: ids.map((id) => ({ id, incarnation: 1 })) } as never)
})
afterEach(() => {
  media.leave()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const join = (member: MemberId, session = 7): void =>
  media.onEvent({ type: "media", from: member, signal: { kind: "state", session, incarnation: 1, sources: [] } })

test("refuses to enter when the call is full, until somebody leaves", async () => {
  for (const member of OTHERS) join(member)
  await expect(media.enter()).rejects.toMatchObject({ code: "call-full" })
  expect([media.state, sessions, timesFull]).toEqual(["out", [], 0])
  join(first, 0)
  await media.enter()
  expect([media.state, media.participants.length]).toEqual(["in", CALL_PEERS_MAX])
})

test("leaves again, and says so, when another one has entered at the same time", async () => {
  for (const member of rest) join(member)
  await media.enter()
  await vi.advanceTimersByTimeAsync(ENTERING_MS - 1)
  join(first)
  expect([media.state, sessions.at(-1), timesFull]).toEqual(["out", 0, 1])
})

test("rejects when the call turns out to be full before the worker is loaded", async () => {
  FakeMediaWorker.isLoading = true
  const entering = expect(media.enter()).rejects.toMatchObject({ code: "call-full" })
  for (const member of OTHERS) join(member)
  FakeMediaWorker.last!.fails()
  await entering
  expect(media.state).toBe("out")
})

test("stays with its peers when further members enter a full call", async () => {
  for (const member of rest) join(member)
  await media.enter()
  await vi.advanceTimersByTimeAsync(ENTERING_MS)
  join(first)
  expect([media.state, media.participants.map(({ member }) => member.id)]).toEqual(["in", rest])
  join(rest[0]!, 0)
  expect(media.participants.map(({ member }) => member.id)).toEqual([first, ...rest.slice(1)])
})
