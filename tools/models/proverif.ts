import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Lemma } from "./model.ts"
import type { Prover, Verdict } from "./prover.ts"

const COMMAND = process.env["PROVERIF"] ?? "proverif"
const RUN_MS_MAX = 180_000

/** ProVerif proves a query for any number of sessions, refutes it with an attack, or gives up. */
export const proverif: Prover = {
  extension: ".pv",
  missing() {
    const { error } = spawnSync(COMMAND, ["-help"])
    return error ? "ProVerif is not installed. `opam install proverif` does it; PROVERIF names another path." : null
  },
  run({ lemmas }, text) {
    const directory = mkdtempSync(join(tmpdir(), "keymoot-model-"))
    try {
      const file = join(directory, "model.pv")
      writeFileSync(file, text)
      const { stdout, status } = spawnSync(COMMAND, [file], {
        encoding: "utf8",
        timeout: RUN_MS_MAX,
        maxBuffer: 256 * 1024 * 1024,
      })
      // A line in brackets repeats an injective query without injectivity.
      const results = stdout.split("\n").filter((line) => /^RESULT (?!\()/u.test(line))
      if (status !== 0 || results.length !== lemmas.length) {
        const reason = status === null ? `takes more than ${RUN_MS_MAX / 1000} s` : stdout.trim().split("\n").at(-1)!
        throw new Error(`${results.length} results for ${lemmas.length} lemmas: ${reason}`)
      }
      return new Map(lemmas.map(({ name, kind }, i) => [name, verdict(kind, results[i]!)]))
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
}

/** A run that must exist is a query that ProVerif must refute. */
function verdict(kind: Lemma["kind"], line: string): Verdict {
  if (line.endsWith(" is true.")) return kind === "lemma" ? "holds" : "fails"
  if (line.endsWith(" is false.")) return kind === "lemma" ? "fails" : "holds"
  return "unknown"
}
