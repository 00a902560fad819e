// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, expect, it } from "vitest"
import { useShortcuts } from "../../src/conference/useShortcuts.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

it("toggles once, and leaves the browser no key, when a shortcut is held", () => {
  const toggled: string[] = []
  const call = { state: store("in"), toggle: async (toggle: string) => void toggled.push(toggle) }
  const session = { call, view: store({ members: [] }) } as unknown as Session
  function Conference() {
    useShortcuts(session, () => {})
    return null
  }
  act(() => root.render(<Conference />))
  const press = (code: string, repeat: boolean): boolean => {
    const init = { code, altKey: true, repeat, bubbles: true, cancelable: true }
    return document.body.dispatchEvent(new KeyboardEvent("keydown", init))
  }
  for (const code of ["KeyM", "KeyV"])
    expect([press(code, false), press(code, true), press(code, true)]).toEqual([false, false, false])
  expect(toggled).toEqual(["microphone", "camera"])
})
