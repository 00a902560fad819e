/** The form's choice, and its validation. */
import { type Experiment, MODULE_NAMES, type ModuleName, type Options } from "../src/experiment/experiment.ts"
import { filled, texts } from "./texts.ts"

export type Choice = {
  readonly modules: readonly ModuleName[]
  readonly sizes: string
  readonly network: string
  readonly runs: string
  readonly quick: boolean
}

export const FIRST_CHOICE: Choice = { modules: MODULE_NAMES, sizes: "", network: "", runs: "", quick: true }
export const NETWORKS = ["lan", "70", "100", "wan"] as const
const RUNS = { least: 1, most: 1000 }

/** Gives the sentence to show where something is wrong. */
export function optionsOf({ takes }: Experiment, choice: Choice): Options | string {
  const modules = takes.modules?.filter((name) => choice.modules.includes(name))
  if (modules?.length === 0) return texts.noModule
  const sizes = takes.sizes ? numbersOf(choice.sizes, takes.sizes) : []
  if (typeof sizes === "string") return sizes
  const runs = numbersOf(choice.runs, RUNS)
  if (typeof runs === "string") return runs
  const [first, ...more] = runs
  if (more.length > 0) return filled(texts.wrongNumbers, { ...RUNS, text: choice.runs })
  return {
    quick: choice.quick,
    ...(modules ? { modules } : {}),
    ...(sizes.length > 0 ? { sizes } : {}),
    ...(first === undefined ? {} : { runs: first }),
    ...(takes.network && choice.network !== "" ? { network: choice.network } : {}),
  }
}

function numbersOf(
  text: string,
  bounds: { readonly least: number; readonly most: number },
): readonly number[] | string {
  const parts = text.trim() === "" ? [] : text.split(",").map((part) => part.trim())
  const isGood = (part: string): boolean => /^\d{1,9}$/u.test(part) && +part >= bounds.least && +part <= bounds.most
  return parts.every(isGood) ? parts.map(Number) : filled(texts.wrongNumbers, { ...bounds, text })
}
