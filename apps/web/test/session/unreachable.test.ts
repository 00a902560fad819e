// @vitest-environment jsdom
import { Conference, type KeptConference, KeymootError } from "@keymoot/core"
import { beforeEach, expect, it, vi } from "vitest"
import { openApp } from "../../src/app.ts"
import { conferenceLoaded } from "../../src/conference/lazyConference.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import { comeBack } from "./returningPerson.ts"

vi.mock("../../src/conference/lazyConference.ts")

const gone = () => new KeymootError("server-unreachable", "gone")
const handle = { id: "meeting", copyOnly: true, on: () => undefined } as unknown as Conference

beforeEach(() => {
  comeBack()
  vi.spyOn(Conference, "resume").mockRejectedValue(gone())
})

/** The app after a failed return, and the screen that says so. */
async function failedReturn(kept: readonly Pick<KeptConference, "id" | "about">[]) {
  vi.spyOn(Conference, "kept").mockResolvedValue(kept as readonly KeptConference[])
  const app = openApp({ kind: "conference", id: "meeting" })
  const failed = await vi.waitFor(() => {
    const screen = app.screen.get()
    if (screen.kind !== "problem") throw new Error(screen.kind)
    return screen
  })
  return { app, failed }
}

const about = {} as NonNullable<KeptConference["about"]>

it("offers the copy on this device when the server is unreachable", async () => {
  const { app, failed } = await failedReturn([{ id: "meeting", about }])
  const session = { handle, renameTo: store(null), moveOn: store(null) } as unknown as Session
  vi.mocked(conferenceLoaded).mockResolvedValue({ openSession: () => session })
  vi.spyOn(Conference, "openKept").mockResolvedValue(handle)
  failed.openCopy!()
  await vi.waitFor(() => expect(app.screen.get()).toMatchObject({ kind: "conference", session }))
})

it("returns to the problem when the copy cannot be opened", async () => {
  const { app, failed } = await failedReturn([{ id: "meeting", about }])
  vi.spyOn(Conference, "openKept").mockRejectedValue(gone())
  failed.openCopy!()
  expect(app.screen.get()).not.toBe(failed)
  await vi.waitFor(() => expect(app.screen.get()).toBe(failed))
})

it.each([
  ["keeps another conference only", [{ id: "other", about }]],
  ["knows nothing of the conference but its link", [{ id: "meeting", about: null }]],
])("offers no copy when this device %s", async (_, kept) => {
  expect((await failedReturn(kept)).failed.openCopy).toBeNull()
})
