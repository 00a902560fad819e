// @vitest-environment jsdom
import { Conference, type ConferencePreview, KeymootError } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import { InvitedScreen } from "../../src/screens/EnterScreen.tsx"
import { ProblemScreen } from "../../src/screens/ProblemScreen.tsx"
import { LOOK_FOR_SERVER_MS } from "../../src/screens/useServerBack.ts"

vi.mock("../../src/conference/lazyConference.ts", () => ({ prefetchConference: async () => undefined }))
vi.mock("../../src/board/lazyBoard.ts", () => ({ prefetchBoard: () => undefined }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
const fetched = vi.fn<() => Promise<{ status: number }>>()
const visibility = vi.spyOn(document, "visibilityState", "get")
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("fetch", fetched)
  fetched.mockReset().mockRejectedValue(new TypeError("offline"))
  visibility.mockReturnValue("visible")
})
afterEach(() => {
  act(() => root.render(null))
  vi.useRealTimers()
})

function unreachable() {
  const onServerBack = vi.fn()
  const screen = (
    <ProblemScreen
      problem="server-unreachable"
      onServerBack={onServerBack}
      onRetry={() => undefined}
      onStart={() => undefined}
    />
  )
  act(() => root.render(screen))
  return onServerBack
}

const pass = (ms: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(ms))

it("retries by itself when the device is online and the server answers again", async () => {
  const onServerBack = unreachable()
  fetched.mockResolvedValue({ status: 200 })
  window.dispatchEvent(new Event("online"))
  window.dispatchEvent(new Event("online"))
  await pass(0)
  expect(onServerBack).toHaveBeenCalledOnce()
})

it.each([
  ["is unreachable", new TypeError("offline")],
  ["is down behind its proxy", { status: 502 }],
])("waits as long as the server %s, and retries after that", async (_, answer) => {
  const onServerBack = unreachable()
  if (answer instanceof Error) fetched.mockRejectedValue(answer)
  else fetched.mockResolvedValue(answer)
  await pass(3 * LOOK_FOR_SERVER_MS)
  expect(fetched).toHaveBeenCalled()
  expect(onServerBack).not.toHaveBeenCalled()
  fetched.mockResolvedValue({ status: 200 })
  await pass(LOOK_FOR_SERVER_MS)
  expect(onServerBack).toHaveBeenCalledOnce()
})

it("asks for nothing while nobody sees the page", async () => {
  unreachable()
  visibility.mockReturnValue("hidden")
  await pass(3 * LOOK_FOR_SERVER_MS)
  expect(fetched).not.toHaveBeenCalled()
})

it("retries ever more rarely while the server answers and the page cannot enter", async () => {
  let onServerBack = unreachable()
  await pass(13 * LOOK_FOR_SERVER_MS)
  fetched.mockResolvedValue({ status: 200 })
  let tries = 0
  for (let second = 0; second < 120; second++) {
    await pass(1000)
    if (onServerBack.mock.calls.length === 0) continue
    tries++
    act(() => root.render(null))
    onServerBack = unreachable()
  }
  expect(tries).toBe(3)
})

it.each([
  ["opened", null],
  ["that failed", "server-unreachable"],
] as const)("shows an invitation %s without the server as soon as the server answers", async (_, problem) => {
  const creator = { name: "Bob", self: false, verified: false, changedKey: false }
  const about = { title: "The roof", timeFrame: { endsAtMs: 0 }, admission: { policy: "link" }, endedAtMs: null }
  const preview = vi.spyOn(Conference, "preview").mockRejectedValue(new KeymootError("server-unreachable", ""))
  const arrival = { kind: "invitation", id: "meeting", url: "https://there.example/c/meeting#key" } as const
  const on = { onJoin: vi.fn(), onFinal: vi.fn(), onInstead: vi.fn(), onIdentity: vi.fn() }
  await act(async () => root.render(<InvitedScreen arrival={arrival} problem={problem} lastName="Ada" {...on} />))
  expect(document.querySelector("[role=alert]")!.textContent).toContain("cannot be reached")
  fetched.mockResolvedValue({ status: 200 })
  window.dispatchEvent(new Event("online"))
  await pass(0)
  expect([preview.mock.calls.length, document.body.textContent]).toEqual([2, expect.not.stringContaining("Bob")])
  preview.mockResolvedValue({ ...about, history: "everything", creator } as unknown as ConferencePreview)
  window.dispatchEvent(new Event("online"))
  await pass(0)
  expect(document.body.textContent).toContain("The roof")
  expect(document.body.textContent).toContain("Bob")
  expect(document.querySelector("[role=alert]")).toBeNull()
})
