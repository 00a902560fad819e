/** The papers' table, against what is counted from outside. All of it: `COST_TABLE=all`, as `npm run test:deep` has it. */
import { expect, test } from "vitest"
import { cost } from "../../src/cost/cost.ts"
import { MODULE_NAMES } from "../../src/experiment/experiment.ts"
import type { Figure } from "../../src/experiment/figure.ts"

const SERIAL_MESSAGES = ["rounds", "unicasts", "multicasts", "signatures", "verifications"]
const UP_TO_EIGHT = [1, 2, 3, 4, 5, 6, 7, 8]
const IS_ALL = process.env["COST_TABLE"] === "all"

/** Members before the event, and how many come or go in it. */
const TABLE: readonly (readonly [sizes: readonly number[], changes: readonly number[]])[] = IS_ALL
  ? [[Array.from({ length: 63 }, (_, i) => i + 2), UP_TO_EIGHT]]
  : [
      [[2, 3, 4, 5, 6, 7, 9], UP_TO_EIGHT],
      [
        [17, 24],
        [1, 8],
      ],
      [[64], [8]],
    ]

function expectNoMoreThanThePapers(one: Figure): void {
  // Everybody verifies each sponsor's message; the papers' h leaves most of theirs out: they have up to 2h.
  const paper =
    one.metric === "verifications" && one.event === "partition" ? Math.max(one.paper!, one.change!) : one.paper!
  expect(one.max, JSON.stringify(one)).toBeLessThanOrEqual(paper)
}

for (const module of MODULE_NAMES.filter((name) => name !== "majority")) {
  test(`${module}: costs no more than the papers for any event of 2 to 64 members`, { timeout: 3_600_000 }, () => {
    let compared = 0
    for (const [sizes, changes] of TABLE) {
      for (const one of cost({ modules: [module], sizes, runs: 1 }, changes)) {
        if (one.paper === undefined || !SERIAL_MESSAGES.includes(one.metric)) continue
        expectNoMoreThanThePapers(one)
        compared++
      }
    }
    // Under CKD the papers have no partition of its own.
    expect(compared).toBeGreaterThan(IS_ALL ? (module === "ckd" ? 3000 : 5000) : 350)
  })
}
