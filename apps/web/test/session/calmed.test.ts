import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { POINTER_INTERVAL_MS } from "../../src/board/pointers.ts"
import { calmly } from "../../src/calmly.ts"
import { DRAW_CHAT_MS } from "../../src/session/conversation.ts"
import { calmed, store } from "../../src/store.ts"

const SECONDS = 10

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Asks ten times as often as may be drawn. */
function flood(request: (count: number) => void, restMs: number): void {
  const requests = (10 * SECONDS * 1000) / restMs
  for (let count = 1; count <= requests; count++) {
    request(count)
    vi.advanceTimersByTime(restMs / 10)
  }
}

it("reports a value at once after a pause", () => {
  const source = store(0)
  const shown = calmed(source, DRAW_CHAT_MS)
  source.set(1)
  expect(shown.get()).toBe(1)
  vi.advanceTimersByTime(10 * DRAW_CHAT_MS)
  source.set(2)
  expect(shown.get()).toBe(2)
})

it("reports the last value when values come ten times as often as reports", () => {
  const source = store(0)
  const shown = calmed(source, DRAW_CHAT_MS)
  flood(source.set, DRAW_CHAT_MS)
  vi.advanceTimersByTime(2 * DRAW_CHAT_MS)
  expect(shown.get()).toBe(source.get())
})

it.each([DRAW_CHAT_MS, POINTER_INTERVAL_MS])("draws once in %i ms when asked ten times as often", (restMs) => {
  let drawn = 0
  flood(calmly(() => drawn++, restMs).request, restMs)
  expect(drawn).toBeLessThanOrEqual((SECONDS * 1000) / restMs + 1)
  expect(drawn).toBeGreaterThan((SECONDS * 1000) / restMs / 2)
})

it("leaves three quarters of the time to others when drawing takes long", () => {
  let workedMs = 0
  const drawMs = 4 * POINTER_INTERVAL_MS
  const draw = (): void => {
    workedMs += drawMs
    vi.advanceTimersByTime(drawMs)
  }
  flood(calmly(draw, POINTER_INTERVAL_MS).request, POINTER_INTERVAL_MS)
  // The last run comes in addition.
  expect(workedMs).toBeLessThanOrEqual((SECONDS * 1000 + workedMs) / 4 + drawMs)
})

it("draws nothing more when it was cancelled", () => {
  let drawn = 0
  const { request, cancel } = calmly(() => drawn++, POINTER_INTERVAL_MS)
  request()
  request()
  cancel()
  vi.advanceTimersByTime(10 * POINTER_INTERVAL_MS)
  expect(drawn).toBe(1)
})
