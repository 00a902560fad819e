// @vitest-environment jsdom
import { Directory, type DirectoryHandle, Identity, KeymootError, type ListedConference } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { NamedConferences } from "../../src/directory/NamedConferences.tsx"
import { startI18n } from "../../src/i18n/index.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
const conferences = vi.fn()

beforeEach(() => {
  conferences.mockReset()
  vi.spyOn(Directory, "open").mockResolvedValue({ conferences, close: () => undefined } as unknown as DirectoryHandle)
  vi.spyOn(Identity, "open").mockResolvedValue({ close: async () => undefined } as unknown as Identity)
  act(() => root.render(<NamedConferences takeName={() => "Ada"} kept={new Set()} onReturn={() => undefined} />))
})
afterEach(() => {
  act(() => root.render(null))
  vi.restoreAllMocks()
})

const conference = (id: string): ListedConference =>
  ({ id, opensAtMs: 0, endsAtMs: 1, creator: null, signed: true }) as unknown as ListedConference
const button = (name: string): HTMLButtonElement =>
  [...page.querySelectorAll("button")].find(({ textContent }) => textContent === name)!
function press(name: string): Promise<void> {
  button(name).focus()
  return act(async () => button(name).click())
}

it("says that it looks until the server answers", async () => {
  conferences.mockReturnValue(new Promise(() => undefined))
  await press("Look for conferences that name me")
  await press("Look for conferences that name me")
  expect(conferences).toHaveBeenCalledOnce()
  expect(page.querySelector("[role=status]")!.textContent).toBe("One moment…")
})

it("keeps the focus when Retry and the last Show more have gone", async () => {
  conferences.mockRejectedValueOnce(new KeymootError("server-unreachable", ""))
  await press("Look for conferences that name me")
  conferences.mockResolvedValueOnce({ entries: [conference("a")], next: "cursor" })
  await press("Retry")
  expect(document.activeElement).toBe(button("Look for conferences that name me"))
  conferences.mockResolvedValueOnce({ entries: [conference("b")], next: null })
  await press("Show more")
  expect(document.activeElement).toBe(page.querySelector("ul"))
})
