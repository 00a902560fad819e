// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import SettingsDialog from "../../src/settings/SettingsDialog.tsx"
import { change } from "../../src/settings/settings.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
beforeEach(() => change({ notifications: true }))
afterEach(() => {
  act(() => root.render(null))
  vi.unstubAllGlobals()
})

/** Returns the switch and its hint in a browser whose permission for notifications is this one. */
function notifications(permission: NotificationPermission | null) {
  if (permission !== null) vi.stubGlobal("Notification", { permission })
  act(() => root.render(<SettingsDialog onClose={() => undefined} onIdentity={null} onDiagnostics={null} />))
  const label = [...document.querySelectorAll("label")].find(({ textContent }) => textContent!.startsWith("Notify me"))!
  const { checked, disabled } = label.control as HTMLInputElement
  return { checked, disabled, hint: label.parentElement!.querySelector(".hint")!.textContent }
}

const HINT = "Only while you can’t see this page. They never show the message."

it.each([
  ["granted", true, HINT],
  ["default", false, HINT],
  ["denied", false, "The browser does not allow notifications. Change that in the page’s settings."],
] as const)("shows what the browser allows when a wanted permission is %s", (permission, checked, hint) => {
  expect(notifications(permission)).toEqual({ checked, hint, disabled: false })
})

it("says why a browser without notifications offers none", () => {
  const { checked, disabled, hint } = notifications(null)
  expect([checked, disabled]).toEqual([false, true])
  expect(hint).toContain("This browser does not let the page notify you.")
})
