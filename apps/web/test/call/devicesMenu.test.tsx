// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { DevicesMenu } from "../../src/call/DevicesMenu.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { SessionCall } from "../../src/session/call.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

const devices = { known: store({ microphone: [], camera: [], speaker: [] }), changed: store(0) }
const call = { devices } as unknown as SessionCall

it.each([
  ["a viewer", "The browser plays sound on its default device.", true],
  ["an editor", "Switch the microphone or the camera on first.", false],
])("tells %s what it can do when the browser names no device", (_, text, viewer) => {
  act(() => root.render(<DevicesMenu call={call} viewer={viewer} />))
  act(() => document.querySelector<HTMLElement>("button.call-devices")!.click())
  expect(document.querySelector("[role=dialog] .hint")?.textContent).toContain(text)
})
