/**
 * npm run mutants: breaks one rule at a time in a copy. The simulation, or the test that shows the rule, must find it.
 * Exits with 1 if a mutant survives.
 */
import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { SCHEDULES } from "../simulation/schedules.ts"
import { mutants, type Mutant } from "./mutants.ts"

const PACKAGE = fileURLToPath(new URL("../..", import.meta.url))
const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url))
const VITEST = join(MODULES, "vitest/vitest.mjs")

/** A timeout on a busy machine is not a detection. */
const TEST_TIMEOUT_MS = "600000"

/** The part of vitest's report that is read here. */
type TestReport = {
  readonly numTotalTests: number
  readonly numFailedTests: number
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly { readonly title: string; readonly status: string }[]
  }[]
}

type Outcome = { readonly mutant: Mutant; readonly killed: boolean; readonly by: string; readonly seconds: number }

function copyWith({ edits }: Mutant): string {
  const copy = mkdtempSync(join(tmpdir(), "keymoot-mutant-"))
  writeFileSync(join(copy, "package.json"), '{ "type": "module" }')
  symlinkSync(MODULES, join(copy, "node_modules"))
  for (const folder of ["src", "test/mutants", "test/simulation", "test/group"]) {
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

/**
 * Output of a Node process. Throws if it ended with another code than `codes`: a process that fails to start says
 * nothing about a rule.
 */
async function told(name: string, args: readonly string[], codes: readonly number[]): Promise<string> {
  const child = spawn(process.execPath, args)
  let [output, errors] = ["", ""]
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()))
  child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()))
  const code = await new Promise<number | null>((done) => child.once("close", done))
  if (code === null || !codes.includes(code)) throw new Error(`${name} does not run:\n${errors}`)
  return output
}

/** The first detection and its place; null if there is none. */
async function findBySchedules({ name }: Mutant, copy: string, schedules: number): Promise<string | null> {
  const suite = join(copy, "test/mutants/suite.ts")
  const output = await told(name, ["--conditions=keymoot-source", suite, "1", String(schedules)], [0])
  const [by = "", where = ""] = output.split("\n")
  return by === "survives" ? null : `${by.slice(0, 100)} (${where})`
}

async function findByTest({ name }: Mutant, copy: string, test: string): Promise<string | null> {
  const file = join(copy, "report.json")
  const report = ["--reporter=json", "--outputFile", file, "--testTimeout", TEST_TIMEOUT_MS]
  await told(name, [VITEST, "run", "--root", copy, ...report, join("test", test)], [0, 1])
  const { numTotalTests, numFailedTests, testResults } = JSON.parse(readFileSync(file, "utf8")) as TestReport
  if (numTotalTests === 0) throw new Error(`${name}: ${test} does not run: ${testResults[0]?.message}`)
  if (numFailedTests === 0) return null
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === "failed")
  return `${failed?.title.slice(0, 100)} (${test})`
}

async function judgeMutant(mutant: Mutant, schedules = SCHEDULES): Promise<Outcome> {
  const copy = copyWith(mutant)
  const startedMs = performance.now()
  try {
    const by = await (mutant.test ? findByTest(mutant, copy, mutant.test) : findBySchedules(mutant, copy, schedules))
    const seconds = (performance.now() - startedMs) / 1000
    return { mutant, killed: by !== null, by: by ?? "", seconds }
  } finally {
    rmSync(copy, { recursive: true })
  }
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
async function checkUnbroken(): Promise<void> {
  const tests = new Set(mutants.map(({ test }) => test))
  for (const test of tests) {
    const { killed, by } = await judgeMutant({ name: "unbroken", edits: [], ...(test ? { test } : {}) }, 200)
    if (killed) throw new Error(`the suite fails without any mutant: ${by}`)
  }
}
await checkUnbroken()

const chosen = process.argv.slice(2)
const queue = mutants.filter(({ name }) => chosen.length === 0 || chosen.includes(name))
const outcomes: Outcome[] = []
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, () => work(queue, outcomes)))
const survivors = outcomes.filter(({ killed }) => !killed)
console.log(
  `${outcomes.length - survivors.length} of ${outcomes.length} mutants killed by up to ${SCHEDULES} schedules, or by their test`,
)
if (survivors.length > 0 || outcomes.length === 0) process.exitCode = 1
