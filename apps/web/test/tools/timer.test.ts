import type { ConferenceHandle } from "@keymoot/core"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { applyUpdate, Doc, encodeStateAsUpdate } from "yjs"
import { openTimer, RING_INTERVAL_MS } from "../../src/tools/timer/openTimer.ts"
import { clockText, leftOf, readTimer, started, TIMER_MS_MAX } from "../../src/tools/timer/timer.ts"

const MINUTE_MS = 60_000
let closing: AbortController

beforeEach(() => {
  closing = new AbortController()
  vi.useFakeTimers()
})
afterEach(() => {
  closing.abort()
  vi.useRealTimers()
})

function pageWith(doc: Doc) {
  const handle = { document: () => ({ doc }) } as unknown as ConferenceHandle
  return openTimer(handle, () => Date.now(), closing.signal)
}
const copyOf = (doc: Doc): Doc => {
  const copy = new Doc()
  applyUpdate(copy, encodeStateAsUpdate(doc))
  return copy
}
const leftAt = (page: ReturnType<typeof pageWith>) => leftOf(page.timer.get()!, Date.now())

it("counts down to one end on each page, also on one that comes later", () => {
  const doc = new Doc()
  const ada = pageWith(doc)
  ada.startTimer(5 * MINUTE_MS)
  vi.advanceTimersByTime(MINUTE_MS)
  const bob = pageWith(copyOf(doc))
  expect([leftAt(ada), leftAt(bob)]).toEqual([4 * MINUTE_MS, 4 * MINUTE_MS])
})

it("keeps the time left while it is paused", () => {
  const page = pageWith(new Doc())
  page.startTimer(5 * MINUTE_MS)
  vi.advanceTimersByTime(MINUTE_MS)
  page.pauseTimer()
  vi.advanceTimersByTime(10 * MINUTE_MS)
  expect([leftAt(page), page.rings.get()]).toEqual([4 * MINUTE_MS, 0])
  page.resumeTimer()
  vi.advanceTimersByTime(4 * MINUTE_MS)
  expect([leftAt(page), page.rings.get()]).toEqual([0, 1])
  page.clearTimer()
  expect(page.timer.get()).toBeNull()
})

it("does not ring on a page that is opened after the end", () => {
  const doc = new Doc()
  const ada = pageWith(doc)
  ada.startTimer(MINUTE_MS)
  vi.advanceTimersByTime(2 * MINUTE_MS)
  const bob = pageWith(copyOf(doc))
  vi.advanceTimersByTime(MINUTE_MS)
  expect([ada.rings.get(), bob.rings.get()]).toEqual([1, 0])
})

it("a member that starts short timers without a pause rings once in each interval", () => {
  const doc = new Doc()
  const page = pageWith(doc)
  const endMs = Date.now() + 10 * RING_INTERVAL_MS
  while (Date.now() < endMs) {
    doc.getMap("timer").set("timer", started(1000, Date.now()))
    vi.advanceTimersByTime(1000)
  }
  expect(page.rings.get()).toBe(10)
})

it("shows no more than the whole length on a page whose clock is slow", () => {
  expect(leftOf(started(MINUTE_MS, 0), -10 * MINUTE_MS)).toBe(MINUTE_MS)
})

it.each([
  { state: "running", lengthMs: 0, endsAtMs: 1 },
  { state: "running", lengthMs: TIMER_MS_MAX + 1, endsAtMs: 1 },
  { state: "running", lengthMs: MINUTE_MS, endsAtMs: Infinity },
  { state: "paused", lengthMs: MINUTE_MS, leftMs: MINUTE_MS + 1 },
  { state: "paused", lengthMs: MINUTE_MS, leftMs: -1 },
  { state: "over", lengthMs: MINUTE_MS },
  "soon",
  null,
])("reads no timer from %j", (value) => {
  expect(readTimer(value)).toBeNull()
})

it("writes hours only where there are some, and 0:00 only at the end", () => {
  expect([0, 1, 59_001, 245_000, 3_600_000].map(clockText)).toEqual(["0:00", "0:01", "1:00", "4:05", "1:00:00"])
})
