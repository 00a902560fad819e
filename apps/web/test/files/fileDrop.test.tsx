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
  const insert = vi.fn()
  const session = {
    handle: { copyOnly },
    view: store({ members: [{ self: true, role }] } as unknown as ConferenceView),
    files: { share },
    pictureTaker: store(insert),
  } as unknown as Session
  const screen = (
    <>
      <div className="board" tabIndex={-1}>
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
  return { share, insert, happen, isOffered }
}

/** Pastes at `target`. */
function paste(target: Node, types: readonly string[], files: readonly File[]) {
  const copied = { types, files, getData: () => "budget" } as unknown as DataTransfer
  const event = Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData: copied })
  act(() => void target.dispatchEvent(event))
  return copied
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

/** Pastes what office programs copy, text with a picture of it. Returns what the page hears. */
function pasteText(target: Node) {
  const heard: (DataTransfer | null)[] = []
  const listen = (event: ClipboardEvent): void => void heard.push(event.clipboardData)
  document.addEventListener("paste", listen)
  const copied = paste(target, ["text/plain", "Files"], FILES)
  document.removeEventListener("paste", listen)
  return { heard, copied }
}

it.each([
  ["at the board", (): Node => page.querySelector(".board canvas")!],
  ["at the body", (): Node => document.body],
])("pastes text alone on the board when a picture was copied beside it: %s", (_where, target) => {
  const { share } = open("editor", false)
  page.querySelector<HTMLElement>(".board")!.focus()
  const { heard } = pasteText(target())
  expect(heard.map((data) => [...data!.files, data!.getData("text/plain")])).toEqual([["budget"]])
  expect(share).not.toHaveBeenCalled()
})

it.each([".board textarea", ".chat"])("leaves pasted text to %s when a picture was copied beside it", (selector) => {
  const { share } = open("editor", false)
  const { heard, copied } = pasteText(page.querySelector(selector)!)
  expect(heard).toEqual([copied])
  expect(share).not.toHaveBeenCalled()
})

it("adds a picture to the focused board when the browser pastes at the body", () => {
  const { share, insert } = open("editor", false)
  page.querySelector<HTMLElement>(".board")!.focus()
  const cat = new File(["x"], "cat.png", { type: "image/png" })
  paste(document.body, ["Files"], [cat, ...FILES])
  expect(insert.mock.calls).toEqual([[[cat], null]])
  expect(share.mock.calls).toEqual([[FILES]])
})

it("leaves files to a dialog when they are pasted there", () => {
  const { share, insert } = open("editor", false)
  const field = document.body.appendChild(document.createElement("textarea"))
  field.focus()
  for (const target of [field, document.body]) paste(target, ["Files"], FILES)
  field.remove()
  expect([share, insert].flatMap(({ mock }) => mock.calls)).toEqual([])
})
