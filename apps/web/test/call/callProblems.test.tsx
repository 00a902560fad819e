// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { beforeAll, expect, it, vi } from "vitest"
import { CallProblemNote } from "../../src/call/notes/CallProblemNote.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import { store } from "../../src/store.ts"
import type { CallProblem } from "../../src/call/model/openTracks.ts"
import type { SessionCall } from "../../src/session/call.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))

it.each<CallProblem>([
  { kind: "missing", toggle: "microphone" },
  { kind: "full", toggle: null },
])("offers to hide the note of the problem %o", (problem) => {
  const call = { problem: store(problem), hideProblem: vi.fn() }
  const page = document.body.appendChild(document.createElement("div"))
  const root = createRoot(page)
  act(() => root.render(<CallProblemNote call={call as unknown as SessionCall} />))
  page.querySelector<HTMLElement>('[aria-label="Hide"]')!.click()
  expect(call.hideProblem).toHaveBeenCalledOnce()
  act(() => root.unmount())
})
