// @vitest-environment jsdom
import { type ChannelMessage, Directory } from "@keymoot/core"
import { act, type ReactNode } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { Composer } from "../../src/chat/composer/Composer.tsx"
import { EditForm } from "../../src/chat/items/EditForm.tsx"
import { SearchBar } from "../../src/chat/search/SearchBar.tsx"
import { FindPeople } from "../../src/directory/FindPeople.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

const show = (content: ReactNode): void => act(() => root.render(content))
const press = (key: string, composing: KeyboardEventInit): Promise<void> => {
  const field = page.querySelector("textarea, input:not([hidden])")!
  return act(async () => void field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...composing })))
}

const toCompose = (draft: string) => ({
  draft: store(draft),
  replyingTo: store<string | null>("m1"),
  shownTranscript: store([]),
  marks: store(new Map()),
  find: () => undefined,
  presence: { doing: store(new Map()) },
  handle: { self: { id: "ada" } },
})

/** Safari ends the composition before the key that confirms it: WebKit bug 165004. */
describe.each([
  ["other browsers", { isComposing: true }],
  ["Safari", { isComposing: false, keyCode: 229 }],
])("while an input method of %s composes", (_, composing) => {
  it("Enter sends no message, and Escape keeps the answered message", async () => {
    const send = vi.fn(() => true)
    const session = { ...toCompose("こんにち"), send }
    show(<Composer session={session as unknown as Session} onSent={() => undefined} />)
    await press("Enter", composing)
    expect(send).not.toHaveBeenCalled()
    await press("Escape", composing)
    expect(session.replyingTo.get()).toBe("m1")
    await press("Enter", {})
    expect(send).toHaveBeenCalledWith("こんにち", "m1")
  })

  it("Escape keeps an edit, and Enter does not save it", async () => {
    const setEdit = vi.fn()
    const message = { id: "m1" } as unknown as ChannelMessage
    const session = { edits: store(new Map()), setEdit } as unknown as Session
    show(<EditForm message={message} text="こんにち" session={session} begun item={{ current: null }} />)
    await press("Escape", composing)
    await press("Enter", composing)
    expect(setEdit).not.toHaveBeenCalled()
    await press("Escape", {})
    expect(setEdit).toHaveBeenCalledWith("m1", null)
  })

  it("Escape does not close the search", async () => {
    const session = { shownTranscript: store([]), marks: store(new Map()) } as unknown as Session
    show(<SearchBar session={session} />)
    act(() => page.querySelector("button")!.click())
    await press("Escape", composing)
    expect(page.querySelector("input")).not.toBeNull()
    await press("Escape", {})
    expect(page.querySelector("input")).toBeNull()
    expect(document.activeElement, "the focus returns").toBe(page.querySelector("button"))
  })

  it("Enter does not search the directory", async () => {
    const open = vi.spyOn(Directory, "open").mockReturnValue(new Promise(() => undefined))
    show(<FindPeople onCard={() => undefined} />)
    type("こんにち")
    await press("Enter", composing)
    expect(open).not.toHaveBeenCalled()
    await press("Enter", {})
    expect(open).toHaveBeenCalledOnce()
    open.mockRestore()
  })
})

it("shows the newest found message when words are typed into the search", () => {
  const from = { id: "bob", name: "Bob" }
  const said = (id: string, text: string) => ({ kind: "message", id, message: { id, text, from } })
  const shownTranscript = store([said("m1", "The roof leaks"), said("m2", "The roof again"), said("m3", "Good bye")])
  const session = { shownTranscript, marks: store(new Map()), jumpTo: store<string | null>(null) }
  show(<SearchBar session={session as unknown as Session} />)
  act(() => page.querySelector("button")!.click())
  type("roof")
  expect(session.jumpTo.get()).toBe("m2")
  type("roof le")
  expect(session.jumpTo.get()).toBe("m1")
})

it("keeps a message that a script of the page assigns", () => {
  const session = toCompose("")
  show(<Composer session={session as unknown as Session} onSent={() => undefined} />)
  const field = page.querySelector("textarea")!
  act(() => {
    field.value = "dictated"
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
  expect(session.draft.get()).toBe("dictated")
})

function type(text: string): void {
  const field = page.querySelector("input")!
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, text)
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
}
