// @vitest-environment jsdom
import type { ConferenceView } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { FileDrop } from "../../src/files/FileDrop.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

const FILES = [new File(["x"], "plan.txt")]

function open(role: "editor" | "viewer", copyOnly: boolean) {
  const share = vi.fn()
  const session = {
    handle: { copyOnly },
    view: store({ members: [{ self: true, role }] } as unknown as ConferenceView),
    files: { share },
    pictureTaker: store(null),
  } as unknown as Session
  act(() => root.render(<FileDrop session={session}>{null}</FileDrop>))
  const happen = (type: string, field: string): Event => {
    const data = { types: ["Files"], files: FILES, dropEffect: "copy" }
    const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), { [field]: data })
    act(() => void page.querySelector("main")!.dispatchEvent(event))
    return event
  }
  const isOffered = (): boolean => page.querySelector(".drop-target") !== null
  return { share, happen, isOffered }
}

it("shares files that are dropped or pasted", () => {
  const { share, happen, isOffered } = open("editor", false)
  happen("dragover", "dataTransfer")
  expect(isOffered()).toBe(true)
  happen("drop", "dataTransfer")
  happen("paste", "clipboardData")
  expect(share.mock.calls).toEqual([[FILES], [FILES]])
})

it.each([
  ["a viewer", "viewer", false],
  ["the copy of a conference", "editor", true],
] as const)("takes no files when this is %s, and does not leave the page for them", (_, role, copyOnly) => {
  const { share, happen, isOffered } = open(role, copyOnly)
  const over = happen("dragover", "dataTransfer") as DragEvent
  expect([isOffered(), over.defaultPrevented, over.dataTransfer!.dropEffect]).toEqual([false, true, "none"])
  expect(happen("drop", "dataTransfer").defaultPrevented).toBe(true)
  happen("paste", "clipboardData")
  expect(share).not.toHaveBeenCalled()
})
