/** Applies a mutant to a copy of a package, and runs there the unit test that must fail. */
import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Mutant } from "./mutant.ts"

const MODULES = fileURLToPath(new URL("../../../../node_modules", import.meta.url))
const VITEST = join(MODULES, "vitest/vitest.mjs")
/** Tests of a copy load the other packages from their sources, as all tests do. */
const VITEST_CONFIG = `export default {
  resolve: { conditions: ["keymoot-source"] },
  ssr: { resolve: { conditions: ["keymoot-source", "node"], externalConditions: ["keymoot-source"] } },
}`

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

export type Outcome = {
  readonly mutant: Mutant
  readonly killed: boolean
  readonly by: string
  readonly seconds: number
}

/** Package whose rules are broken. `folders`: what its tests need. */
export type Source = { readonly package: string; readonly folders: readonly string[] }

/**
 * Whether a mutant still breaks its target, as one line for each reason why not. A source that cannot be parsed would
 * fail any test.
 * @param sources the folder that its files are in
 */
export function complaintsAbout({ edits }: Pick<Mutant, "edits">, sources: URL): string[] {
  const complaints: string[] = []
  const broken = new Map<string, string>()
  for (const { file, find, replace } of edits) {
    const source = broken.get(file) ?? readFileSync(new URL(file, sources), "utf8")
    const places = source.split(find).length - 1
    if (places !== 1) complaints.push(`${file}: ${places} places are ${find}`)
    if (replace === find) complaints.push(`${file}: nothing changes in ${find}`)
    broken.set(
      file,
      source.replace(find, () => replace),
    )
  }
  for (const [file, source] of broken) {
    try {
      stripTypeScriptTypes(source)
    } catch (error) {
      complaints.push(`${file} cannot be parsed: ${(error as Error).message}`)
    }
  }
  return complaints
}

export function copyWith(source: Source, { edits }: Mutant): string {
  const copy = mkdtempSync(join(tmpdir(), "keymoot-mutant-"))
  cpSync(join(source.package, "package.json"), join(copy, "package.json"))
  writeFileSync(join(copy, "vitest.config.mjs"), VITEST_CONFIG)
  symlinkSync(MODULES, join(copy, "node_modules"))
  for (const folder of source.folders) cpSync(join(source.package, folder), join(copy, folder), { recursive: true })
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
export async function told(name: string, args: readonly string[], codes: readonly number[]): Promise<string> {
  const child = spawn(process.execPath, args)
  let [output, errors] = ["", ""]
  child.stdout.on("data", (bytes: Buffer) => (output += bytes.toString()))
  child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()))
  const code = await new Promise<number | null>((done) => child.once("close", done))
  if (code === null || !codes.includes(code)) throw new Error(`${name} does not run:\n${errors}`)
  return output
}

/** The first test that fails and its file; null if none does. */
export async function findByTest({ name }: Mutant, copy: string, test: string): Promise<string | null> {
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

/** Judges all of them, two at a time, and prints each verdict. Returns whether all are killed. */
export async function judgeAll<M extends Mutant>(
  mutants: readonly M[],
  judge: (mutant: M) => Promise<Outcome>,
): Promise<boolean> {
  const queue = [...mutants]
  const outcomes: Outcome[] = []
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, () => work(queue, outcomes, judge)))
  const survivors = outcomes.filter(({ killed }) => !killed)
  console.log(`${outcomes.length - survivors.length} of ${outcomes.length} mutants killed`)
  return survivors.length === 0 && outcomes.length > 0
}

/** Runs `find` in a copy with the mutant, and removes the copy. */
export async function inCopy(
  source: Source,
  mutant: Mutant,
  find: (copy: string) => Promise<string | null>,
): Promise<Outcome> {
  const copy = copyWith(source, mutant)
  const startedMs = performance.now()
  try {
    const by = await find(copy)
    return { mutant, killed: by !== null, by: by ?? "", seconds: (performance.now() - startedMs) / 1000 }
  } finally {
    rmSync(copy, { recursive: true })
  }
}

async function work<M extends Mutant>(
  queue: M[],
  outcomes: Outcome[],
  judge: (mutant: M) => Promise<Outcome>,
): Promise<void> {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const outcome = await judge(mutant)
    outcomes.push(outcome)
    const verdict = outcome.killed ? "killed  " : "SURVIVES"
    console.log(`${verdict}  ${mutant.name.padEnd(44)} ${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.by}`)
  }
}
