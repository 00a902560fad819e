/** Checks that apply to every figure. `sound.test.ts` ensures that a test of each experiment makes them. */
import { expect } from "vitest"
import type { Figure } from "../src/experiment/figure.ts"

/** As bench/README.md has them. */
const UNITS = ["ms", "virtual ms", "count", "bytes", "ratio", "per second", "MB", "MB/s", "%"]
/** Differences between heaps, which garbage collection can turn negative. All other figures are positive. */
const MAY_BE_NEGATIVE = /^(?:growth |what a page holds more than |heap of a copy of the board)/u
/** Counted in ticks of ten milliseconds, of which a short run may use none. Others need losses, or more than one machine. */
const MAY_BE_NONE = /^(?:processor, |sound concealed|packets lost|round trip of the network|wait of a packet)/u

export function expectSound(experiment: string, figures: readonly Figure[]): void {
  expect(figures.length, experiment).toBeGreaterThan(0)
  const names = new Set<string>()
  for (const { metric, module, event, n, change, network, ...figure } of figures) {
    const name = [module, event, n, change, network, metric].join(", ")
    expect(names, "each figure is there once").not.toContain(name)
    names.add(name)
    expect([figure.experiment, UNITS.includes(figure.unit)], `${name}: ${figure.unit}`).toEqual([experiment, true])
    expect(figure.runs, name).toBeGreaterThanOrEqual(1)
    const { min, median, p95, max } = figure
    expect(min <= median && median <= max && p95 <= max && min <= p95, name).toBe(true)
    // Counts may be zero.
    if (figure.unit === "count" || figure.unit === "bytes" || MAY_BE_NONE.test(metric))
      expect(min, name).toBeGreaterThanOrEqual(0)
    else if (!MAY_BE_NEGATIVE.test(metric)) expect(min, name).toBeGreaterThan(0)
  }
}
