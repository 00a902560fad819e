import { expect, test } from "vitest"
import { CostMeter } from "../../src/queues/cost-meter.ts"

const [ada, mallory] = ["ada", "mallory"] as const
const BUDGET = { perSecond: 100, burst: 200 }

/** Its spending in so many seconds if it always wants more, in steps of 50 ms. */
function spentIn(meter: CostMeter<string>, seconds: number): number {
  let spent = 0
  for (let step = 0; step < seconds * 20; step++) {
    meter.tick(step * 50)
    for (; !meter.isOver(mallory); spent++) meter.spend(mallory, 1)
  }
  return spent
}

test("lets a sender that wants ten times its budget have the burst and the rate", () => {
  expect(spentIn(new CostMeter<string>(BUDGET), 10)).toBeLessThanOrEqual(BUDGET.burst + 10 * BUDGET.perSecond)
})

test("lets a sender have its whole burst at once", () => {
  const meter = new CostMeter<string>(BUDGET)
  for (let i = 0; i < BUDGET.burst; i++) {
    expect(meter.isOver(mallory)).toBe(false)
    meter.spend(mallory, 1)
  }
  expect(meter.isOver(mallory)).toBe(true)
})

test("leaves other senders their budgets when one has spent its own", () => {
  const meter = new CostMeter<string>(BUDGET)
  meter.spend(mallory, BUDGET.burst)
  expect(meter.isOver(ada)).toBe(false)
})

test("tells who is within its budget again", () => {
  const meter = new CostMeter<string>(BUDGET)
  meter.tick(0)
  meter.spend(mallory, BUDGET.burst)
  expect(meter.tick(0)).toEqual([])
  expect(meter.tick(50)).toEqual([mallory])
})

test("delays a sender by a bounded time when one item costs more than all its budget", () => {
  const meter = new CostMeter<string>(BUDGET)
  meter.tick(0)
  meter.spend(mallory, 1000 * BUDGET.burst)
  expect(meter.tick(2_000)).toEqual([mallory])
})
