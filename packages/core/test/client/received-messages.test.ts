import { expect, test } from "vitest"
import type { ChannelMessage } from "../../src/api.ts"
import { Emitter } from "../../src/client/emitter.ts"
import { ReceivedMessages, REPLAY_BYTES_MAX, REPLAY_MESSAGES_MAX } from "../../src/client/received-messages.ts"
import { joinPayloads, type MessageRun } from "../../src/engine/message-runs.ts"

let batches = 0

function run(payloads: readonly Uint8Array[]): MessageRun {
  return {
    type: "messages",
    channel: "chat",
    from: { id: "a" } as never,
    batch: `batch ${batches++}`,
    index: 0,
    sentAtMs: payloads.map(() => 5),
    epoch: 1,
    view: "v",
    sequence: 1,
    inOrder: true,
    requests: payloads.map(() => null),
    ...joinPayloads(payloads),
  }
}

const single = (id: string, bytes = 1): ChannelMessage => ({ id, data: new Uint8Array(bytes) }) as ChannelMessage
const numbered = (count: number): Uint8Array[] => Array.from({ length: count }, (_, i) => Uint8Array.of(i, i >> 8))
const ids = (received: ReceivedMessages): string[] => received.all.map(({ id }) => id)

test("what came in runs and what came alone is given in its order, each message with its own bytes", () => {
  const received = new ReceivedMessages()
  received.add(single("first"))
  received.add(run(numbered(3)))
  received.add(single("last"))
  const { all } = received
  expect(all).toHaveLength(5)
  expect(all.slice(1, 4).map(({ data }) => data)).toEqual(numbered(3))
  expect(new Set(all.map(({ data }) => data.buffer)).size).toBe(5)
  received.erase(new Set(["first"]))
  expect(ids(received)).toHaveLength(4)
  expect(ids(received).at(-1)).toBe("last")
})

test("so many are kept, and the oldest go first", () => {
  const received = new ReceivedMessages()
  received.add(run(numbered(500)))
  for (let i = 0; i < REPLAY_MESSAGES_MAX - 500; i++) received.add(single(`${i}`))
  expect(received.all).toHaveLength(REPLAY_MESSAGES_MAX)
  received.add(single("last"))
  expect(ids(received)[0]).toBe("0")
  expect(received.all).toHaveLength(REPLAY_MESSAGES_MAX - 500 + 1)
})

test("so many bytes are kept, and the oldest go first", () => {
  const received = new ReceivedMessages()
  for (const id of ["a", "b", "c"]) received.add(single(id, REPLAY_BYTES_MAX / 2))
  expect(ids(received)).toEqual(["b", "c"])
})

test("a listener that one of several events adds hears none of them, and one that is taken away hears no more", () => {
  type Events = { number: (value: number) => void }
  const emitter = new Emitter<Events>()
  const heard: string[] = []
  const off = emitter.on("number", (value) => {
    heard.push(`first ${value}`)
    if (value === 1) emitter.on("number", (later) => void heard.push(`later ${later}`))
    if (value === 2) off()
  })
  emitter.emitAll("number", [[1], [2], [3]])
  expect(heard).toEqual(["first 1", "first 2"])
  emitter.emit("number", 4)
  expect(heard.at(-1)).toBe("later 4")
})
