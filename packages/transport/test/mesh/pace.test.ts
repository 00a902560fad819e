import { describe, expect, test } from "vitest"
import { LINK_BYTES_FIRST, LINK_BYTES_MAX, LINK_BYTES_MIN } from "../../src/mesh/bounds.ts"
import { Pace } from "../../src/mesh/pace.ts"

/** A link that carries so much in a second and always has more to carry. */
function busy(pace: Pace, bytesPerSecond: number, forMs: number): void {
  for (let nowMs = 0; nowMs <= forMs; nowMs += 100) {
    pace.tick(nowMs, 1)
    pace.acknowledged(bytesPerSecond / 10, 1)
  }
}

describe("how much may wait on a link", () => {
  test("comes to what a busy link carries in a second, within bounds", () => {
    for (const [rate, bytes] of [
      [200_000, 200_000],
      [1000, LINK_BYTES_MIN],
      [50_000_000, LINK_BYTES_MAX],
    ] as const) {
      const pace = new Pace()
      busy(pace, rate, 10_000)
      expect(pace.bytes).toBeCloseTo(bytes, -4)
    }
  })

  test("grows by a quarter with each window that is acknowledged, long before a second is over, and never at once", () => {
    const pace = new Pace()
    pace.tick(0, 0)
    for (let windows = 0; pace.bytes < LINK_BYTES_MAX; windows++) {
      const { bytes } = pace
      pace.acknowledged(bytes, bytes)
      expect(pace.bytes).toBe(Math.min(LINK_BYTES_MAX, windows === 0 ? bytes : bytes * 1.25))
      expect(windows).toBeLessThan(12)
    }
  })

  test("comes back to its beginning where a link runs empty, for little was acknowledged because little was sent", () => {
    const pace = new Pace()
    busy(pace, 80_000, 2000)
    expect(pace.bytes).toBeLessThan(LINK_BYTES_FIRST)
    for (let nowMs = 3000; nowMs < 10_000; nowMs += 100) pace.tick(nowMs, 0)
    expect(pace.bytes).toBe(LINK_BYTES_FIRST)
  })

  test("stays what a fast link has earned while nothing is said", () => {
    const pace = new Pace()
    busy(pace, 50_000_000, 1000)
    for (let nowMs = 2000; nowMs < 10_000; nowMs += 100) pace.tick(nowMs, 0)
    expect(pace.bytes).toBe(LINK_BYTES_MAX)
  })
})
