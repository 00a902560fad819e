/**
 * `npm run fuzz [-- SECONDS [TARGET…]]`: fuzzes each target for so long, 60 s by default, guided by V8's block coverage.
 * Inputs that reach new blocks are kept in corpus/. Ends with 1 after a finding. `npm run fuzz -- list` names the targets.
 */
import { Random } from "@keymoot/transport/testing"
import { keepInputs, keptInputs } from "./corpus.ts"
import { Coverage } from "./coverage.ts"
import { fuzz } from "./fuzzer.ts"

const [seconds = "60", ...named] = process.argv.slice(2)
const seed = Number(process.env["FUZZ_SEED"] ?? Date.now() % 2 ** 32)
const coverage = new Coverage()
// Loaded after the start, since V8 counts blocks of functions that it compiles from then on.
const { TARGETS } = await import("./targets.ts")
const all = Object.keys(TARGETS)
if (seconds === "list") console.log(all.join("\n"))
for (const name of seconds === "list" ? [] : named.length > 0 ? named : all) {
  const target = TARGETS[name]
  if (!target) throw new Error(`There is no target ${name}: choose of ${all.join(", ")}.`)
  const options = { coverage, random: new Random(seed), forMs: Number(seconds) * 1000 }
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
