import { expect, test } from "vitest"
import { discoveryExperiment } from "../src/discovery-experiment.ts"
import type { Figure } from "../src/figure.ts"
import { expectSound } from "./sound.ts"

test("discovery: gives virtual time for each event; silence is noticed after arrival", () => {
  const figures = [...(discoveryExperiment.run({ sizes: [30], runs: 2 }, () => {}) as Iterable<Figure>)]
  expectSound("discovery", figures)
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
