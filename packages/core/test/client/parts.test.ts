import { afterEach, expect, test, vi } from "vitest"
import type { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { RETRY_MS } from "../../src/client/documents/document-copy.ts"
import type { ChannelMessage } from "../../src/api/index.ts"
import { Parts, type PartsConfig, UNOPENED_MAX } from "../../src/client/parts.ts"
import { RECEIVED_BYTES_MAX, RECEIVED_MESSAGES_MAX } from "../../src/client/received-messages.ts"
import { joinPayloads } from "../../src/rpc/message-runs.ts"

afterEach(() => void vi.useRealTimers())

const mallory = { id: "ab".repeat(16), self: false } as never

/** Parts of a conference with `sends`, a run of messages of Mallory, and `logs`, one message of a log. */
function partsWithPeers() {
  const config = { conference: "c0".repeat(16), connection: {}, self: { id: "ad".repeat(16) }, incarnation: 1 }
  const parts = new Parts({ ...config, present: { view: { members: [] } } } as unknown as PartsConfig)
  const view = { id: "v".repeat(32), epoch: 1 }
  const viewStart = { view, present: [], newcomers: [], transitional: [], awaited: [] }
  parts.onViewStart({ type: "viewStart", viewStart, peers: [{ id: "ad".repeat(16), incarnation: 1 }] as never })
  const position = { epoch: 1, view: "v" }
  let sequence = 0
  const sends = (channel: string, count = 1): void => {
    const payloads = joinPayloads(Array.from({ length: count }, () => new Uint8Array(0)))
    const times = Array.from({ length: count }, () => 5)
    const said = { channel, from: mallory, batch: "b", index: 0, sentAtMs: times, inOrder: true, requests: [] }
    const run = { type: "messages", ...said, ...position, sequence: sequence++, ...payloads } as const
    parts.onContent({ type: "run", run, messages: [] })
  }
  const logs = (channel: string, id: string, bytes = 0): void => {
    const message = {
      id,
      data: new Uint8Array(bytes),
      position: { ...position, sequence: sequence++ },
    } as ChannelMessage
    parts.onContent({ type: "message", channel, message })
  }
  const read = (channel: string) =>
    parts
      .channel(channel, { history: true })
      .log()
      .getSnapshot()
      .map(({ id }) => id)
  return { parts, sends, logs, read }
}

test("keeps a log's message for a channel opened late when a member begins others", () => {
  const { sends, logs, read } = partsWithPeers()
  for (let i = 0; i < UNOPENED_MAX; i++) sends(`junk ${i}`)
  logs("chat", "a")
  expect(read("chat")).toEqual(["a"])
  logs("chat", "b")
  expect(read("chat")).toEqual(["a", "b"])
})

test("keeps a log's message for a channel opened late when a member floods it", () => {
  const { sends, logs, read } = partsWithPeers()
  sends("chat")
  logs("chat", "a")
  sends("chat", 2 * RECEIVED_MESSAGES_MAX)
  expect(read("chat")).toEqual(["a"])
})

test("keeps what was not erased of more unopened logs than members may begin", () => {
  const { parts, logs, read } = partsWithPeers()
  const names = Array.from({ length: 2 * UNOPENED_MAX }, (_, i) => `room ${i}`)
  for (const name of names) logs(name, `of ${name}`)
  logs(names[0]!, "erased")
  parts.onContent({ type: "erased", channel: names[0]!, messages: ["erased"] })
  expect(names.flatMap(read)).toEqual(names.map((name) => `of ${name}`))
})

test("keeps the last messages when unopened logs get ten times their bound", () => {
  const { logs, read } = partsWithPeers()
  for (let i = 0; i < 10 * RECEIVED_MESSAGES_MAX; i++) logs(`room ${i % 10}`, `${i}`)
  const kept = Array.from({ length: 10 }, (_, i) => read(`room ${i}`)).flat()
  expect(kept).toHaveLength(RECEIVED_MESSAGES_MAX)
  expect(kept.map(Number).every((i) => i >= 9 * RECEIVED_MESSAGES_MAX)).toBe(true)
})

test("keeps the last bytes when unopened logs get ten times their bound", () => {
  const { logs, read } = partsWithPeers()
  const eighth = RECEIVED_BYTES_MAX / 8
  for (let bytes = 0; bytes < 10 * RECEIVED_BYTES_MAX; bytes += eighth) logs("room", `${bytes}`, eighth)
  expect(read("room")).toEqual(Array.from({ length: 8 }, (_, i) => `${9 * RECEIVED_BYTES_MAX + i * eighth}`))
})

test("retries no read when a document is opened after the end", async () => {
  vi.useFakeTimers()
  const call = vi.fn<EngineConnection["call"]>().mockRejectedValue(new Error("closed"))
  const config = { conference: "c0".repeat(16), connection: { call }, self: { id: "ad".repeat(16) }, incarnation: 1 }
  const parts = new Parts({ ...config, present: { view: { members: [] } } } as unknown as PartsConfig)
  parts.close()
  expect(parts.document("board").doc.getMap("elements").toJSON()).toEqual({})
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(call.mock.calls.filter(([name]) => name === "copy.read")).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})
