import { expect, test } from "vitest"
import type { Figure } from "../../src/experiment/figure.ts"
import { cpuExperiment } from "../../src/cpu/cpu-experiment.ts"
import { ALL, BUSIEST, FLUSH } from "../../src/cpu/cpu-metrics.ts"
import {
  COORDINATOR_CRASHES,
  majorityExperiment,
  OTHERS_CRASH,
  TO_KEY_LAST,
  TO_KEY_MEDIAN,
} from "../../src/majority/majority-experiment.ts"
import { majorityCost } from "../../src/cost/majority-cost.ts"
import type { Experiment, Options } from "../../src/experiment/experiment.ts"
import { find } from "../../src/experiment/story.ts"
import { expectSound } from "../sound.ts"

async function run(experiment: Experiment, options: Options): Promise<Figure[]> {
  const figures: Figure[] = []
  for await (const figure of experiment.run(options, () => {})) figures.push(figure)
  return figures
}

test("majority takes no fewer trips than table rounds, and gets a key after crashes", async () => {
  const oneWayMs = 400
  const figures = await run(majorityExperiment, { sizes: [5], network: `${2 * oneWayMs}`, runs: 1 })
  expectSound("majority", figures)
  const counted = await majorityCost([5])
  for (const event of ["all present", "just a majority"]) {
    const rounds = find(counted, { event: `key, ${event}`, metric: "rounds" })!.median
    const last = find(figures, { event, metric: TO_KEY_LAST })!
    // The coordinator's messages to itself take no trip: its estimate and its acknowledgement.
    expect(last.min / oneWayMs, event).toBeGreaterThanOrEqual(rounds - 2)
    expect(last.unit).toBe("ms")
    expect(find(figures, { event, metric: TO_KEY_MEDIAN })!.median).toBeLessThanOrEqual(last.median)
  }
  const last = (event: string): Figure => find(figures, { event, metric: TO_KEY_LAST })!
  expect(last(OTHERS_CRASH).min / oneWayMs).toBeGreaterThan(2)
  // The timeout of the first suspicion.
  expect(last(COORDINATOR_CRASHES).min).toBeGreaterThan(3000)
})

test("counts CPU time of all members above the busiest's, beside the paper's join", async () => {
  const figures = await run(cpuExperiment, { sizes: [15], runs: 2, modules: ["gdh"] })
  expectSound("cpu", figures)
  for (const event of ["join", "leave"]) {
    const [busiest, all, flush] = [BUSIEST, ALL, FLUSH].map((metric) => find(figures, { event, metric })!)
    expect(all!.median).toBeGreaterThan(busiest!.median)
    expect(busiest!.min).toBeGreaterThan(0)
    expect(flush!.min).toBeGreaterThan(0)
  }
  expect(figures.filter(({ paper }) => paper !== undefined)).toMatchObject([{ event: "join", n: 14, paper: 128.5 }])
})
