// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { beforeAll, expect, it, vi } from "vitest"
import type { KeymootApp } from "../../src/app.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { StartScreen } from "../../src/screens/StartScreen.tsx"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))

it("starts no conference when the time of its opening is incomplete", () => {
  const app = { start: vi.fn() }
  const screen = <StartScreen app={app as unknown as KeymootApp} problem={null} options={null} lastName="Ada" />
  act(() => createRoot(page).render(screen))
  const submit = () => act(() => page.querySelector("form")!.requestSubmit())
  const opens = page.querySelector<HTMLInputElement>("input[type=datetime-local]")!
  const validity = vi.spyOn(opens, "validity", "get").mockReturnValue({ badInput: true } as ValidityState)
  submit()
  expect(app.start).not.toHaveBeenCalled()
  expect(page.querySelector("[role=alert]")!.textContent).toContain("Choose a time in the future")
  expect(opens.closest("details")!.open).toBe(true)
  validity.mockRestore()
  submit()
  expect(app.start).toHaveBeenCalledWith(expect.objectContaining({ name: "Ada", opensAt: "" }))
})
