import { expect, test } from "vitest"
import { KeymootError } from "../../src/api/index.ts"
import { EngineConnection, type EngineThread } from "../../src/client/connection/engine-connection.ts"
import type { ToEngine } from "../../src/rpc/protocol.ts"

/** A connection whose messages are cloned, as on their way to a worker. */
function scene() {
  const posted: ToEngine[] = []
  const post = (messages: readonly ToEngine[]): void => void posted.push(...structuredClone(messages))
  let fail: (error: KeymootError) => void = () => undefined
  const listen: EngineThread["listen"] = (_, onError) => void (fail = onError)
  const thread = { post, listen, close: () => undefined }
  const connection = new EngineConnection(thread, () => ({ post: () => undefined, close: () => undefined }))
  return { posted, connection, fail }
}

test("rejects only the call of a turn whose argument cannot be cloned", async () => {
  const { posted, connection } = scene()
  // Such as a reactive state of Vue or Svelte.
  const documents = new Proxy([], {})
  const wrong = connection.call("conference.evidence", { id: "c0", documents })
  void connection.call("conference.refreshKey", { id: "c0" })
  await expect(wrong).rejects.toMatchObject({ code: "invalid-argument" })
  expect(posted).toMatchObject([{ type: "request", call: "conference.refreshKey" }])
})

test.each([
  ["left", "the identity is closed", ({ connection }: ReturnType<typeof scene>) => connection.close()],
  [
    "engine-failed",
    "the engine stops by itself",
    ({ fail }: ReturnType<typeof scene>) => fail(new KeymootError("internal", "The engine stopped.")),
  ],
])("ends its conferences with %s when %s", (reason, _, end) => {
  const opened = scene()
  const events: unknown[] = []
  opened.connection.listen("c0", (event) => events.push(event))
  end(opened)
  expect(events).toEqual([{ type: "closed", reason }])
})

test("sends to readers in an array that cannot be cloned", async () => {
  const { posted, connection } = scene()
  const readers = new Proxy(["a".repeat(32)], {}) as never
  const sent = { id: "c0", channel: "chat", kind: 1, payload: new Uint8Array(1), service: "agreed", readers } as const
  void connection.call("conference.send", sent as never)
  await Promise.resolve()
  await expect.poll(() => posted).toMatchObject([{ type: "send", readers: ["a".repeat(32)] }])
})
