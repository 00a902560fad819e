import { expect, test } from "vitest"
import { type NightRow, outputOf, outputsOf, pageOf, rowsOf } from "../night-page.ts"

const first: NightRow = {
  date: "2026-01-01",
  commit: "0123456789ab",
  step: "simulation",
  passed: true,
  minutes: 4.9,
  work: 20_000,
}
const failed: NightRow = { ...first, date: "2026-01-02", passed: false, minutes: 1, work: 10 }
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

test("has no rows when there was no night", () => {
  expect(rowsOf("# The last long run\n\n| step | result | minutes |\n| simulation | passed | 4.9 |")).toEqual([])
})
