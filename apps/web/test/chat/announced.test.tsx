// @vitest-environment jsdom
import type { ChannelMessage, ConferenceHandle, ConferenceView } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { Entries } from "../../src/chat/items/Entries.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import { DRAWN_ENTRIES, openConversation } from "../../src/session/conversation.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

const BOB = { id: "bob", name: "Bob", self: false }
const EPOCH = 5

/** A chat of this person, who came in `EPOCH`. */
function open() {
  const listeners: ((view: ConferenceView) => void)[] = []
  const handle = { on: (_: string, listener: (typeof listeners)[0]) => listeners.push(listener), self: BOB }
  const conversation = openConversation(handle as unknown as ConferenceHandle, new AbortController().signal)
  for (const listener of listeners) listener({ epoch: EPOCH } as ConferenceView)
  const session = {
    ...conversation,
    handle,
    view: store({ members: [BOB] }),
    edits: store(new Map()),
    marks: store(new Map()),
    viewerReactions: store(new Map()),
    aloneSince: store(null),
    erasing: store(new Map()),
    colours: store(new Map()),
    files: { states: store(new Map()), previews: store(new Map()) },
  } as unknown as Session
  const draw = (drawn: number): void => {
    const transcript = conversation.transcript.get()
    act(() => root.render(<Entries transcript={transcript} drawn={drawn} session={session} />))
  }
  const add = (sequence: number, epoch: number, transferred: boolean, asFile = false): void => {
    const position = { epoch, view: "v", sequence }
    const origin = transferred ? { by: BOB, authorKnown: true } : null
    const id = `m${epoch}.${sequence}`
    const message = { id, from: BOB, text: "hello", position, transferred: origin, sentAtMs: 0 }
    const written = message as unknown as ChannelMessage
    const file = { id, name: "roof.pdf", sizeBytes: 1 } as never
    conversation.add(asFile ? { kind: "file", id, message: written, file } : { kind: "message", id, message: written })
  }
  return { add, draw }
}

const announced = (): string[] =>
  [...page.querySelectorAll<HTMLElement>("[data-message]")]
    .filter((article) => article.closest('[aria-live="off"]') === null)
    .map(({ dataset }) => dataset["message"]!)

it.each([false, true])("announces nothing of the history from before the person came, files: %s", (asFile) => {
  const { add, draw } = open()
  add(1, EPOCH - 1, true, asFile)
  add(2, EPOCH, true, asFile)
  draw(DRAWN_ENTRIES)
  expect(announced()).toEqual([])
  expect(page.querySelectorAll("article")).toHaveLength(2)
})

it.each([false, true])("announces what was sent while the person was away or here, files: %s", (asFile) => {
  const { add, draw } = open()
  add(1, EPOCH, false, asFile)
  add(1, EPOCH + 1, true, asFile)
  draw(DRAWN_ENTRIES)
  expect(announced()).toEqual(["m5.1", "m6.1"])
})

it("announces no earlier messages that the person reveals", () => {
  const { add, draw } = open()
  for (let sequence = 1; sequence <= 2 * DRAWN_ENTRIES; sequence++) add(sequence, EPOCH, false)
  draw(DRAWN_ENTRIES)
  const before = announced()
  expect(before).toHaveLength(DRAWN_ENTRIES)
  draw(2 * DRAWN_ENTRIES)
  expect(announced()).toEqual(before)
  expect(page.querySelectorAll("article")).toHaveLength(2 * DRAWN_ENTRIES)
})
