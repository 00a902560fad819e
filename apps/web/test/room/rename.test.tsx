// @vitest-environment jsdom
import { Conference, Identity, KeymootError } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { type KeymootApp, openApp } from "../../src/app.ts"
import { conferenceLoaded } from "../../src/conference/lazyConference.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { RenameButton } from "../../src/people/RenameButton.tsx"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import { comeBack } from "../session/returningPerson.ts"

vi.mock("../../src/conference/lazyConference.ts")

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

function ada(server: "up" | "down" = "up", held = 0) {
  const session = {
    handle: {
      id: "meeting",
      self: { name: "Ada" },
      copyOnly: false,
      admission: { policy: "link" },
      timeFrame: { endsAtMs: 0 },
    },
    server: store(server),
    pending: store([]),
    held: store(held),
    renameTo: store<string | null>(null),
    moveOn: store(null),
    late: store(false),
    call: { leave: vi.fn() },
    close: () => undefined,
  }
  return session as typeof session & Session
}

function openForm(session: Session): void {
  act(() => root.render(<RenameButton session={session} />))
  act(() => document.querySelector<HTMLElement>("button.rename")!.click())
}

function rename(name: string): void {
  const field = document.querySelector<HTMLInputElement>("form input")!
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, name)
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
  act(() => document.querySelector<HTMLElement>("form [type=submit]")!.click())
  act(
    () => void document.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })),
  )
}

it("changes a name when the server is there", () => {
  const session = ada()
  openForm(session)
  rename("Ada Lovelace")
  expect(session.renameTo.get()).toBe("Ada Lovelace")
})

it("says that a host must admit the new name, except to a host", () => {
  const session = ada()
  const handle = { ...session.handle, admission: { policy: "approval" } }
  const said = (role: string): string => {
    act(() => root.render(null))
    openForm({ ...session, handle: { ...handle, self: { ...session.handle.self, role } } } as unknown as Session)
    return document.querySelector("form")!.textContent!
  }
  expect(said("editor")).toContain("A host must let you in again.")
  expect(said("host")).not.toContain("A host must let you in again.")
})

it("keeps a person inside who changes her name when the server is gone", () => {
  const session = ada("down")
  openForm(session)
  rename("Ada Lovelace")
  expect(session.renameTo.get()).toBeNull()
  expect(document.querySelector<HTMLButtonElement>("form [type=submit]")!.disabled).toBe(true)
  expect(document.body.textContent).toContain("The server cannot be reached")
})

it("says before a change of the name what has not been sent", () => {
  openForm(ada("up", 2))
  expect(document.body.textContent).toContain("2 messages or changes have not been sent yet")
})

/** The app with the conference of this session open. Returning to it fails. */
async function openedApp(session: Session, leave: () => Promise<void>) {
  const handle = { id: "meeting", on: () => undefined, leave } as unknown as Conference
  Object.assign(session.handle, handle)
  comeBack()
  vi.spyOn(Conference, "resume")
    .mockResolvedValueOnce(handle)
    .mockRejectedValue(new KeymootError("server-unreachable", "gone"))
  vi.mocked(conferenceLoaded).mockResolvedValue({ openSession: () => session })
  const app = openApp({ kind: "conference", id: "meeting" })
  await vi.waitFor(() => expect(app.screen.get().kind).toBe("conference"))
  return app
}

it("keeps the address of the conference when the return under a new name fails", async () => {
  const session = ada()
  const app = await openedApp(session, async () => undefined)
  session.renameTo.set("Ada Lovelace")
  await vi.waitFor(() => expect(app.screen.get().kind).toBe("problem"))
  expect(location.pathname).toBe("/c/meeting")
})

it.each([
  ["new name", (session: Session) => session.renameTo.set("Ada Lovelace"), "Ada Lovelace", false],
  ["late entry", (_: Session, app: KeymootApp) => app.enterLate(), "Ada", true],
] as const)("keeps the %s when a failed return is tried again", async (_, begin, name, late) => {
  const session = ada()
  const app = await openedApp(session, async () => undefined)
  begin(session, app)
  await vi.waitFor(() => expect(app.screen.get().kind).toBe("problem"))
  const failed = app.screen.get()
  const attempts = vi.mocked(Conference.resume).mock.calls.length
  if (failed.kind === "problem") failed.retry?.()
  await vi.waitFor(() => expect(Conference.resume).toHaveBeenCalledTimes(attempts + 1))
  expect(Identity.open).toHaveBeenLastCalledWith(expect.objectContaining({ name }))
  expect(Conference.resume).toHaveBeenLastCalledWith(expect.objectContaining({ late }))
})

it("leaves the call as soon as its controls go, while the farewell still waits", async () => {
  const session = ada()
  const app = await openedApp(session, () => new Promise(() => undefined))
  app.leave()
  expect(app.screen.get()).toEqual({ kind: "working", what: "leaving" })
  expect(session.call.leave).toHaveBeenCalledOnce()
})

it("returns the focus to the button when a person keeps the name", async () => {
  act(() => root.render(<RenameButton session={ada()} />))
  const opener = document.querySelector<HTMLElement>("button.rename")!
  opener.focus()
  act(() => opener.click())
  expect(document.activeElement?.tagName).toBe("INPUT")
  const cancel = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Cancel")!
  cancel.focus()
  act(() => cancel.click())
  await expect.poll(() => document.activeElement).toBe(opener)
})
