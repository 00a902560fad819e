// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import type { KeymootApp } from "../../src/app.ts"
import { startI18n } from "../../src/i18n/index.ts"
import { StartScreen } from "../../src/screens/StartScreen.tsx"

const settings = vi.hoisted(() => ({ onIdentity: null as (() => void) | null }))
vi.mock("../../src/settings/SettingsButton.tsx", () => ({
  SettingsButton: ({ onIdentity }: { readonly onIdentity: () => void }) => {
    settings.onIdentity = onIdentity
    return null
  },
}))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

it("starts no conference when the time of its opening is incomplete", () => {
  const app = { start: vi.fn() }
  const screen = <StartScreen app={app as unknown as KeymootApp} problem={null} options={null} lastName="Ada" />
  act(() => root.render(screen))
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

it("drops a typed name when the person chooses an identity, which would be renamed", () => {
  const app = { start: vi.fn(), onIdentity: vi.fn() }
  const show = (lastName: string) =>
    act(() =>
      root.render(<StartScreen app={app as unknown as KeymootApp} problem={null} options={null} lastName={lastName} />),
    )
  show("Ada")
  const input = page.querySelector("input")!
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(input, "Bob")
    input.dispatchEvent(new Event("input", { bubbles: true }))
  })
  expect(input.value).toBe("Bob")
  act(() => settings.onIdentity!())
  expect(app.onIdentity).toHaveBeenCalledOnce()
  show("Eve")
  expect(input.value).toBe("Eve")
})
