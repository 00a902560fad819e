import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createKemAgreement, loadKem } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { anySchedule, runSchedule, type Scheduled } from "./schedules.ts"
import { MODULES } from "../modules.ts"

/** How many schedules each module must survive: a number, or `endless` for batches of new ones until one fails. */
const GKE_SCHEDULES = process.env["GKE_SCHEDULES"] ?? "100"
const BATCH = 200

const group = createToyGroup()

const kem = await loadKem()
/** The modules, and the post-quantum agreement that runs beside each of them. */
const AGREEMENTS: readonly { readonly name: string; readonly module: Scheduled }[] = [
  ...MODULES.map(({ name }) => ({ name, module: name })),
  { name: "ml-kem", module: (self) => createKemAgreement(kem, self) },
]

function check({ module }: (typeof AGREEMENTS)[number], numRuns: number): void {
  fc.assert(
    fc.property(anySchedule, (schedule) => runSchedule(group, module, schedule)),
    { numRuns },
  )
}

const claim =
  "whatever comes, goes, splits, heals or reloads at whatever moment, a view has one secret and no two views have the same"

if (GKE_SCHEDULES === "endless") {
  test(`${claim}, without end`, { timeout: 0 }, async () => {
    for (let done = BATCH; ; done += BATCH) {
      for (const each of AGREEMENTS) check(each, BATCH)
      process.stdout.write(`${done} schedules under each of ${AGREEMENTS.map(({ name }) => name).join(", ")}\n`)
      // The runner gets a word in.
      await new Promise((resolve) => setTimeout(resolve))
    }
  })
} else {
  for (const each of AGREEMENTS) {
    test(`${each.name}: ${claim}`, { timeout: 600_000 }, () => {
      const count = Number(GKE_SCHEDULES)
      expect(Number.isSafeInteger(count) && count > 0, "GKE_SCHEDULES is a number or `endless`").toBe(true)
      check(each, count)
    })
  }
}
