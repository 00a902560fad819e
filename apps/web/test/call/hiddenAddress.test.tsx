// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { HiddenAddressNote } from "../../src/call/notes/HiddenAddressNote.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const container = document.body.appendChild(document.createElement("div"))
const root = createRoot(container)
afterEach(() => act(() => root.render(null)))

async function said(canConnect: () => Promise<boolean>): Promise<string> {
  const session = { handle: { media: { canConnect } } } as unknown as Session
  await act(async () => root.render(<HiddenAddressNote session={session} />))
  return container.textContent
}

it("says before a call that there is no path for a hidden address without TURN", async () => {
  expect(await said(async () => false)).toContain("You hide your internet address")
})

it("says nothing when there is a path, or the conference has ended meanwhile", async () => {
  expect(await said(async () => true)).toBe("")
  expect(await said(() => Promise.reject(new Error("closed")))).toBe("")
})
