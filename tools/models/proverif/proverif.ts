import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Lemma } from "../model.ts"
import { type Prover, RUN_MS_MAX, type Verdict } from "../prover.ts"

const COMMAND = process.env["PROVERIF"] ?? "proverif"

/** ProVerif proves a query for any number of sessions, refutes it with an attack, or gives up. */
export const proverif: Prover = {
  extension: ".pv",
  missing() {
    const { error } = spawnSync(COMMAND, ["-help"])
    return error ? "ProVerif is not installed. `opam install proverif` does it; PROVERIF names another path." : null
  },
  version() {
    const { stdout } = spawnSync(COMMAND, ["-help"], { encoding: "utf8" })
    const [, version] = /^Proverif (\d[\d.]*\d)/u.exec(stdout) ?? []
    if (!version) throw new Error(`${COMMAND} does not tell its version`)
    return `ProVerif ${version}`
  },
  run({ lemmas, text: unchanged }, text, asked) {
    const { rest, steps } = withoutSteps(text)
    const isMutant = text !== unchanged
    const wanted = lemmas.filter(({ name }) => asked.includes(name))
    const others = lemmas.filter(({ name }) => !asked.includes(name))
    const directory = mkdtempSync(join(tmpdir(), "keymoot-model-"))
    try {
      const file = join(directory, "model.pv")
      writeFileSync(file, withoutQueries(isMutant ? rest : text, others))
      const { stdout, status } = spawnSync(COMMAND, [file], {
        encoding: "utf8",
        timeout: RUN_MS_MAX,
        maxBuffer: 256 * 1024 * 1024,
      })
      // A line in brackets repeats an injective query without injectivity.
      const results = stdout.split("\n").filter((line) => /^RESULT (?!\()/u.test(line))
      // ProVerif stops at a step that it cannot prove.
      const proved = results.splice(0, isMutant ? 0 : steps)
      if (status !== 0 || results.length !== wanted.length || proved.some((line) => !line.endsWith(" is true."))) {
        const reason = status === null ? `takes more than ${RUN_MS_MAX / 1000} s` : stdout.trim().split("\n").at(-1)!
        throw new Error(`${results.length} results for ${wanted.length} lemmas: ${reason}`)
      }
      return new Map(wanted.map(({ name, kind }, i) => [name, verdict(kind, results[i]!)]))
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
}

/** ProVerif starts anew for each query, so each one less saves its time. A query stands behind its declaration. */
export function withoutQueries(text: string, lemmas: readonly Lemma[]): string {
  return lemmas.reduce((rest, { name, kind }) => {
    const declaration = new RegExp(String.raw`\(\* ${kind} ${name}(?: [A-Z]\d+)*:[^*]*\*\)\s*query [^.]*\.\n`, "u")
    if (!declaration.test(rest)) throw new Error(`there is no query behind ${name}`)
    return rest.replace(declaration, "")
  }, text)
}

/**
 * A `lemma` in ProVerif's language is a step of its proof, not a lemma of this project. A mutant is refuted without steps,
 * since they would fail first.
 */
export function withoutSteps(text: string): { readonly rest: string; readonly steps: number } {
  const parts = text.split(/^lemma [^.]*\.\n/mu)
  return { rest: parts.join(""), steps: parts.length - 1 }
}

/** A run that must exist is a query that ProVerif must refute. */
function verdict(kind: Lemma["kind"], line: string): Verdict {
  if (line.endsWith(" is true.")) return kind === "lemma" ? "holds" : "fails"
  if (line.endsWith(" is false.")) return kind === "lemma" ? "fails" : "holds"
  return "unknown"
}
