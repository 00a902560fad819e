// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { LeaveButton } from "../../src/conference/LeaveButton.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

const DELETES = "Leaving deletes the board and the chat from this device. To go on later, close this page instead."
const ada = { id: "ada", name: "Ada", role: "host", self: true }
const bob = { id: "bob", name: "Bob", role: "editor", self: false, maySetRole: true }
const eve = { id: "eve", name: "Eve", role: "host", self: false }

/** Presses Leave, and returns the text of the dialog; null if there is none. */
async function leave(members: readonly object[], changes: object = {}): Promise<string | null> {
  const session = {
    draft: store(""),
    pending: store([]),
    held: store(0),
    view: store({ members }),
    admission: store({ knocks: [] }),
    files: { largeOwn: () => 0 },
    boardWriter: store(() => null),
    handle: { id: "plan", title: "Plan", admission: { policy: "approval" } },
    ...Object.fromEntries(["transcript", "polls"].map((name) => [name, store([])])),
    incomplete: store(false),
    marks: store(new Map()),
    ...changes,
  } as unknown as Session
  const onLeave = vi.fn<() => void>()
  await act(async () => root.render(<LeaveButton session={session} onLeave={onLeave} />))
  await act(async () => page.querySelector("button")!.click())
  const dialog = document.querySelector("[role=alertdialog]")
  expect(onLeave).toHaveBeenCalledTimes(dialog === null ? 1 : 0)
  return dialog && dialog.textContent
}

it("says that the copy is deleted when the only host leaves others", async () => {
  const text = await leave([ada, bob])
  expect(text).toContain("You are the only host.")
  expect(text).toContain(DELETES)
})

it("says that the copy is deleted when something unsent would be lost", async () => {
  expect(await leave([ada, bob, eve], { draft: store("half a sentence") })).toContain(DELETES)
})

it("does not speak of a copy when a person alone has nothing to keep", async () => {
  const text = await leave([ada], { draft: store("half a sentence") })
  expect(text).toContain("has not been sent yet")
  expect(text).not.toContain("deletes")
})

it("asks nothing when nothing would be lost and another host is here", async () => {
  expect(await leave([ada, bob, eve])).toBeNull()
})
