import { expect, test } from "vitest"
import type { Figure } from "../src/experiment/figure.ts"
import { BOARD, ENGINE, ENGINE_GROWTH, memory, PAGE, PAGE_GROWTH } from "../src/memory/memory.ts"
import { expectSound } from "./sound.ts"

const LOOKS = 2

test("memory: samples each engine, page and board; growth is the difference of halves", async () => {
  const figures: Figure[] = []
  for await (const figure of memory(2, 0.05, "as fast as they can", LOOKS)) figures.push(figure)
  expectSound("memory", figures)
  const of = (metric: string): Figure[] => figures.filter((figure) => figure.metric === metric)
  for (const [metric, runs] of [
    [ENGINE, 2],
    [PAGE, 1],
    [BOARD, 1],
  ] as const) {
    expect(of(metric).length).toBe(LOOKS)
    for (const figure of of(metric)) expect([figure.unit, figure.n, figure.runs]).toEqual(["MB", 2, runs])
  }
  for (const { min } of of(ENGINE)) expect(min).toBeGreaterThan(1)
  for (const [metric, runs] of [
    [ENGINE_GROWTH, 2],
    [PAGE_GROWTH, 1],
  ] as const)
    expect(of(metric).map((figure) => figure.runs)).toEqual([runs])
})
