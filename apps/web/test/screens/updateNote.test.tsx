// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { App } from "../../src/App.tsx"
import type { KeymootApp } from "../../src/app.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { newerBuild } from "../../src/pwa/update.ts"
import type { Screen } from "../../src/screens/screen.ts"
import type { Remains } from "../../src/session/remains.ts"
import { store } from "../../src/store.ts"

vi.mock("../../src/conference/lazyConference.ts", () => ({ RemainsActions: () => null, prefetchConference: vi.fn() }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => {
  act(() => root.render(null))
  newerBuild.set(false)
})

/** Returns the note on a screen while a newer build is ready. */
function noteOn(screen: Screen, brought: object | null = null): string {
  newerBuild.set(true)
  const app = { screen: store(screen), brought: store(brought), lastName: store("Ada"), toStart: () => undefined }
  act(() => root.render(<App app={app as unknown as KeymootApp} />))
  return document.querySelector(".page-note")?.textContent ?? ""
}

const removed = { kind: "problem", problem: "removed", retry: null, reason: null } as const

it("offers no update to a person who can still save the board of a past conference", () => {
  expect(noteOn({ ...removed, remains: {} as Remains })).toBe("")
  expect(noteOn({ ...removed, remains: null })).toContain("A new version")
})

it("offers no update while a board waits for the next conference", () => {
  const unreachable = { kind: "problem", problem: "server-unreachable", retry: null, reason: null } as const
  expect(noteOn({ ...unreachable, remains: null }, { id: "next" })).toBe("")
})

it.each(["leaving", "joining"] as const)("offers no update while the page is %s", (what) => {
  expect(noteOn({ kind: "working", what })).toBe("")
})

it("promises no conference outside of one, and says what an update clears", () => {
  const note = noteOn({ kind: "start", problem: null, options: null })
  expect(note).not.toContain("Your conference")
  expect(note).toContain("Forms that you have not sent are cleared.")
})
