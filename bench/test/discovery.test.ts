import { expect, test } from "vitest"
import { discoveryExperiment } from "../src/discovery/discovery-experiment.ts"
import { SWEEPS, sweep, UNDER_CHURN } from "../src/discovery/sweep.ts"
import type { Figure } from "../src/experiment/figure.ts"
import { expectSound } from "./sound.ts"

test("discovery: gives virtual time for each event; silence is noticed after arrival", () => {
  const all = [...(discoveryExperiment.run({ sizes: [30], runs: 2, quick: true }, () => {}) as Iterable<Figure>)]
  expectSound("discovery", all)
  const figures = all.filter(({ module }) => module === undefined)
  expect(figures.map(({ event }) => event)).toEqual([
    "all come at once",
    "one joins",
    "cut in two",
    "healed",
    "30 % crash",
  ])
  expect(new Set(figures.map(({ unit, runs }) => `${unit} ${runs}`))).toEqual(new Set(["virtual ms 2"]))
  const of = (event: string): number => figures.find((figure) => figure.event === event)!.median
  expect(of("30 % crash")).toBeGreaterThan(2000)
  expect(Math.max(...figures.map(({ max }) => max))).toBeLessThan(10_000)
})

test("discovery: settles after churn, later where silence is tolerated longer", () => {
  const figures = [...sweep(30, 1, 2, true)]
  const of = (event: string): Figure => figures.find((one) => one.event === event && one.metric === UNDER_CHURN)!
  const values = SWEEPS.flatMap(({ name, quick }) => quick.map((value) => `${name} ${value}`))
  expect(values.filter((value) => of(value) === undefined)).toEqual([])
  const silence = "tolerated silence and heartbeats, as a multiple"
  expect(of(`${silence} 4`).min).toBeGreaterThan(2 * of(`${silence} 1`).max)
  expect(new Set(figures.flatMap(({ paper }) => paper ?? []))).toEqual(new Set([35_000]))
})
