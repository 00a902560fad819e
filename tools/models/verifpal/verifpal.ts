import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Prover, RUN_MS_MAX } from "../prover.ts"

const COMMAND = process.env["VERIFPAL"] ?? "verifpal"
/** One letter and one digit a query, in their order: 0 if no attack was found. */
const CODE = /^(?:[a-z][01])+$/u

/** Verifpal searches for attacks with two sessions of each end. A query that holds may fall with more of them. */
export const verifpal: Prover = {
  extension: ".vp",
  missing() {
    const { error } = spawnSync(COMMAND, ["--version"])
    const how = "`cargo install verifpal --locked --ignore-rust-version` does it; VERIFPAL names another path."
    return error ? `Verifpal is not installed. ${how}` : null
  },
  version() {
    const [, version] = /(\d+\.\d+\.\d+)/u.exec(spawnSync(COMMAND, ["--version"], { encoding: "utf8" }).stdout) ?? []
    if (!version) throw new Error(`${COMMAND} does not tell its version`)
    return `Verifpal ${version}`
  },
  run({ lemmas }, text) {
    const directory = mkdtempSync(join(tmpdir(), "keymoot-model-"))
    try {
      const file = join(directory, "model.vp")
      writeFileSync(file, text)
      const args = ["verify", file, "--quiet", "--result-code"]
      const { stdout, stderr, status } = spawnSync(COMMAND, args, { encoding: "utf8", timeout: RUN_MS_MAX })
      const code = stdout.trim()
      if (status !== 0 || !CODE.test(code) || code.length !== 2 * lemmas.length) {
        throw new Error(`no verdict for each of ${lemmas.length} lemmas: ${code || stderr.trim()}`)
      }
      return new Map(lemmas.map(({ name }, i) => [name, code[2 * i + 1] === "0" ? "holds" : "fails"]))
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
}
