import type { ConferenceHandle, ConferenceView, Member } from "@keymoot/core"
import { expect, it } from "vitest"
import { Doc } from "yjs"
import { openBoardNews } from "../../src/session/boardNews.ts"
import { openLog } from "../../src/session/log.ts"
import { remainsOf } from "../../src/session/remains.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import { rectangle } from "../board/elements.ts"

const bob = { id: "bob", name: "Bob" } as unknown as Member

function open() {
  const listeners = new Map<string, (value?: unknown) => void>()
  const doc = new Doc()
  const handle = {
    document: () => ({
      doc,
      on: (event: string, listener: (value?: unknown) => void) => listeners.set(event, listener),
    }),
  } as unknown as ConferenceHandle
  const view = store({ members: [bob] } as unknown as ConferenceView)
  const log = openLog()
  const news = openBoardNews(handle, view, log, new AbortController().signal)
  return { news, view, log, doc, happen: (event: string, value?: unknown) => listeners.get(event)?.(value) }
}

it("reports only that the board is too large, until it can be sent again", () => {
  const { news, happen } = open()
  happen("unsent", { code: "queue-full" })
  expect(news.boardUnsent.get()).toBe(false)
  happen("unsent", { code: "too-large" })
  expect(news.boardUnsent.get()).toBe(true)
  happen("caughtUp")
  expect(news.boardUnsent.get()).toBe(false)
})

it("shows how much of a large board has come, and none of a small one", () => {
  const { news, log, happen } = open()
  happen("progress", { from: bob, received: 1, count: 2 })
  expect(news.receiving.get()).toBeNull()
  happen("progress", { from: bob, received: 50, count: 200 })
  expect(news.receiving.get()).toEqual({ from: bob, percent: 25 })
  happen("transferred", bob)
  expect(news.receiving.get()).toBeNull()
  expect(log.lines.get().at(-1)).toMatchObject({ kind: "transferred", from: bob })
})

it("stops waiting for a board when its sender has left", () => {
  const { news, view, happen } = open()
  happen("progress", { from: bob, received: 50, count: 200 })
  view.set({ ...view.get(), members: [] })
  expect(news.receiving.get()).toBeNull()
})

it("saves the drawings of the document when the whiteboard is not loaded", () => {
  const { news, doc } = open()
  const session = {
    ...news,
    handle: { id: "plan", title: "" },
    transcript: store([]),
    incomplete: store(false),
    marks: store(new Map()),
    polls: store([]),
  }
  const remains = () => remainsOf(session as unknown as Session)
  const elements = doc.getMap("elements")
  expect(remains()).toBeNull()
  elements.set("gone", rectangle("gone", { isDeleted: true }))
  elements.set("forged", { id: "forged" })
  expect(remains()).toBeNull()
  const drawn = [rectangle("over", { index: "a1" }), rectangle("top", { index: null }), rectangle("under")]
  for (const element of drawn) elements.set(element.id, element)
  const saved = JSON.parse(remains()!.board!) as { elements: { id: string }[] }
  expect(saved.elements.map(({ id }) => id)).toEqual(["under", "over", "top"])
})
