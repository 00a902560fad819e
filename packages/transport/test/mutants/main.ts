/** npm run mutants: breaks one rule at a time in a copy, and expects the simulation to find it. Exits with 1 if one survives. */
import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { SCHEDULES } from "../simulation/schedules.ts"
import { mutants, type Mutant } from "./mutants.ts"

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url))
const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url))

type Outcome = { readonly mutant: Mutant; readonly killed: boolean; readonly by: string; readonly seconds: number }

function copyWith({ edits }: Mutant): string {
  const copy = mkdtempSync(join(tmpdir(), "keymoot-mutant-"))
  writeFileSync(join(copy, "package.json"), '{ "type": "module" }')
  symlinkSync(MODULES, join(copy, "node_modules"))
  for (const folder of ["src", "test/mutants", "test/simulation"]) {
    cpSync(join(PACKAGE, folder), join(copy, folder), { recursive: true })
  }
  for (const { file, find, replace } of edits) {
    const path = join(copy, "src", file)
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(find, () => replace),
    )
  }
  return copy
}

async function judgeMutant(mutant: Mutant, schedules = SCHEDULES): Promise<Outcome> {
  const copy = copyWith(mutant)
  const startedMs = performance.now()
  const suite = join(copy, "test/mutants/suite.ts")
  const child = spawn(process.execPath, ["--conditions=keymoot-source", suite, "1", String(schedules)])
  let [told, errors] = ["", ""]
  child.stdout.on("data", (bytes: Buffer) => (told += bytes.toString()))
  child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()))
  const code = await new Promise((done) => child.once("exit", done))
  rmSync(copy, { recursive: true })
  // A copy that does not even start says nothing about the rule.
  if (code !== 0) throw new Error(`${mutant.name} does not run:\n${errors}`)
  const [by = "", where = ""] = told.split("\n")
  const seconds = (performance.now() - startedMs) / 1000
  return { mutant, killed: by !== "survives", by: `${by.slice(0, 100)} (${where})`, seconds }
}

async function work(queue: Mutant[], outcomes: Outcome[]): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const outcome = await judgeMutant(mutant)
    outcomes.push(outcome)
    const verdict = outcome.killed ? "killed  " : "SURVIVES"
    console.log(`${verdict}  ${mutant.name.padEnd(30)} ${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.by}`)
  }
}

/** A suite that fails by itself kills every mutant. */
const UNBROKEN: Mutant = { name: "unbroken", edits: [] }
const unbroken = await judgeMutant(UNBROKEN, 200)
if (unbroken.killed) throw new Error(`the simulation fails without any mutant: ${unbroken.by}`)

const chosen = process.argv.slice(2)
const queue = mutants.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
const outcomes: Outcome[] = []
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, () => work(queue, outcomes)))
const survivors = outcomes.filter(({ killed }) => !killed)
console.log(`${outcomes.length - survivors.length} of ${outcomes.length} mutants killed by ${SCHEDULES} schedules`)
if (survivors.length > 0 || outcomes.length === 0) process.exitCode = 1
