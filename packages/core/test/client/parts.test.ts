import { afterEach, expect, test, vi } from "vitest"
import type { EngineConnection } from "../../src/client/connection/engine-connection.ts"
import { RETRY_MS } from "../../src/client/documents/document-copy.ts"
import { Parts, type PartsConfig } from "../../src/client/parts.ts"

afterEach(() => void vi.useRealTimers())

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
