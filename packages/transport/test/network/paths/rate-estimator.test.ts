import { describe, expect, test } from "vitest"
import { LINK_BYTES_FIRST, LINK_BYTES_MAX, LINK_BYTES_MIN } from "../../../src/bounds/network-bounds.ts"
import { RateEstimator } from "../../../src/network/link/rate-estimator.ts"

/** A link that carries so much in a second and always has more to carry. */
function busy(estimator: RateEstimator, bytesPerSecond: number, forMs: number): void {
  for (let nowMs = 0; nowMs <= forMs; nowMs += 100) {
    estimator.tick(nowMs, 1)
    estimator.acknowledged(bytesPerSecond / 10, 1)
  }
}

test.each([
  [LINK_BYTES_FIRST, false],
  [1.1 * LINK_BYTES_FIRST, true],
])("counts as fast when a link carries more than its first window: %d", (bytesPerSecond, isFast) => {
  const estimator = new RateEstimator()
  busy(estimator, bytesPerSecond, 2_000)
  expect(estimator.isFast).toBe(isFast)
  for (let nowMs = 2_100; nowMs <= 4_000; nowMs += 100) estimator.tick(nowMs, 0)
  expect(estimator.isFast).toBe(false)
})

test("does not count as fast when a slow link has carried one long message", () => {
  const estimator = new RateEstimator()
  for (let nowMs = 0; nowMs < 8_000; nowMs += 100) estimator.tick(nowMs, 200_000)
  estimator.acknowledged(200_000, 200_000)
  for (let nowMs = 8_000; nowMs < 16_000; nowMs += 100) {
    estimator.tick(nowMs, 200_000)
    expect(estimator.isFast).toBe(false)
  }
})

describe("how much may wait on a link", () => {
  test("comes to what a busy link carries in a second, within bounds", () => {
    for (const [rate, bytes] of [
      [200_000, 200_000],
      [1000, LINK_BYTES_MIN],
      [50_000_000, LINK_BYTES_MAX],
    ] as const) {
      const estimator = new RateEstimator()
      busy(estimator, rate, 10_000)
      expect(estimator.bytes).toBeCloseTo(bytes, -4)
    }
  })

  test("grows by a quarter with each acknowledged window, within a second, never at once", () => {
    const estimator = new RateEstimator()
    estimator.tick(0, 0)
    for (let windows = 0; estimator.bytes < LINK_BYTES_MAX; windows++) {
      const { bytes } = estimator
      estimator.acknowledged(bytes, bytes)
      expect(estimator.bytes).toBe(Math.min(LINK_BYTES_MAX, windows === 0 ? bytes : bytes * 1.25))
      expect(windows).toBeLessThan(12)
    }
  })

  test("returns to its initial value where a link runs empty, as little was sent", () => {
    const estimator = new RateEstimator()
    busy(estimator, 80_000, 2000)
    expect(estimator.bytes).toBeLessThan(LINK_BYTES_FIRST)
    for (let nowMs = 3000; nowMs < 10_000; nowMs += 100) estimator.tick(nowMs, 0)
    expect(estimator.bytes).toBe(LINK_BYTES_FIRST)
  })

  test("stays what a fast link has earned while nothing is said", () => {
    const estimator = new RateEstimator()
    busy(estimator, 50_000_000, 1000)
    for (let nowMs = 2000; nowMs < 10_000; nowMs += 100) estimator.tick(nowMs, 0)
    expect(estimator.bytes).toBe(LINK_BYTES_MAX)
  })
})
