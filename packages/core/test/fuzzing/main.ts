/**
 * `npm run fuzz [-- SECONDS [TARGET…]]`: fuzzes each target for so long, 60 s by default, guided by V8's block coverage.
 * Inputs that reach new blocks are kept in corpus/. Ends with 1 after a finding. `npm run fuzz -- list` names the targets.
 */
import { parseArgs } from "node:util"
import { fromCommandLine, positive } from "@keymoot/tools"
import { Random } from "@keymoot/transport/testing"
import { keepInputs, keptInputs } from "./corpus.ts"
import { Coverage } from "./coverage.ts"
import { fuzz } from "./fuzzer.ts"

const USAGE = "npm run fuzz -- [SECONDS [TARGET…]], or list"
const { forMs, named } = fromCommandLine(USAGE, () => {
  const [seconds = "60", ...named] = parseArgs({ allowPositionals: true }).positionals
  return { forMs: seconds === "list" ? 0 : positive("SECONDS", seconds) * 1000, named }
})
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 32)
const coverage = new Coverage()
// Loaded after the start, since V8 counts blocks of functions that it compiles from then on.
const { TARGETS } = await import("./targets.ts")
const all = Object.keys(TARGETS)
const chosen = fromCommandLine(USAGE, () => {
  const unknown = named.filter((name) => !all.includes(name))
  if (unknown.length > 0) throw new Error(`There is no target ${unknown.join(", ")}: choose of ${all.join(", ")}.`)
  return named.length > 0 ? named : all
})
if (forMs === 0) console.log(all.join("\n"))
for (const name of forMs === 0 ? [] : chosen) {
  const target = TARGETS[name]!
  const options = { coverage, random: new Random(seed), forMs }
  const { runs, reached, findings, kept, replaced } = await fuzz(target, keptInputs(name), options)
  await target.end?.()
  keepInputs(name, kept)
  const full = replaced > 0 ? ` (full, ${replaced} replaced)` : ""
  console.log(`${name}: ${runs} runs, ${reached} characters reached, ${kept.length} inputs kept${full}, seed ${seed}`)
  for (const { input, error } of findings) {
    console.log(`FINDING in ${name}: ${error}\n  input ${input}`)
    process.exitCode = 1
  }
}
coverage.end()
