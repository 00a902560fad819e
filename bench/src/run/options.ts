/** Parses arguments and reports invalid ones. */
import { parseArgs } from "node:util"
import type { PostQuantum } from "@keymoot/core"
import { type Experiment, type ModuleName, type Options, POST_QUANTUM_MODES } from "../experiment/experiment.ts"

export type Request =
  | { readonly command: "list" }
  | { readonly command: "docs"; readonly from?: string; readonly out?: string }
  | { readonly command: "compare"; readonly files: readonly [string, string] }
  | { readonly command: "all"; readonly options: Options; readonly json: boolean; readonly out?: string }
  | {
      readonly command: "run"
      readonly experiment: Experiment
      readonly options: Options
      readonly json: boolean
      readonly out?: string
    }

/** Invalid arguments; the message lists valid ones. */
export class UsageError extends Error {}

export const USAGE = `npm run bench -- list
npm run bench -- EXPERIMENT|all [--module tgdh,bd] [--sizes 2,8,32] [--network lan|wan|70|lan/13] [--post-quantum off,hybrid] [--part simulated] [--runs 5] [--quick] [--json] [--out DIRECTORY]
npm run bench -- compare BEFORE.json AFTER.json
npm run bench -- docs [--from DIRECTORY] [--out DIRECTORY]`

const OPTIONS = {
  runs: { type: "string" },
  module: { type: "string" },
  sizes: { type: "string" },
  network: { type: "string" },
  "post-quantum": { type: "string" },
  part: { type: "string" },
  out: { type: "string" },
  from: { type: "string" },
  quick: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const

/** Beyond, members take each other for gone. */
const ROUND_TRIP_MS_MAX = 1000

/** As many as members: each has its own. */
const PROCESSORS_MAX = 300

type Values = ReturnType<typeof parsed>["values"]

/** @throws UsageError */
export function parseRequest(args: readonly string[], experiments: readonly Experiment[]): Request {
  const { values, positionals } = parsed(args)
  const [command = "list", ...rest] = positionals
  if (command === "compare") return { command, files: twoFiles(rest, values) }
  if (rest.length > 0) throw new UsageError(`One experiment at a time, not also ${rest.join(", ")}.\n${USAGE}`)
  if (command === "list") return { command }
  if (command === "docs") return { command, ...directories(values) }
  if (values.from !== undefined) throw new UsageError(`${command} has no --from.\n${USAGE}`)
  const common = { json: values.json, ...(values.out === undefined ? {} : { out: values.out }) }
  if (command === "all") {
    for (const name of ["module", "sizes", "network", "post-quantum", "part"] as const) {
      if (values[name] !== undefined) throw new UsageError(`all has no --${name}: each experiment chooses its own.`)
    }
    return { command, options: optionsOf(values, undefined), ...common }
  }
  const experiment = experiments.find(({ name }) => name === command)
  if (!experiment) {
    const names = experiments.map(({ name }) => name).join(", ")
    throw new UsageError(`There is no experiment "${command}". There are: ${names}, all.`)
  }
  return { command: "run", experiment, options: optionsOf(values, experiment), ...common }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`, { cause: error })
  }
}

function twoFiles(files: readonly string[], values: Values): readonly [string, string] {
  const [before, after, ...more] = files
  if (before === undefined || after === undefined || more.length > 0) {
    throw new UsageError(`compare takes two files of results, not ${files.length}.\n${USAGE}`)
  }
  for (const [name, value] of Object.entries(values)) {
    if (value) throw new UsageError(`compare has no --${name}.`)
  }
  return [before, after]
}

function directories({ from, out, ...others }: Values): { readonly from?: string; readonly out?: string } {
  for (const [name, value] of Object.entries(others)) {
    if (value) throw new UsageError(`docs has no --${name}.`)
  }
  return { ...(from === undefined ? {} : { from }), ...(out === undefined ? {} : { out }) }
}

function optionsOf(values: Values, experiment: Experiment | undefined): Options {
  return {
    ...(values.runs === undefined ? {} : { runs: wholeNumber("--runs", values.runs, 1, 10_000) }),
    ...(values.quick ? { quick: true } : {}),
    ...(values.module === undefined ? {} : { modules: modulesOf(values.module, experiment!) }),
    ...(values.sizes === undefined ? {} : { sizes: sizesOf(values.sizes, experiment!) }),
    ...(values.network === undefined ? {} : { network: networkOf(values.network, experiment!) }),
    ...(values["post-quantum"] === undefined
      ? {}
      : { postQuantum: postQuantumOf(values["post-quantum"], experiment!) }),
    ...(values.part === undefined ? {} : { part: partOf(values.part, experiment!) }),
  }
}

function modulesOf(text: string, { name, takes }: Experiment): readonly ModuleName[] {
  if (!takes.modules) throw new UsageError(`${name} has no --module.`)
  return text.split(",").map((wanted) => {
    const found = takes.modules!.find((known) => known === wanted)
    if (!found) throw new UsageError(`${name} has no module "${wanted}". It has: ${takes.modules!.join(", ")}.`)
    return found
  })
}

function sizesOf(text: string, { name, takes }: Experiment): readonly number[] {
  if (!takes.sizes) throw new UsageError(`${name} has no --sizes.`)
  const { what, least, most } = takes.sizes
  return text.split(",").map((size) => wholeNumber(`--sizes (${what})`, size, least, most))
}

function networkOf(text: string, { name, takes }: Experiment): string {
  if (!takes.network) throw new UsageError(`${name} has no --network.`)
  const [network = "", processors, ...more] = text.split("/")
  if (more.length > 0 || (processors !== undefined && takes.network !== "shared")) {
    throw new UsageError(`${name} has no network "${text}": no processors are shared in it.`)
  }
  const shared =
    processors === undefined ? "" : `/${wholeNumber("--network (processors)", processors, 1, PROCESSORS_MAX)}`
  if (network === "lan" || network === "wan") return network + shared
  const roundTripMs = Number(network)
  if (network.trim() === "" || !Number.isFinite(roundTripMs) || roundTripMs <= 0 || roundTripMs > ROUND_TRIP_MS_MAX) {
    throw new UsageError(
      `--network takes lan, wan or a round trip in milliseconds (up to ${ROUND_TRIP_MS_MAX}), not "${network}".`,
    )
  }
  return `${roundTripMs}${shared}`
}

function postQuantumOf(text: string, { name, takes }: Experiment): readonly PostQuantum[] {
  if (!takes.postQuantum) throw new UsageError(`${name} has no --post-quantum.`)
  return postQuantumModes(text)
}

function partOf(part: string, { name, takes }: Experiment): string {
  if (part !== takes.part) throw new UsageError(`${name} has no part "${part}".`)
  return part
}

/** @throws UsageError */
export function postQuantumModes(text: string): readonly PostQuantum[] {
  return text.split(",").map((wanted) => {
    const found = POST_QUANTUM_MODES.find((mode) => mode === wanted)
    if (!found) throw new UsageError(`--post-quantum takes ${POST_QUANTUM_MODES.join(", ")}, not "${wanted}".`)
    return found
  })
}

export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (!/^\d+$/u.test(text) || value < least || value > most) {
    throw new UsageError(`${option} takes whole numbers from ${least} to ${most}, not "${text}".`)
  }
  return value
}
