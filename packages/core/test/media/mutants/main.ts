/**
 * npm run mutants:call: breaks one rule of calls at a time in a copy. The unit test that shows the rule must fail then.
 * Names after `--` choose some. Exits with 1 if a mutant survives.
 */
import { fileURLToPath } from "node:url"
import { findByTest, inCopy, judgeAll, type Source } from "../../../../transport/test/mutants/judge.ts"
import type { MediaMutant } from "./mutant.ts"
import { mediaMutants } from "./mutants.ts"

const SOURCE: Source = {
  package: fileURLToPath(new URL("../../..", import.meta.url)),
  folders: ["src", "test/media", "test/driver"],
}

const judge = (mutant: MediaMutant) => inCopy(SOURCE, mutant, (copy) => findByTest(mutant, copy, mutant.test))

const chosen = process.argv.slice(2)
const all = mediaMutants.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
// A test that fails by itself kills every mutant.
for (const test of new Set(all.map((mutant) => mutant.test))) {
  const { killed, by } = await judge({ name: "unbroken", edits: [], test })
  if (killed) throw new Error(`the test fails without any mutant: ${by}`)
}
if (!(await judgeAll(all, judge))) process.exitCode = 1
