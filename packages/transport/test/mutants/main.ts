/**
 * npm run mutants: breaks one rule at a time in a copy. The simulation, or the test that shows the rule, must find it.
 * Exits with 1 if a mutant survives.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { SCHEDULES } from "../simulation/schedules.ts"
import { findByTest, inCopy, judgeAll, type Outcome, type Source, told } from "./judge.ts"
import type { Mutant } from "./mutant.ts"
import { mutants } from "./mutants.ts"

const SOURCE: Source = {
  package: fileURLToPath(new URL("../..", import.meta.url)),
  folders: ["src", "test/mutants", "test/simulation", "test/group", "test/liveness", "test/network", "test/overlay"],
}

/** The first detection and its place; null if there is none. */
async function findBySchedules({ name }: Mutant, copy: string, schedules: number): Promise<string | null> {
  const suite = join(copy, "test/mutants/suite.ts")
  const output = await told(name, ["--conditions=keymoot-source", suite, "1", String(schedules)], [0])
  const [by = "", where = ""] = output.split("\n")
  return by === "survives" ? null : `${by.slice(0, 100)} (${where})`
}

function judgeMutant(mutant: Mutant, schedules = SCHEDULES): Promise<Outcome> {
  const { test } = mutant
  return inCopy(SOURCE, mutant, (copy) =>
    test ? findByTest(mutant, copy, test) : findBySchedules(mutant, copy, schedules),
  )
}

/** A suite that fails by itself kills every mutant. */
async function checkUnbroken(): Promise<void> {
  const tests = new Set(mutants.map(({ test }) => test))
  for (const test of tests) {
    const { killed, by } = await judgeMutant({ name: "unbroken", edits: [], ...(test ? { test } : {}) }, 200)
    if (killed) throw new Error(`the suite fails without any mutant: ${by}`)
  }
}
await checkUnbroken()

const chosen = process.argv.slice(2)
console.log(
  `Each is looked for in up to ${SCHEDULES} schedules, or by its test. npm run mutants:call and mutants:keys break others.`,
)
const all = mutants.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
if (!(await judgeAll(all, (mutant) => judgeMutant(mutant)))) process.exitCode = 1
