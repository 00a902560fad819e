/**
 * `npm run night`: everything that takes hours, one after another, with one page of results. Ends with 1 if a step fails or is not run.
 * `npm run night -- --events 20000 --fuzz 5 --minutes 0.5 --endurance 5 --faults 60 --only simulation,fuzzing` is a short form of it.
 */
import { execFileSync, spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { availableParallelism, cpus, totalmem } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fromCommandLine, positive } from "./command-line.ts"
import { outputOf, outputsOf, pageOf, resultOf, rowsOf } from "./night-page.ts"

const ROOT = join(import.meta.dirname, "..")
const SIMULATION = ["--conditions=keymoot-source", "--max-semi-space-size=64", "packages/core/test/simulation/main.ts"]
const MANY_RUNS = [...SIMULATION.slice(0, -1), "packages/core/test/simulation/many-runs.ts"]
const FUZZING = ["--conditions=keymoot-source", "packages/core/test/fuzzing/main.ts"]
const MODULES = ["none", "tgdh", "str", "bd", "gdh", "ckd", "majority"]
/** Members and faults of one simulated run. */
const MEMBERS = 6
const FAULTS_OF_RUN = 60
/** Lines of a step's output that the page shows. */
const TAIL_LINES = 24

const USAGE =
  "npm run night -- [--events N] [--fuzz SECONDS] [--minutes N] [--endurance MINUTES] [--faults N] [--only STEP,…] [--out FILE]"
const { values } = fromCommandLine(USAGE, () => {
  const parsed = parseArgs({
    options: {
      /** Simulated events under each module. */
      events: { type: "string", default: "10000000" },
      /** Seconds of fuzzing for each target. */
      fuzz: { type: "string", default: "600" },
      /** Minutes of the runs in real time: traffic over a slow link, an idle conference, and one with crashes. */
      minutes: { type: "string", default: "20" },
      /** Minutes of the conference with crashes in virtual time. */
      endurance: { type: "string", default: "120" },
      /** Faults of one long simulated run. */
      faults: { type: "string", default: "360" },
      only: { type: "string", default: "simulation,endurance,mutants,fuzzing,models,reproduce,unit,browsers" },
      out: { type: "string", default: "docs/night.md" },
    },
  })
  for (const name of ["events", "fuzz", "minutes", "endurance", "faults"] as const)
    positive(`--${name}`, parsed.values[name])
  return parsed
})

/** `codes`: with which its programs ended; null for a signal. */
type Outcome = { readonly codes: readonly (number | null)[]; readonly output: string }
/** `work`: in the unit of `UNITS`. */
type Step = { readonly name: string; readonly work: number; readonly run: () => Promise<Outcome> }

/** Runs it with its output shown, and collects that. */
async function command(program: string, args: readonly string[], environment: object = {}): Promise<Outcome> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
      process.stdout.write(text)
    })
  }
  const code = await new Promise<number | null>((done) => child.once("close", done))
  return { codes: [code], output }
}

const node = (...args: readonly string[]): Promise<Outcome> => command(process.execPath, args)

function simulate(): Promise<Outcome> {
  const seed = 1 + (Date.now() % 2 ** 31)
  const size = [`${MEMBERS}`, `${FAULTS_OF_RUN}`, values.events, `${seed}`]
  return onEachProcessor(MODULES, (module) => node(...MANY_RUNS, module, ...size))
}

async function fuzz(): Promise<Outcome> {
  const listed = await node(...FUZZING, "list")
  if (resultOf(listed.codes) !== "passed") return listed
  return onEachProcessor(listed.output.trim().split("\n"), (target) => node(...FUZZING, values.fuzz, target))
}

/** A process for each name, as many at a time as there are processors. */
async function onEachProcessor(
  names: readonly string[],
  outcomeOf: (name: string) => Promise<Outcome>,
): Promise<Outcome> {
  const waiting = [...names]
  const outcomes: Outcome[] = []
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) outcomes.push(await outcomeOf(name))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return together(outcomes)
}

