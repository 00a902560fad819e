// @vitest-environment jsdom
import { type AdmissionState, Conference } from "@keymoot/core"
import { expect, it, vi } from "vitest"
import { openApp } from "../../src/app.ts"
import { conferenceLoaded } from "../../src/conference/lazyConference.ts"
import { openLate } from "../../src/ending/late.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import { comeBack } from "./returningPerson.ts"

vi.mock("../../src/conference/lazyConference.ts")

/** A handle whose events the test emits. */
function conference() {
  const listeners = new Map<string, (value: unknown) => void>()
  const admissionState = { messages: [], endsAtMs: 1 } as unknown as AdmissionState
  const handle = {
    id: "meeting",
    copyOnly: true,
    timeFrame: { opensAtMs: 1, endsAtMs: 1, latestEndMs: 2 },
    admissionState,
    on: (event: string, listener: (value: never) => void) => void listeners.set(event, listener as never),
    leave: async () => undefined,
  } as unknown as Conference
  return { handle, emit: (event: string, value: unknown) => listeners.get(event)!(value) }
}

it("is late no more when a host's extension arrives", () => {
  const { handle, emit } = conference()
  const late = openLate(handle, new AbortController().signal)
  expect(late.get()).toBe(false)
  late.set(true)
  emit("admission", { endsAtMs: 1 })
  expect(late.get()).toBe(true)
  emit("admission", { endsAtMs: Date.now() + 60_000 })
  expect(late.get()).toBe(false)
})

it("says that nobody answered when a late return ends", async () => {
  comeBack()
  const { handle, emit } = conference()
  vi.spyOn(Conference, "resume").mockResolvedValue(handle)
  const session = {
    handle,
    late: store(false),
    renameTo: store(null),
    moveOn: store(null),
    transcript: store([]),
    polls: store([]),
    incomplete: store([]),
    marks: store([]),
    boardWriter: store(() => null),
    call: { leave: () => undefined },
    close: () => undefined,
  } as unknown as Session
  vi.mocked(conferenceLoaded).mockResolvedValue({ openSession: () => session })
  const app = openApp({ kind: "conference", id: "meeting" })
  await vi.waitFor(() => expect(app.screen.get().kind).toBe("conference"))
  expect(session.late.get()).toBe(false)
  app.enterLate()
  await vi.waitFor(() => expect(session.late.get()).toBe(true))
  emit("closed", "conference-over")
  expect(app.screen.get()).toMatchObject({ kind: "problem", ended: { by: "nobody" } })
})
