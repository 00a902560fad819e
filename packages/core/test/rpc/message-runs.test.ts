/** Messages between an application's thread and the engine, without either: a thread that records them. */
import type { MemberId } from "@keymoot/transport"
import type { Host } from "@keymoot/transport/host"
import { expect, test } from "vitest"
import type { ChannelMessage } from "../../src/api/index.ts"
import { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { transferables } from "../../src/rpc/worker-protocol.ts"
import { MessageKind } from "../../src/multicast/message-kind.ts"
import { joinPayloads, payloadsOf, type MessageRun, type Sent, type SentRun } from "../../src/rpc/message-runs.ts"
import type { FromEngine, ToEngine } from "../../src/rpc/protocol.ts"

const chat: Sent = { id: "conference", channel: "chat", kind: MessageKind.message, service: "agreed" }
const host: Host = { post: () => undefined, close: () => undefined }

function connect() {
  const posts: (readonly ToEngine[])[] = []
  let tell: (messages: readonly FromEngine[]) => void = () => undefined
  const connection = new EngineConnection(
    {
      post: (messages) => void posts.push(messages),
      listen: (onMessages) => (tell = onMessages),
      close: () => undefined,
    },
    () => host,
  )
  const send = (payload: Uint8Array, sent: Sent = chat, signal?: AbortSignal) =>
    connection.call("conference.send", { ...sent, payload }, signal)
  return { connection, posts, send, tell: (...messages: FromEngine[]) => tell(messages) }
}

/** All that one turn has posted. */
async function turn(posts: readonly (readonly ToEngine[])[]): Promise<SentRun[]> {
  await new Promise((done) => setTimeout(done))
  return posts.flat().filter((message) => message.type === "send")
}

const numbered = (count: number): Uint8Array[] => Array.from({ length: count }, (_, i) => Uint8Array.of(i, i + 1))

test("keeps the readers of each call when the caller uses its array again", async () => {
  const { posts, send } = connect()
  const [bob, eve] = ["b", "e"].map((digit) => digit.repeat(32)) as [MemberId, MemberId]
  const readers = [bob]
  for (const payload of numbered(2)) void send(payload, { ...chat, readers })
  readers[0] = eve
  void send(Uint8Array.of(9), { ...chat, readers: [...readers] })
  const runs = await turn(posts)
  expect(runs.map((run) => [run.readers, run.lengths.length])).toEqual([
    [[bob], 2],
    [[eve], 1],
  ])
})

test("sends the messages of one turn as one, in a transferred buffer", async () => {
  const { posts, send } = connect()
  const mine = numbered(100)
  for (const payload of mine) void send(payload)
  const runs = await turn(posts)
  expect(posts).toHaveLength(1)
  expect(runs).toHaveLength(1)
  expect(payloadsOf(runs[0]!)).toEqual(mine)
  expect(transferables(posts[0]!)).toEqual([runs[0]!.bytes.buffer])
  // The application's own bytes stay with it.
  for (const payload of mine) expect(payload.buffer).not.toBe(runs[0]!.bytes.buffer)
})

test("a part of a large buffer crosses alone", async () => {
  const { posts, send } = connect()
  void send(new Uint8Array(1_000_000).fill(7).subarray(10, 13))
  const [run] = await turn(posts)
  expect(run!.bytes).toEqual(Uint8Array.of(7, 7, 7))
  expect(run!.bytes.buffer.byteLength).toBe(3)
})

test("keeps a sent message unchanged when its bytes are written to again", async () => {
  const { posts, send } = connect()
  const payload = new Uint8Array(2)
  for (let i = 0; i < 100; i++) {
    payload.set([i, i + 1])
    void send(payload)
  }
  payload.fill(0)
  const [run] = await turn(posts)
  expect(payloadsOf(run!)).toEqual(numbered(100))
})

test("a message to another target or of another kind begins a new run, in order", async () => {
  const { connection, posts, send } = connect()
  const payload = Uint8Array.of(1)
  void send(payload)
  void send(payload, { ...chat, channel: "other" })
  void send(payload, { ...chat, service: "safe" })
  void connection.call("identity.list", {})
  void send(payload, { ...chat, service: "safe" })
  void send(payload, { ...chat, service: "safe" })
  await turn(posts)
  const crossed = posts.flat().map((message) => {
    return message.type === "send"
      ? [message.channel, message.service, message.first, message.lengths.length]
      : message.type
  })
  expect(crossed).toEqual([
    ["chat", "agreed", 1, 1],
    ["other", "agreed", 2, 1],
    ["chat", "safe", 3, 1],
    "request",
    ["chat", "safe", 5, 2],
  ])
})

test("a run is bounded in messages and in bytes, and a large message is one alone", async () => {
  const { posts, send } = connect()
  for (let i = 0; i < 600; i++) void send(Uint8Array.of(1))
  for (let i = 0; i < 3; i++) void send(new Uint8Array(100 * 1024))
  void send(new Uint8Array(1024 * 1024))
  const runs = await turn(posts)
  expect(runs.map(({ lengths }) => lengths.length)).toEqual([512, 90, 1, 1])
  expect(runs.map(({ bytes }) => bytes.length)).toEqual([512, 88 + 200 * 1024, 100 * 1024, 1024 * 1024])
})

test("answers the sender with its message when it is delivered, not before", async () => {
  const { connection, posts, send, tell } = connect()
  const told: ChannelMessage[] = []
  connection.listen(chat.id, (event) => void (event.type === "run" && told.push(...event.messages)))
  const answers = [send(Uint8Array.of(65)), send(Uint8Array.of(66))]
  const [sent] = await turn(posts)
  const run: MessageRun = {
    type: "messages",
    channel: "chat",
    from: { id: "a" } as never,
    batch: "b",
    index: 3,
    sentAtMs: [5, 6],
    epoch: 1,
    view: "v",
    sequence: 9,
    inOrder: true,
    requests: [sent!.first, sent!.first + 1],
    ...joinPayloads([Uint8Array.of(65), Uint8Array.of(66)]),
  }
  tell({ type: "event", id: chat.id, event: run })
  expect(await Promise.all(answers)).toEqual(told)
  expect(told).toEqual(
    [
      { id: "b/3", text: "A", sentAtMs: 5, position: { epoch: 1, view: "v", sequence: 9 } },
      { id: "b/4", text: "B", sentAtMs: 6, position: { epoch: 1, view: "v", sequence: 10 } },
    ].map((each, i) => ({ ...each, from: { id: "a" }, data: Uint8Array.of(65 + i), transferred: null })),
  )
  // As an application may pass it on.
  expect(structuredClone({ ...told[0]! })).toMatchObject({ text: "A" })
})

test("cancels one message of a run alone", async () => {
  const { posts, send, tell } = connect()
  const off = new AbortController()
  const answers = [send(Uint8Array.of(1)), send(Uint8Array.of(2), chat, off.signal)]
  off.abort()
  await turn(posts)
  expect(posts.flat().at(-1)).toEqual({ type: "abort", request: 2 })
  tell({ type: "reply", request: 2, ok: false, code: "aborted", message: "", opensAtMs: null })
  await expect(answers[1]).rejects.toMatchObject({ code: "aborted" })
  tell({ type: "reply", request: 1, ok: true, result: null })
  await expect(answers[0]).resolves.toBeNull()
})

test("transfers frames to the other thread, and copies those with a shared buffer", () => {
  const [whole, part] = [new Uint8Array(5), new Uint8Array(5).subarray(1)]
  const frames = [whole, part]
  const connectionId = 1 as never
  const event: ToEngine = {
    type: "host",
    event: { type: "peer-frames", connectionId, reliability: "reliable", frames },
  }
  const command: FromEngine = {
    type: "host",
    command: { type: "peer-send", connectionId, reliability: "reliable", frames },
  }
  expect(transferables([event])).toEqual([whole.buffer])
  expect(transferables([command])).toEqual([whole.buffer])
})
