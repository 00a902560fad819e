import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { isEndedEarly, timeOf } from "../../src/ending/timeOf.ts"

beforeEach(() => void vi.useFakeTimers({ now: new Date(2026, 5, 20, 12) }))
afterEach(() => void vi.useRealTimers())

test("says only the time of day when the end is today", () => {
  expect(timeOf(new Date(2026, 5, 20, 15, 30).getTime(), "de")).toBe("15:30")
})

test("says the date without the year when the end is in this year", () => {
  const said = timeOf(new Date(2026, 6, 1, 15, 30).getTime(), "de")
  expect(said).toContain("Juli")
  expect(said).toContain("15:30")
  expect(said).not.toContain("2026")
})

test("says the year when the end is in another one", () => {
  expect(timeOf(new Date(2027, 0, 1, 15, 30).getTime(), "de")).toContain("2027")
})

test("knows a conference that its creator has ended at once, or again later", () => {
  const ends = [0, 1, 60_000].map((endsAtMs) => isEndedEarly({ opensAtMs: 0, endsAtMs, latestEndMs: 90_000 }))
  expect(ends).toEqual([true, true, false])
})
