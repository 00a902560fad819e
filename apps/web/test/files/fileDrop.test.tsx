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
  const screen = (
    <>
      <div className="board">
        <canvas />
        <textarea />
      </div>
      <div className="chat" />
    </>
  )
  act(() => root.render(<FileDrop session={session}>{screen}</FileDrop>))
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

/** Pastes what office programs copy, text with a picture of it, where the selector says. Returns what the page hears. */
function pasteText(selector: string) {
  const { share } = open("editor", false)
  const heard: (DataTransfer | null)[] = []
  const listen = (event: ClipboardEvent): void => void heard.push(event.clipboardData)
  document.addEventListener("paste", listen)
  const copied = { types: ["text/plain", "Files"], files: FILES, getData: () => "budget" } as unknown as DataTransfer
  const event = Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData: copied })
  act(() => void page.querySelector(selector)!.dispatchEvent(event))
  document.removeEventListener("paste", listen)
  return { share, heard, copied }
}

it("pastes text alone on the board when a picture of it was copied beside it", () => {
  const { share, heard } = pasteText(".board canvas")
  expect(heard.map((data) => [...data!.files, data!.getData("text/plain")])).toEqual([["budget"]])
  expect(share).not.toHaveBeenCalled()
})

it.each([".board textarea", ".chat"])("leaves pasted text to %s when a picture was copied beside it", (selector) => {
  const { share, heard, copied } = pasteText(selector)
  expect(heard).toEqual([copied])
  expect(share).not.toHaveBeenCalled()
})
