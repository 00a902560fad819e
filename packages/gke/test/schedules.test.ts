import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createToyGroup } from "@keymoot/gke/testing"
import { anySchedule, runSchedule } from "./schedules.ts"
import { MODULES } from "./modules.ts"

/** How many schedules each module must survive: a number, or `endless` for batches of new ones until one fails. */
const GKE_SCHEDULES = process.env["GKE_SCHEDULES"] ?? "800"
const BATCH = 200

const group = createToyGroup()

function check(module: (typeof MODULES)[number], numRuns: number): void {
  fc.assert(
    fc.property(anySchedule, (schedule) => runSchedule(group, module.name, schedule)),
    { numRuns },
  )
}

const claim =
  "whatever comes, goes, splits, heals or reloads at whatever moment, a view has one secret and no two views have the same"

if (GKE_SCHEDULES === "endless") {
  test(`${claim}, without end`, { timeout: 0 }, async () => {
    for (let done = BATCH; ; done += BATCH) {
      for (const module of MODULES) check(module, BATCH)
      process.stdout.write(`${done} schedules under each of ${MODULES.map(({ name }) => name).join(", ")}\n`)
      // The runner gets a word in.
      await new Promise((resolve) => setTimeout(resolve))
    }
  })
} else {
  for (const module of MODULES) {
    test(`${module.name}: ${claim}`, { timeout: 600_000 }, () => {
      const count = Number(GKE_SCHEDULES)
      expect(Number.isSafeInteger(count) && count > 0, "GKE_SCHEDULES is a number or `endless`").toBe(true)
      check(module, count)
    })
  }
}
