import type { ConferenceHandle } from "@keymoot/core"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { Awareness } from "y-protocols/awareness"
import { Doc } from "yjs"
import { openPresence, readDoing } from "../../src/session/presence.ts"
import { store } from "../../src/store.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const awareness = new Awareness(new Doc())
  const member = { id: "ada", self: true }
  const board = { awareness, memberOfClient: (id: number) => (id === awareness.clientID ? member : undefined) }
  const draft = store("")
  const closing = new AbortController()
  const handle = { document: () => board } as unknown as ConferenceHandle
  const presence = openPresence(handle, draft, closing.signal)
  closing.signal.addEventListener("abort", () => awareness.destroy())
  const mine = () => [...presence.doing.get().values()][0]
  return { presence, draft, awareness, mine, close: () => closing.abort() }
}

test("a person is typing until the text is sent or no key is pressed for a while", () => {
  const { draft, mine, close } = open()
  draft.set("h")
  expect(mine()).toMatchObject({ typing: true })
  draft.set("")
  expect(mine()).toBeUndefined()
  draft.set("hello")
  vi.advanceTimersByTime(10_000)
  expect(mine()).toBeUndefined()
  close()
})

test("a person is away when idle or when the page is hidden, until the next movement", () => {
  const { presence, mine, close } = open()
  vi.advanceTimersByTime(5 * 60_000)
  expect(mine()).toMatchObject({ idle: true })
  presence.active()
  expect(mine()).toBeUndefined()
  presence.seen(false)
  expect(mine()).toMatchObject({ idle: true })
  presence.seen(true)
  expect(mine()).toBeUndefined()
  close()
})

test("a raised hand stays up through other changes until it is taken down", () => {
  const { presence, draft, awareness, mine, close } = open()
  presence.raiseHand(true)
  draft.set("x")
  awareness.setLocalState({ ...awareness.getLocalState(), pointer: { x: 1, y: 2, tool: "pointer" } })
  draft.set("")
  expect(mine()).toMatchObject({ hand: true, typing: false })
  presence.raiseHand(false)
  expect(mine()).toBeUndefined()
  close()
})

test.each([null, 7, "hand", undefined])("a peer's %j is nothing that anybody does", (value) => {
  expect(readDoing(value)).toBeNull()
})

test("a peer's state is read field by field", () => {
  expect(readDoing({ typing: "yes", hand: true, extra: {} })).toEqual({ typing: false, idle: false, hand: true })
})
