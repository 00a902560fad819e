// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { DeviceToggles } from "../../src/call/DeviceToggles.tsx"
import { usePushToTalk } from "../../src/call/usePushToTalk.ts"
import { startI18n } from "../../src/i18n/index.ts"
import type { SessionCall } from "../../src/session/call.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const container = document.body.appendChild(document.createElement("div"))
const root = createRoot(container)
afterEach(() => act(() => root.render(null)))

/** The controls of a call. Returns what was done in it. */
function open() {
  const done: string[] = []
  const call = {
    own: store(new Map()),
    silenced: store(new Set()),
    toggle: async (toggle: string) => void done.push(`toggle ${toggle}`),
    talk: (talking: boolean) => done.push(talking ? "talk" : "silent"),
  } as unknown as SessionCall
  function Call() {
    usePushToTalk(call, true)
    return (
      <section className="call" tabIndex={-1}>
        <DeviceToggles call={call} />
      </section>
    )
  }
  act(() => root.render(<Call />))
  return done
}

/** `detail`: number of clicks of a pointer; 0 for the keyboard. */
function click(name: string, detail: number): void {
  const button = container.querySelector<HTMLElement>(`[aria-label="${name}"]`)!
  button.focus()
  act(() => void button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail })))
}

/** Holds the space bar and releases it. Returns whether it would press the focused button. */
function space(): boolean {
  const init = { code: "Space", key: " ", bubbles: true, cancelable: true }
  const isTaken = !document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", init))
  document.activeElement!.dispatchEvent(new KeyboardEvent("keyup", init))
  return !isTaken
}

it("talks while the space bar is held when a device was clicked before", () => {
  const done = open()
  for (const name of ["Microphone", "Camera"]) {
    click(name, 1)
    expect(space()).toBe(false)
  }
  expect(done).toEqual(["toggle microphone", "talk", "silent", "toggle camera", "talk", "silent"])
})

it("leaves the space bar to the button when that was pressed by keyboard", () => {
  const done = open()
  click("Microphone", 0)
  expect([space(), done]).toEqual([true, ["toggle microphone", "silent"]])
})

it("keeps the focus in a preview, which has no call around it", () => {
  const call = { own: store(new Map()), silenced: store(new Set()), toggle: vi.fn() } as unknown as SessionCall
  act(() => root.render(<DeviceToggles call={call} />))
  click("Microphone", 1)
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Microphone")
})
