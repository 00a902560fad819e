/**
 * `npm run model [-- MODEL…]`: runs the models of this folder and their mutants. Exits with 1 if a lemma does not hold, or if
 * a mutant breaks less than it should. A missing prover is reported with its reason.
 */
import { alloy } from "./alloy.ts"
import { allModels, mutated, type Model } from "./model.ts"
import { proverif } from "./proverif.ts"
import type { Prover } from "./prover.ts"

const wanted = process.argv.slice(2)
const models = allModels().filter(({ file }) => wanted.length === 0 || wanted.some((name) => file.startsWith(name)))
if (models.length === 0) throw new Error(`there is no model ${wanted.join(", ")}`)

/** Lemmas with another verdict than expected: all of the model hold, and those that a mutant breaks fail. */
function unexpected(prover: Prover, model: Model, mutant: string | null): string[] {
  // A mutant may break more than the lemmas that it is there for.
  const asked = mutant === null ? model.lemmas.map(({ name }) => name) : model.mutants.get(mutant)!
  const verdicts = prover.run(model, mutant === null ? model.text : mutated(model, mutant), asked)
  const expected = mutant === null ? "holds" : "fails"
  return asked.flatMap((name) => (verdicts.get(name) === expected ? [] : [`${name} ${verdicts.get(name)}`]))
}

for (const prover of [alloy, proverif]) {
  const own = models.filter(({ file }) => file.endsWith(prover.extension))
  const reason = own.length > 0 ? prover.missing() : null
  if (reason) console.log(`NOT RUN ${own.map(({ file }) => file).join(", ")}: ${reason}`)
  for (const model of reason ? [] : own) {
    for (const mutant of [null, ...model.mutants.keys()]) {
      const startMs = performance.now()
      let complaints: string[]
      try {
        complaints = unexpected(prover, model, mutant)
      } catch (error) {
        complaints = [(error instanceof Error ? error.message : String(error)).split("\n").slice(0, 3).join(" ")]
      }
      if (complaints.length > 0) process.exitCode = 1
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
      const expected =
        mutant === null
          ? `${model.lemmas.length} lemmas hold`
          : `${mutant} breaks ${model.mutants.get(mutant)!.join(", ")}`
      const verdict = complaints.length === 0 ? "ok  " : "FAIL"
      console.log(
        `${verdict} ${model.file}: ${expected} (${seconds} s)${complaints.map((each) => `\n     ${each}`).join("")}`,
      )
    }
  }
}
