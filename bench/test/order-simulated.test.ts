import { expect, test } from "vitest"
import type { Figure } from "../src/experiment/figure.ts"
import { SIMULATED_LATENCY, SIMULATED_ROUND, simulatedOrder } from "../src/order/simulated.ts"
import { find } from "../src/experiment/story.ts"
import { expectSound } from "./sound.ts"

test("order, simulated: a message takes one trip; safe and all-to-all take two", async () => {
  const oneWayMs = 300
  const figures: Figure[] = []
  for (const n of [2, 4])
    for await (const figure of simulatedOrder(n, ["lan", `${2 * oneWayMs}`], 2)) figures.push(figure)
  expectSound("order", figures)
  const far = (event: string): Figure => {
    const metric = event === "all to all" ? SIMULATED_ROUND : SIMULATED_LATENCY
    return find(figures, { network: `${2 * oneWayMs}`, event, metric, n: 4 })!
  }
  // No more than these: what is computed between is measured, and takes as long as the machine lets it.
  expect(far("agreed").min).toBeGreaterThan(oneWayMs)
  expect(far("safe").min).toBeGreaterThan(2 * oneWayMs)
  expect(far("all to all").min).toBeGreaterThan(oneWayMs)
  expect(figures.flatMap(({ event, paper }) => (paper === undefined ? [] : [`${event} ${paper}`]))).toEqual([
    "all to all 2",
  ])
})
