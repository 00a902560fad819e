/** An engine that is started before the page asks for one. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { startEngineEarly } from "../../src/early/index.ts"
import { FakeWorker } from "./fake-worker.ts"
import { startWorkerThread, WORKER_START_MS_MAX } from "../../src/client/worker-thread.ts"

let made: FakeWorker[] = []
class NotedWorker extends FakeWorker {
  constructor() {
    super()
    made.push(this)
  }
}

beforeEach(() => {
  made = []
  vi.useFakeTimers()
  vi.stubGlobal("Worker", NotedWorker)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function ask(): Promise<unknown> {
  const connection = new EngineConnection(startWorkerThread(), () => ({
    post: () => undefined,
    close: () => undefined,
  }))
  return connection.call("identity.stored", {})
}

test("serves the first that needs an engine, and only that one", async () => {
  startEngineEarly()
  startEngineEarly()
  expect(made).toHaveLength(1)
  const answer = ask()
  expect(made).toHaveLength(1)
  void ask()
  expect(made).toHaveLength(2)
  made[0]!.says({ type: "ready" }, { type: "reply", request: 1, ok: true, result: "Ada" })
  expect(await answer).toBe("Ada")
})

test("waits for as long as an answer takes when it said before that it runs", async () => {
  startEngineEarly()
  made[0]!.says({ type: "ready" })
  const answer = ask()
  await vi.advanceTimersByTimeAsync(10 * WORKER_START_MS_MAX)
  made[0]!.says({ type: "reply", request: 1, ok: true, result: "Ada" })
  expect(await answer).toBe("Ada")
})

test("starts another when it did not load, so that its user gets the error", async () => {
  startEngineEarly()
  made[0]!.fails("")
  const answer = expect(ask()).rejects.toMatchObject({ code: "server-unreachable" })
  expect(made).toHaveLength(2)
  made[1]!.fails("")
  await answer
})

test("does nothing in a browser without workers", () => {
  vi.stubGlobal("Worker", undefined)
  startEngineEarly()
  expect(made).toHaveLength(0)
})