async function all(outcomes: readonly (() => Promise<Outcome>)[]): Promise<Outcome> {
  const results: Outcome[] = []
  for (const outcome of outcomes) results.push(await outcome())
  return together(results)
}

function together(results: readonly Outcome[]): Outcome {
  return { codes: results.flatMap(({ codes }) => codes), output: results.map(({ output }) => output.trim()).join("\n") }
}

const vitest = join(ROOT, "node_modules/vitest/vitest.mjs")
const minutes = {
  FLOW_MINUTES: values.minutes,
  IDLE_MINUTES: values.minutes,
  ENDURANCE_MINUTES: values.endurance,
  ENDURANCE_REAL_MINUTES: values.minutes,
}
const STEPS: readonly Step[] = [
  { name: "simulation", work: Number(values.events), run: simulate },
  {
    name: "endurance",
    work: Number(values.minutes) + Number(values.endurance),
    run: () =>
      all([
        () => node(...SIMULATION, "--members", String(MEMBERS), "--events", values.faults, "--module", "tgdh"),
        () => command(process.execPath, [vitest, "run", "packages/core/test/flow", "--no-color"], minutes),
        () => command(process.execPath, [vitest, "run", "packages/core/test/endurance", "--no-color"], minutes),
      ]),
  },
  {
    name: "mutants",
    work: 1,
    run: () =>
      all(["mutants", "mutants:call", "mutants:keys"].map((name) => () => command("npm", ["run", "--silent", name]))),
  },
  { name: "fuzzing", work: Number(values.fuzz), run: fuzz },
  { name: "models", work: 1, run: () => command("npm", ["run", "--silent", "model"]) },
  { name: "reproduce", work: 1, run: () => command("npm", ["run", "--silent", "reproduce"]) },
  { name: "unit", work: 1, run: () => command("npm", ["run", "--silent", "unit:all"]) },
  { name: "browsers", work: 1, run: () => command("npm", ["run", "--silent", "test:browsers:all"]) },
]

const wanted = values.only.split(",")
const unknown = wanted.filter((name) => !STEPS.some((step) => step.name === name))
if (unknown.length > 0)
  throw new Error(`There is no step ${unknown.join(", ")}: choose of ${STEPS.map(({ name }) => name).join(", ")}.`)

const git = (...args: readonly string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim()
/** Pages and inputs that nights write change nothing in what is run. */
const WRITTEN = [":!docs/night.md", ":!packages/core/test/fuzzing/corpus"]
const state = git("status", "--porcelain", "--", ".", ...WRITTEN) === "" ? "" : ", with changes"
const parameters = `events ${values.events}, fuzz ${values.fuzz} s, ${values.minutes} minutes, ${values.endurance} virtual minutes, ${values.faults} faults`
const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`
const page = join(ROOT, values.out)
const [date, commit] = [new Date().toISOString().slice(0, 10), git("rev-parse", "--short=12", "HEAD")]

/** Written after each step, so that an interrupted night leaves its page, and read before, so that two nights may run at once. */
function addToPage({ name, work }: Step, { codes, output }: Outcome, minutes: number): void {
  const earlier = existsSync(page) ? readFileSync(page, "utf8") : ""
  const result = resultOf(codes)
  const rows = [...rowsOf(earlier), { date, commit, step: name, result, minutes, work }]
  const head = `${date}, commit ${commit}${state}; ${machine}. Parameters: ${parameters}.`
  const tail = output.replaceAll(ROOT, ".").trim().split("\n").slice(-TAIL_LINES).join("\n")
  writeFileSync(page, pageOf(rows, outputsOf(earlier).set(name, outputOf(name, head, tail))))
}

for (const step of STEPS.filter(({ name }) => wanted.includes(name))) {
  const startMs = performance.now()
  const outcome = await step.run()
  if (resultOf(outcome.codes) !== "passed") process.exitCode = 1
  addToPage(step, outcome, (performance.now() - startMs) / 60_000)
}
