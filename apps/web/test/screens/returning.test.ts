// @vitest-environment jsdom
import type { StorageState } from "@keymoot/core"
import { expect, it } from "vitest"
import { reloadOnReturn } from "../../src/screens/returning.ts"
import type { Screen } from "../../src/screens/screen.ts"
import { store } from "../../src/store.ts"

const conference = (storage: StorageState, copyOnly = false): object => ({
  kind: "conference",
  session: { storage: store(storage), handle: { copyOnly } },
})

it.each([
  ["enters again when a page with a conference returns", conference("kept"), true, 1],
  ["opens a copy again when its page returns", conference("failing", true), true, 1],
  ["keeps board and chat to be saved when a write to the storage has failed", conference("failing"), true, 0],
  ["keeps board and chat to be saved when the browser stores nothing", conference("off"), true, 0],
  ["enters again when a page that was entering returns", { kind: "working", what: "joining" }, true, 1],
  ["stays outside when a person has left before", { kind: "working", what: "leaving" }, true, 0],
  ["keeps what a person can still save when its page returns", { kind: "problem" }, true, 0],
  ["keeps what a person has typed when its page returns", { kind: "start" }, true, 0],
  ["loads a page once when it is shown for the first time", conference("kept"), false, 0],
] as const)("%s", (_, shown, persisted, expected) => {
  const screen = store(shown as Screen)
  const page = new EventTarget()
  let reloads = 0
  // The engine closes its conference upon the same event, and the screen changes.
  page.addEventListener("pageshow", () => screen.set({ kind: "problem" } as Screen))
  reloadOnReturn(screen, page, () => reloads++)
  page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }))
  expect(reloads).toBe(expected)
})
