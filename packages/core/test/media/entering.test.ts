import type { MemberId } from "@keymoot/transport"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { PresentState } from "../../src/client/connection/present-state.ts"
import { LazyMedia } from "../../src/client/lazy-media.ts"
import type { MediaConfig } from "../../src/client/conference-media.ts"
import type { MediaSignal } from "../../src/media/signals/media-signal.ts"
import { FakeBrowser } from "./fake-browser.ts"
import { FakeMediaWorker } from "./fake-media-worker.ts"

const [ADA, BOB] = ["a", "b"].map((letter) => letter.repeat(32)) as [MemberId, MemberId]
let workers: FakeMediaWorker[]
let sessions: number[]
let configuration: { iceServers: readonly { urls: string | readonly string[] }[]; transportPolicy: "all" | "relay" }
let present: PresentState
let media: LazyMedia

beforeEach(() => {
  ;[workers, sessions] = [[], []]
  configuration = { iceServers: [], transportPolicy: "all" }
  FakeMediaWorker.isLoading = false
  class Noted extends FakeMediaWorker {
    constructor() {
      super()
      workers.push(this)
    }
  }
  for (const [name, value] of Object.entries({ ...new FakeBrowser().globals, Worker: Noted }))
    vi.stubGlobal(name, value)
  const members = [ADA, BOB].map((id) => ({ id, name: id[0], self: id === ADA, role: "editor" }))
  present = new PresentState({ view: { members }, admissionState: { waiting: false } } as never)
  media = new LazyMedia({
    info: { id: "conference", self: { id: ADA }, incarnation: 1 },
    connection: {
      passMediaKeys: (_: string, port: MessagePort | null) => port?.close(),
      call: async (name: string, { signal }: { readonly signal?: MediaSignal }) => {
        if (name === "media.configuration") return configuration
        if (signal?.kind === "state") sessions.push(signal.session)
      },
    },
    present,
  } as unknown as MediaConfig)
  media.onEvent({ type: "view", peers: [ADA, BOB].map((id) => ({ id, incarnation: 1 })) } as never)
})
afterEach(() => {
  media.leave()
  vi.unstubAllGlobals()
})

/** A host has to admit this member, or has done so. */
function wait(waiting: boolean): void {
  const event = { type: "admission", state: { waiting } } as never
  present.onEvent(event)
  media.onEvent(event)
}

const failsOnce = async (): Promise<void> => {
  await vi.waitFor(() => expect(workers).toHaveLength(1))
  workers[0]!.fails()
}

test("enters once the worker that encrypts has been loaded", async () => {
  const entering = media.enter()
  expect(media.state).toBe("entering")
  await entering
  expect(media.state).toBe("in")
})

test("stays out of the call when the browser cannot encrypt frames", async () => {
  vi.stubGlobal("RTCRtpScriptTransform", undefined)
  await expect(media.enter()).rejects.toMatchObject({ code: "unsupported-browser" })
  expect([media.state, workers.length, sessions]).toEqual(["out", 0, []])
})

test("says that the server is unreachable when the worker cannot be loaded", async () => {
  FakeMediaWorker.isLoading = true
  const entering = media.enter()
  await Promise.all([expect(entering).rejects.toMatchObject({ code: "server-unreachable" }), failsOnce()])
  expect([media.state, sessions.at(-1)]).toEqual(["out", 0])
})

test("enters when it is tried again after the worker could not be loaded", async () => {
  FakeMediaWorker.isLoading = true
  await Promise.allSettled([media.enter(), failsOnce()])
  FakeMediaWorker.isLoading = false
  await media.enter()
  expect([media.state, workers.length]).toEqual(["in", 2])
})

test("is out of the call when it is left while its code loads", async () => {
  const entering = media.enter()
  media.leave()
  expect(media.state).toBe("out")
  await expect(entering).rejects.toMatchObject({ code: "aborted" })
  expect([media.state, workers.length]).toEqual(["out", 0])
})

test("is out of the call when it is left while the worker loads", async () => {
  FakeMediaWorker.isLoading = true
  const entering = media.enter()
  const refused = expect(entering).rejects.toMatchObject({ code: "aborted" })
  await vi.waitFor(() => expect(workers).toHaveLength(1))
  media.leave()
  await refused
  expect([media.state, sessions.at(-1)]).toEqual(["out", 0])
})

test("stays in the call when it is entered again after a leave", async () => {
  const first = media.enter()
  media.leave()
  const again = media.enter()
  await Promise.all([expect(first).rejects.toMatchObject({ code: "aborted" }), again])
  expect(media.state).toBe("in")
})

test("is refused when the conference ends while the worker loads", async () => {
  FakeMediaWorker.isLoading = true
  const entering = media.enter()
  const refused = expect(entering).rejects.toMatchObject({ code: "closed" })
  await vi.waitFor(() => expect(workers).toHaveLength(1))
  media.onEvent({ type: "closed" } as never)
  await refused
  expect(media.state).toBe("out")
})

test("is not on air by itself when a host admits it again", async () => {
  await media.enter()
  await media.publish("microphone", Object.assign(new EventTarget(), { kind: "audio" }) as never)
  for (const waiting of [true, false]) wait(waiting)
  expect([media.state, media.published.size, sessions.at(-1)]).toEqual(["out", 0, 0])
})

test("is out of the call when it has to wait for a host while its code loads", async () => {
  const entering = media.enter()
  wait(true)
  await expect(entering).rejects.toMatchObject({ code: "aborted" })
  expect([media.state, workers.length]).toEqual(["out", 0])
})

test("is refused until a host has admitted it", async () => {
  wait(true)
  await expect(media.enter()).rejects.toMatchObject({ code: "not-permitted" })
  expect([media.state, workers.length, sessions]).toEqual(["out", 0, []])
  const entered = new Promise((resolve) => present.on("admission", ({ waiting }) => !waiting && resolve(media.enter())))
  wait(false)
  await entered
  expect(media.state).toBe("in")
})

test("publishes nothing when a track is unpublished in the same turn", async () => {
  await media.enter()
  const publishing = media.publish("microphone", Object.assign(new EventTarget(), { kind: "audio" }) as never)
  const unpublishing = media.unpublish("microphone")
  await Promise.all([publishing, unpublishing])
  expect(media.published.size).toBe(0)
})

test.each([
  ["hides its address without TURN", "relay", [{ urls: ["stun:a.example"] }], false],
  ["hides its address behind TURN", "relay", [{ urls: "stun:a.example" }, { urls: ["turns:a.example"] }], true],
  ["hides no address", "all", [], true],
] as const)(
  "says before a call whether media can flow when a member %s",
  async (_, transportPolicy, iceServers, can) => {
    configuration = { iceServers, transportPolicy }
    expect([await media.canConnect(), workers.length]).toEqual([can, 0])
  },
)
