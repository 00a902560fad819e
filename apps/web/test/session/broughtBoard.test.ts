// @vitest-environment jsdom
import { Conference, KeymootError } from "@keymoot/core"
import { expect, it, vi } from "vitest"
import { openApp } from "../../src/app.ts"
import { conferenceLoaded } from "../../src/conference/lazyConference.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import { comeBack } from "./returningPerson.ts"

vi.mock("../../src/conference/lazyConference.ts")

function conference(id: string) {
  const timeFrame = { opensAtMs: 0, endsAtMs: 0 }
  const handle = { id, timeFrame, admission: { policy: "link" }, on: () => undefined, leave: async () => undefined }
  const session = {
    handle,
    renameTo: store(null),
    moveOn: store<((message: null) => Promise<void>) | null>(null),
    boardWriter: store(() => "a board"),
    broughtBoard: store<string | null>(null),
    late: store(false),
    call: { leave: () => undefined },
    close: () => undefined,
  }
  return session as typeof session & Session
}

it("keeps a board until the conference that continues with it is entered", async () => {
  comeBack()
  const [former, next] = [conference("former"), conference("next")]
  vi.spyOn(Conference, "resume").mockResolvedValueOnce(former.handle as unknown as Conference)
  vi.mocked(conferenceLoaded).mockResolvedValueOnce({ openSession: () => former })
  const app = openApp({ kind: "conference", id: "former" })
  await vi.waitFor(() => expect(app.screen.get().kind).toBe("conference"))
  expect(app.brought.get()).toBeNull()

  const made = { id: "next", invitation: { url: "https://there.example/c/next#key" } }
  vi.spyOn(Conference, "schedule").mockResolvedValue(made as never)
  vi.mocked(Conference.resume).mockRejectedValueOnce(new KeymootError("server-unreachable", ""))
  await former.moveOn.get()!(null)
  const failed = app.screen.get()
  expect([failed.kind, app.brought.get()]).toEqual(["problem", expect.anything()])

  vi.mocked(Conference.resume).mockResolvedValueOnce(next.handle as unknown as Conference)
  vi.mocked(conferenceLoaded).mockResolvedValueOnce({ openSession: () => next })
  if (failed.kind === "problem") failed.retry!()
  await vi.waitFor(() => expect(app.screen.get().kind).toBe("conference"))
  expect([next.broughtBoard.get(), app.brought.get()]).toEqual(["a board", null])
})
