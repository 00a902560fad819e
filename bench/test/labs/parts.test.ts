import { expect, test } from "vitest"
import { type Figure, figureOf } from "../../src/experiment/figure.ts"
import { withPart, type Result } from "../../src/run/result.ts"
import { wanExperiment } from "../../src/wan/wan-experiment.ts"

const figure = (metric: string, value: number): Figure => figureOf({ experiment: "wan", metric, unit: "ms" }, [value])
const result = (commit: string, figures: readonly Figure[]): Result => ({
  experiment: "wan",
  at: "2026-01-01T00:00:00.000Z",
  commit,
  machine: "one",
  quick: false,
  figures,
})

test("keeps the rest's origin when a part is measured again", () => {
  const whole = result("a", [figure("real: key", 1), figure("simulated: key", 2), figure("simulated: gone", 3)])
  const first = withPart(whole, "simulated", result("b", [figure("simulated: key", 4)]))
  const second = withPart(first, "simulated", result("c", [figure("simulated: key", 5)]))
  expect([second.commit, second.parts!.map(({ part, commit }) => [part, commit])]).toEqual(["a", [["simulated", "c"]]])
  expect(second.figures.map(({ metric, median }) => [metric, median])).toEqual([
    ["simulated: key", 5],
    ["real: key", 1],
  ])
})

test("simulates three sites with own and shared processors when asked for that part", async () => {
  const figures: Figure[] = []
  const options = { part: "simulated", sizes: [3], modules: ["tgdh" as const] }
  for await (const one of wanExperiment.run(options, () => {})) figures.push(one)
  expect(figures.filter(({ metric }) => !metric.startsWith("simulated: "))).toEqual([])
  const keys = figures.filter(({ event, metric }) => event === "partition" && metric.includes("to key"))
  expect(keys.map(({ n, network }) => [n, network])).toEqual([
    [3, "wan"],
    [3, "wan"],
  ])
})
