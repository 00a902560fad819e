import { expect, test } from "vitest"
import type { ChannelMessage } from "../../src/api/index.ts"
import { Emitter } from "../../src/client/connection/emitter.ts"
import { ReceivedMessages, RECEIVED_BYTES_MAX, RECEIVED_MESSAGES_MAX } from "../../src/client/received-messages.ts"
import { joinPayloads, type MessageRun } from "../../src/rpc/message-runs.ts"

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

let places = 0
const single = (id: string, bytes = 1, sequence = places++): ChannelMessage =>
  ({ id, data: new Uint8Array(bytes), position: { epoch: 1, view: "v", sequence } }) as ChannelMessage
const numbered = (count: number): Uint8Array[] => Array.from({ length: count }, (_, i) => Uint8Array.of(i, i >> 8))
const ids = (received: ReceivedMessages): string[] => received.all.map(({ id }) => id)

test("single messages and runs are delivered in order, each with its own bytes", () => {
  const received = new ReceivedMessages()
  received.addLogged(single("first"))
  received.addRun(run(numbered(3)))
  received.addLogged(single("last"))
  const { all } = received
  expect(all).toHaveLength(5)
  expect(all.slice(1, 4).map(({ data }) => data)).toEqual(numbered(3))
  expect(new Set(all.map(({ data }) => data.buffer)).size).toBe(5)
  received.erase(new Set(["first"]))
  expect(ids(received)).toHaveLength(4)
  expect(ids(received).at(-1)).toBe("last")
})

test("keeps a number of messages, and drops the oldest first", () => {
  const received = new ReceivedMessages()
  received.addRun(run(numbered(500)))
  for (let i = 0; i < RECEIVED_MESSAGES_MAX - 500; i++) received.addLogged(single(`${i}`))
  expect(received.all).toHaveLength(RECEIVED_MESSAGES_MAX)
  received.addLogged(single("last"))
  expect(ids(received)[0]).toBe("0")
  expect(received.all).toHaveLength(RECEIVED_MESSAGES_MAX - 500 + 1)
})

test("keeps a number of bytes, and drops the oldest first", () => {
  const received = new ReceivedMessages()
  for (const id of ["a", "b", "c"]) received.addLogged(single(id, RECEIVED_BYTES_MAX / 2))
  expect(ids(received)).toEqual(["b", "c"])
})

test("a listener added during an event misses it, and a removed one hears no more", () => {
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

test("drops what comes first in the order when a late message does not fit", () => {
  const received = new ReceivedMessages()
  for (let i = 1; i <= RECEIVED_MESSAGES_MAX; i++) received.addLogged(single(`${i}`, 1, 2 * i))
  received.addLogged(single("too late", 1, 1))
  expect(ids(received)).not.toContain("too late")
  received.addLogged(single("late", 1, 5))
  expect(ids(received).slice(0, 3)).toEqual(["2", "late", "3"])
})

test("keeps a message once when it is transferred again under another place", () => {
  const received = new ReceivedMessages()
  for (const [id, sequence] of [
    ["a", 1],
    ["b", 2],
    ["a", 3],
  ] as const)
    received.addLogged(single(id, 1, sequence))
  expect(ids(received)).toEqual(["a", "b"])
  received.erase(new Set(["a"]))
  received.addLogged(single("a", 1, 3))
  expect(ids(received)).toEqual(["b", "a"])
})

test("orders messages that claim one place by their ids, as every member does", () => {
  const [one, other] = [new ReceivedMessages(), new ReceivedMessages()]
  for (const id of ["a", "b", "c"]) one.addLogged(single(id, 1, 7))
  for (const id of ["c", "a", "b"]) other.addLogged(single(id, 1, 7))
  expect(ids(other)).toEqual(ids(one))
})
