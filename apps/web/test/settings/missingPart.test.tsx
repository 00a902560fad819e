// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { beforeAll, expect, it, vi } from "vitest"
import { LazyFindPeople } from "../../src/directory/LazyDirectory.tsx"
import { startI18n } from "../../src/i18n/index.ts"

vi.mock("../../src/directory/parts.ts", () => ({
  get FindPeople() {
    throw new Error("offline")
  },
}))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))

it("lets a person dismiss the note of a missing part, which says what it clears", async () => {
  // React reports what the boundary catches.
  const reported = vi.spyOn(console, "error").mockReturnValue(undefined)
  act(() => createRoot(page).render(<LazyFindPeople onCard={() => undefined} />))
  const note = await vi.waitFor(() => {
    const found = page.querySelector("[role=alert]")
    if (found === null) throw new Error("no note yet")
    return found
  })
  expect(reported).toHaveBeenCalled()
  expect(note.textContent).not.toContain("Nothing is lost")
  expect(note.textContent).toContain("Forms that you have not sent are cleared.")
  const later = [...page.querySelectorAll("button")].find(({ textContent }) => textContent === "Later")!
  await act(async () => later.click())
  expect(page.textContent).toBe("")
})
