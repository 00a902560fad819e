import { parseArgs } from "node:util"
import { KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import type { KeyAgreementName } from "@keymoot/gke"

export type ModuleName = KeyAgreementName | "majority"

/** All that can be asked for: majority has an interface of its own. */
export const MODULE_NAMES: readonly ModuleName[] = [...new Set([...KEY_AGREEMENT_NAMES, "majority" as const])]

/** What an experiment is asked for; what is undefined, it chooses itself. */
export type Options = {
  readonly runs?: number
  readonly modules?: readonly ModuleName[]
  readonly sizes?: readonly number[]
}

export type Request = { readonly experiment: string; readonly json: boolean; readonly options: Options }

/** What was typed cannot be done; the message says what can. */
export class UsageError extends Error {}

export const USAGE = "npm run bench -- list | EXPERIMENT [--module tgdh,bd] [--sizes 2,8,32] [--runs 5] [--json]"

/**
 * @param takes the options, besides `--json`, that each experiment has
 * @throws UsageError
 */
export function parseRequest(
  args: readonly string[],
  takes: Readonly<Record<string, readonly (keyof Options)[]>>,
): Request {
  const { values, positionals } = parsed(args)
  const [experiment = "list", ...rest] = positionals
  if (rest.length > 0) throw new UsageError(`One experiment at a time. ${USAGE}`)
  const known = Object.keys(takes)
  if (experiment !== "list" && !known.includes(experiment)) {
    throw new UsageError(`There is no experiment ${experiment}. There are: ${known.join(", ")}.`)
  }
  const options: Options = {
    ...(values.runs === undefined ? {} : { runs: wholeNumber("--runs", values.runs, 1) }),
    ...(values.module === undefined ? {} : { modules: values.module.split(",").map(moduleNamed) }),
    ...(values.sizes === undefined
      ? {}
      : { sizes: values.sizes.split(",").map((size) => wholeNumber("--sizes", size, 2)) }),
  }
  for (const option of Object.keys(options) as (keyof Options)[]) {
    if (!takes[experiment]?.includes(option)) throw new UsageError(`${experiment} has no choice of ${option}.`)
  }
  return { experiment, json: values.json, options }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        runs: { type: "string" },
        module: { type: "string" },
        sizes: { type: "string" },
        json: { type: "boolean", default: false },
      },
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message} ${USAGE}`, { cause: error })
  }
}

function moduleNamed(name: string): ModuleName {
  const found = MODULE_NAMES.find((known) => known === name)
  if (!found) throw new UsageError(`There is no module ${name}. There are: ${MODULE_NAMES.join(", ")}.`)
  return found
}

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least || text === "") {
    throw new UsageError(`${option} takes whole numbers from ${least} on, not "${text}".`)
  }
  return value
}
