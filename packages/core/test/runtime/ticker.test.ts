import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { REST_MS, TICK_MS, Ticker } from "../../src/runtime/ticker.ts"

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }))
afterEach(() => void vi.useRealTimers())

/** A ticker whose layers need the next tick after `restMs`. */
function started(restMs: () => number): { ticker: Ticker; ticks: number[] } {
  const ticks: number[] = []
  const ticker = new Ticker((nowMs) => {
    ticks.push(nowMs)
    return nowMs + restMs()
  })
  ticker.start()
  return { ticker, ticks }
}

test("keeps the former rate when a layer needs every tick", () => {
  const { ticks } = started(() => -Infinity)
  vi.advanceTimersByTime(20 * TICK_MS)
  expect(ticks).toHaveLength(21)
})

test("ticks by itself when no layer names a deadline", () => {
  const { ticks } = started(() => Infinity)
  vi.advanceTimersByTime(TICK_MS + 10 * REST_MS)
  expect(ticks.length).toBeGreaterThanOrEqual(11)
})

test("meets a deadline within the former interval when a layer rests", () => {
  const { ticks } = started(() => 130)
  vi.advanceTimersByTime(2000)
  const late = ticks.slice(2).map((nowMs, i) => nowMs - ticks[i + 1]! - 130)
  expect(late.every((ms) => ms >= 0 && ms <= TICK_MS)).toBe(true)
})

test("runs an omitted tick before an input, and another one after it", () => {
  const { ticker, ticks } = started(() => Infinity)
  vi.advanceTimersByTime(3.4 * TICK_MS)
  const before = ticks.length
  ticker.rouse()
  expect(ticks.slice(before)).toEqual([3 * TICK_MS])
  vi.advanceTimersByTime(TICK_MS)
  expect(ticks.at(-1)).toBe(4 * TICK_MS)
})

test("ticks no more often when many inputs come at once", () => {
  const { ticker, ticks } = started(() => Infinity)
  for (let i = 0; i < 100; i++) {
    vi.advanceTimersByTime(TICK_MS / 10)
    ticker.rouse()
  }
  expect(ticks.length).toBeLessThanOrEqual(12)
})

test("ticks no more when it was stopped during a tick", () => {
  const ticker: Ticker = new Ticker(() => {
    ticker.stop()
    return -Infinity
  })
  ticker.start()
  expect(vi.getTimerCount()).toBe(0)
})

test("arms no timer in the past when a tick takes longer than its interval", () => {
  const delays = vi.spyOn(globalThis, "setTimeout")
  const ticker = new Ticker(() => {
    vi.advanceTimersByTime(2 * TICK_MS)
    return -Infinity
  })
  ticker.start()
  expect(delays.mock.calls.map(([, ms]) => ms)).toEqual([0])
})
