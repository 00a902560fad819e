import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { NOT_RUN } from "../command-line.ts"
import { missingCommits } from "../commits/missing-commits.ts"
import { LOST_COMMITS, type NightRow, outputOf, outputsOf, pageOf, resultOf, rowsOf } from "../night-page.ts"

const first: NightRow = {
  date: "2026-01-01",
  commit: "0123456789ab",
  step: "simulation",
  result: "passed",
  minutes: 4.9,
  work: 20_000,
}
const failed: NightRow = { ...first, date: "2026-01-02", result: "FAILED", minutes: 1, work: 10 }
const endurance: NightRow = { ...first, step: "endurance", minutes: 0.6, work: 0.5 }

test("keeps the steps of earlier nights when a night adds its own", () => {
  const page = pageOf([first, endurance], new Map())
  expect(rowsOf(pageOf([...rowsOf(page), failed], new Map()))).toEqual([first, endurance, failed])
})

test("keeps the last output of each step when another step was run", () => {
  const old = new Map([first, endurance].map(({ step }) => [step, outputOf(step, "two cores", `old ${step}`)]))
  const outputs = outputsOf(pageOf([first, endurance], old))
  const page = pageOf(
    [first, endurance, failed],
    outputs.set("simulation", outputOf("simulation", "four cores", "new")),
  )
  expect(page).toContain(
    "### simulation\n\nfour cores\n\n```\nnew\n```\n\n### endurance\n\ntwo cores\n\n```\nold endurance",
  )
  expect(page).not.toContain("old simulation")
})

test("sums the minutes of all runs and the work of those that passed", () => {
  const page = pageOf([first, failed, { ...first, date: "2026-01-03" }, endurance], new Map())
  expect(page).toContain("| simulation | 3 | 1 | 10.8 | 40000 simulated events under each module |")
  expect(page).toContain("| endurance | 1 | 0 | 0.6 | 0.5 minutes of a conference |")
})

test("says of a step without a run that it has not run yet", () => {
  const page = pageOf([first], new Map())
  expect(page).toContain("| browsers | 0 | 0 | 0 | has not run yet |")
  expect(page).not.toContain("| simulation | 0 |")
})

test("counts no run when a program that a step needs is missing", () => {
  const missing: NightRow = { ...first, step: "models", result: resultOf([0, NOT_RUN]), work: 1 }
  const page = pageOf([first, missing], new Map())
  expect(page).toContain("| 2026-01-01 | 0123456789ab | models | not run | 4.9 | 1 |")
  expect(page).toContain("| models | 0 | 0 | 0 | has not run yet |")
  expect(rowsOf(page)).toEqual([first, missing])
})

test("a step has failed when one of its programs has, even if another one is missing", () => {
  expect(resultOf([NOT_RUN, 1, 0])).toBe("FAILED")
  expect(resultOf([0, null])).toBe("FAILED")
  expect(resultOf([0, 0])).toBe("passed")
})

test("has no rows when there was no night", () => {
  expect(rowsOf("# The last long run\n\n| step | result | minutes |\n| simulation | passed | 4.9 |")).toEqual([])
})

const kept = readFileSync(join(import.meta.dirname, "../../docs/night.md"), "utf8")

test("the kept page is as a night would write it", () => {
  expect(pageOf(rowsOf(kept), outputsOf(kept))).toBe(kept)
})

const missing = missingCommits(rowsOf(kept).map(({ commit }) => commit))
if (missing === null) console.log("Skipped: the commits of nights. The history of the repository is not here.")

test.skipIf(missing === null)("the repository has the commits of nights, but for the named ones", () => {
  expect([...new Set(missing)].toSorted()).toEqual(LOST_COMMITS.toSorted())
})
