import { KeymootError, type Note } from "@keymoot/core"
import { expect, onTestFinished, test, vi } from "vitest"
import type { Pending } from "../../src/session/sending.ts"
import { keepUnsent, RETRY_MS } from "../../src/session/unsent.ts"
import { store } from "../../src/store.ts"

const unavailable = new KeymootError("storage-unavailable", "no database")

function device(kept: string | null = null) {
  const note: Note = {
    read: async () => kept,
    write: async (text) => {
      kept = text
      return true
    },
  }
  return { note, kept: () => kept }
}

async function open(note: Note) {
  const page = {
    draft: store(""),
    replyingTo: store<string | null>(null),
    pending: store<readonly Pending[]>([]),
    interrupted: [] as { text: string }[],
  }
  const closing = new AbortController()
  await keepUnsent(note, page, page.pending, closing.signal, (message) => page.interrupted.push(message))
  return { ...page, close: () => closing.abort() }
}

test("restores typed and unsent text when the page is loaded again", async () => {
  const { note } = device()
  const first = await open(note)
  first.pending.set([{ key: 1, text: "on its way", failed: null, readers: [], sinceMs: 5 }])
  first.draft.set("half a sen")
  first.draft.set("half a sentence")
  await new Promise((turn) => setTimeout(turn))
  first.close()
  const second = await open(note)
  expect(second.draft.get()).toBe("half a sentence")
  expect(second.interrupted).toEqual([{ text: "on its way", sinceMs: 5 }])
})

test("restores which message the typed text answers", async () => {
  const { note } = device()
  const first = await open(note)
  first.draft.set("yes")
  first.replyingTo.set("m1")
  await new Promise((turn) => setTimeout(turn))
  first.close()
  expect((await open(note)).replyingTo.get()).toBe("m1")
})

test("never stores a text as typed and as sent when it is sent", async () => {
  const written: string[] = []
  const page = await open({ read: async () => null, write: async (text) => written.push(text) > 0 })
  page.draft.set("hello")
  await new Promise((turn) => setTimeout(turn))
  page.pending.set([{ key: 1, text: "hello", failed: null, readers: [], sinceMs: 5 }])
  page.draft.set("")
  await new Promise((turn) => setTimeout(turn))
  expect(written.map((text) => text.split("hello").length - 1)).toEqual([1, 1])
})

test("deletes a message when it is delivered", async () => {
  const { note } = device()
  const first = await open(note)
  first.draft.set("hello")
  first.draft.set("")
  await new Promise((turn) => setTimeout(turn))
  expect((await open(note)).draft.get()).toBe("")
})

test("does not overwrite new text when older text is restored", async () => {
  const { note } = device(JSON.stringify({ draft: "old", replyTo: "m1", pending: [] }))
  const typed = { draft: store("new"), replyingTo: store<string | null>(null) }
  await keepUnsent(note, typed, store<readonly Pending[]>([]), new AbortController().signal, () => undefined)
  expect([typed.draft.get(), typed.replyingTo.get()]).toEqual(["new", null])
})

test("keeps the stored draft when the note can't be read at first", async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { note, kept } = device(JSON.stringify({ draft: "half a sentence", pending: [] }))
  let broken = true
  const failing = { ...note, read: () => (broken ? Promise.reject(unavailable) : note.read()) }
  const opening = open(failing)
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  broken = false
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect((await opening).draft.get()).toBe("half a sentence")
  expect(kept()).toContain("half a sentence")
})

test("puts the stored draft before what was typed until it could be read", async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { note } = device(JSON.stringify({ draft: "half a sentence", replyTo: "m1", pending: [] }))
  let broken = true
  const failing = { ...note, read: () => (broken ? Promise.reject(unavailable) : note.read()) }
  const typed = { draft: store(""), replyingTo: store<string | null>(null) }
  const opening = keepUnsent(
    failing,
    typed,
    store<readonly Pending[]>([]),
    new AbortController().signal,
    () => undefined,
  )
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  typed.draft.set("more")
  broken = false
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  await opening
  expect([typed.draft.get(), typed.replyingTo.get()]).toEqual(["half a sentence\nmore", "m1"])
})

test.each([
  ["it stays", "a draft"],
  ["it is deleted meanwhile", ""],
])("stores a draft that the disk had no room for when %s", async (_, left) => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { note, kept } = device()
  let full = true
  const writes: string[] = []
  const page = await open({ ...note, write: async (text) => writes.push(text) > 0 && !full && note.write(text) })
  page.draft.set("a draft")
  await vi.advanceTimersByTimeAsync(0)
  page.draft.set(left)
  full = false
  expect(kept()).toBeNull()
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(JSON.parse(kept()!)).toMatchObject({ draft: left })
  expect(writes).toHaveLength(2)
})

test.each(["{", "[]", '{"draft":1,"replyTo":3,"pending":[2]}', "null"])(
  "a damaged note %s costs nothing else",
  async (text) => {
    const page = await open(device(text).note)
    expect([page.draft.get(), page.replyingTo.get(), page.interrupted]).toEqual(["", null, []])
  },
)
