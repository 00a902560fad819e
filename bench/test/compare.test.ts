import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { compare, compareReport } from "../src/run/compare.ts"
import { figureOf } from "../src/experiment/figure.ts"
import { keep, readResult, resultOf } from "../src/run/result.ts"

const of = (metric: string, ...values: number[]) =>
  figureOf({ experiment: "compute", module: "tgdh", n: 8, metric, unit: "ms" }, values)

test("flags a figure that moved by more than the spread, and no other", () => {
  const comparisons = compare(
    [of("slower", 1, 2, 3), of("faster", 8, 9), of("noisy", 1, 2, 9), of("gone", 1), of("nothing", 0)],
    [of("slower", 4, 5, 6), of("faster", 2, 3), of("noisy", 2, 8, 9), of("new", 1), of("nothing", 3)],
  )
  const moved = (metric: string) => comparisons.compared.find(({ what }) => what.endsWith(metric))
  expect(moved("slower")).toEqual({
    what: "compute: tgdh n=8: slower",
    before: 2,
    after: 5,
    unit: "ms",
    ratio: 2.5,
    moved: true,
  })
  expect(moved("faster")?.moved).toBe(true)
  expect(moved("noisy")).toMatchObject({ ratio: 4, moved: false })
  expect(moved("nothing")).not.toHaveProperty("ratio")
  expect(comparisons.gone).toEqual(["compute: tgdh n=8: gone"])
  expect(comparisons.added).toEqual(["compute: tgdh n=8: new"])
  const report = compareReport(comparisons)
  expect(report).toMatch(/^MOVED .*nothing\nMOVED .*×0\.29 .*faster\nMOVED .*×2\.50 .*slower\n .*noisy\n/u)
  expect(report).toContain("4 figures compared, 3 moved")
})

test("stored results are read back with machine and commit, without the owner's names", () => {
  const directory = mkdtempSync(join(tmpdir(), "keymoot-results-"))
  try {
    const result = resultOf("compute", true, [of("one", 1, 2), of("two", 3)])
    const path = keep(directory, result)
    expect(readResult(path)).toEqual(result)
    expect(result.commit).toMatch(/^([0-9a-f]{12}\+?|unknown)$/u)
    expect(result.machine).toMatch(/, \d+ cores, \d+ GB, /u)
    expect(result.machine).not.toContain("/")
    writeFileSync(path, "{}")
    expect(() => readResult(path)).toThrow("compute.json holds no results")
  } finally {
    rmSync(directory, { recursive: true })
  }
})
