import { expect, test } from "vitest"
import type { Figure } from "../src/figure.ts"
import { memory } from "../src/memory.ts"

test("memory: a look at the heap for each part of the time, and what it grew by is the difference of two of them", async () => {
  const figures: Figure[] = []
  for await (const figure of memory(2, 0.02)) figures.push(figure)
  const [grown] = figures.splice(-1)
  expect(figures.length).toBe(12)
  for (const { unit, n, runs, median } of figures) {
    expect([unit, n, runs]).toEqual(["MB", 2, 1])
    expect(median).toBeGreaterThan(1)
  }
  const [first, last] = [figures[2]!.median, figures.at(-1)!.median]
  expect(grown!.metric).toBe("growth after the first quarter")
  expect(grown!.median).toBeCloseTo(last - first, 0)
})
