/** A page whose engine's worker does not start: callers that wait for it get an error. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { FakeWorker } from "./fake-worker.ts"
import { startWorkerThread, WORKER_START_MS_MAX } from "../../src/client/worker-thread.ts"

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal("Worker", FakeWorker)
  vi.stubGlobal("RTCPeerConnection", EventTarget)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function scene() {
  const worker = new FakeWorker()
  const thread = startWorkerThread(() => worker as unknown as Worker)
  const connection = new EngineConnection(thread, () => ({ post: () => undefined, close: () => undefined }))
  return { worker, opened: connection.call("identity.open", { name: "Ada", id: null }) }
}

test("rejects and ends the worker when it does not answer", async () => {
  const { worker, opened } = scene()
  const rejected = expect(opened).rejects.toMatchObject({
    code: "server-unreachable",
    message: expect.stringContaining("keymoot-worker.js"),
  })
  await vi.advanceTimersByTimeAsync(WORKER_START_MS_MAX - 1)
  expect(worker.terminated).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await rejected
  expect(worker.terminated).toBe(true)
})

test("waits for as long as an answer takes when the worker has started", async () => {
  const { worker, opened } = scene()
  worker.says({ type: "ready" })
  await vi.advanceTimersByTimeAsync(10 * WORKER_START_MS_MAX)
  worker.says({ type: "reply", request: 1, ok: true, result: "Ada's identity" })
  expect(await opened).toBe("Ada's identity")
})

test.each([
  ["server-unreachable", "cannot be loaded", ""],
  ["internal", "throws as it loads", "Uncaught ReferenceError: Reflect"],
])("rejects with %s at once when the worker %s", async (code, _, message) => {
  const { worker, opened } = scene()
  worker.fails(message)
  await expect(opened).rejects.toMatchObject({ code })
  expect(vi.getTimerCount()).toBe(0)
})

test("rejects with server-unreachable when the worker lacks its cryptography", async () => {
  const { worker, opened } = scene()
  worker.says({ type: "ready" })
  worker.says({ type: "not-loaded" })
  await expect(opened).rejects.toMatchObject({ code: "server-unreachable" })
  expect(worker.terminated).toBe(true)
})
