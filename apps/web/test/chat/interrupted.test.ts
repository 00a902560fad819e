import type { Channel, ChannelMessage, ConferenceHandle } from "@keymoot/core"
import { expect, it } from "vitest"
import { openSending } from "../../src/session/sending.ts"

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
/** Long before the page is opened again. */
const CLOSED_MS = 1000

/** A page that is opened again: what it was sending, and my messages in the log, with the times of their sending. */
async function reopen(wasSending: readonly [string, number][], inLog: readonly [string, number][] = []) {
  const kept = { draft: "", pending: wasSending.map(([text, sinceMs]) => ({ text, sinceMs })) }
  const note = { read: async () => JSON.stringify(kept), write: async () => true }
  const listeners: ((message: ChannelMessage) => void)[] = []
  const logged = (text: string, sentAtMs: number, self = true) =>
    ({ from: { id: "ada", self }, text, sentAtMs }) as unknown as ChannelMessage
  const chat = {
    on: (_: string, listener: (message: ChannelMessage) => void) => {
      listeners.push(listener)
      for (const [text, sentAtMs] of inLog) listener(logged(text, sentAtMs))
    },
  } as unknown as Channel
  const handle = { note: () => note } as unknown as ConferenceHandle
  const sending = openSending(
    handle,
    chat,
    () => [],
    () => undefined,
    new AbortController().signal,
  )
  await turn()
  return {
    interrupted: () => sending.pending.get().map(({ text }) => text),
    arrive: (text: string, sentAtMs: number, self = true) =>
      listeners.forEach((listener) => listener(logged(text, sentAtMs, self))),
  }
}

it("drops both interrupted messages when the log has them after a reload", async () => {
  const sent: [string, number][] = [
    ["one", CLOSED_MS - 2],
    ["two", CLOSED_MS - 1],
  ]
  const { interrupted } = await reopen(sent, sent)
  expect(interrupted()).toEqual([])
})

it("drops an interrupted message when a member hands it over later", async () => {
  const { interrupted, arrive } = await reopen([["one", CLOSED_MS]])
  expect(interrupted()).toEqual(["one"])
  arrive("one", CLOSED_MS + 1)
  expect(interrupted()).toEqual([])
})

it("keeps one of two equal messages when one was delivered", async () => {
  const { interrupted } = await reopen(
    [
      ["ok", CLOSED_MS - 2],
      ["ok", CLOSED_MS - 1],
    ],
    [["ok", CLOSED_MS]],
  )
  expect(interrupted()).toEqual(["ok"])
})

it.each<[string, number, boolean]>([
  ["was sent before it", CLOSED_MS - 1, true],
  ["was sent after the reload", Number.MAX_SAFE_INTEGER, true],
  ["is of another member", CLOSED_MS + 1, false],
])("keeps an interrupted message when an equal one %s", async (_, sentAtMs, self) => {
  const { interrupted, arrive } = await reopen([["ok", CLOSED_MS]])
  arrive("ok", sentAtMs, self)
  expect(interrupted()).toEqual(["ok"])
})
