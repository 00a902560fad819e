import { KEY_AGREEMENT_NAMES, type KeyAgreementName } from "@keymoot/gke"
import type { PostQuantum } from "@keymoot/core"
import type { Figure } from "./figure.ts"

export type ModuleName = KeyAgreementName | "majority"

/** All that can be asked for: majority has an interface of its own. */
export const MODULE_NAMES: readonly ModuleName[] = [...new Set([...KEY_AGREEMENT_NAMES, "majority" as const])]

/** Without and with the post-quantum agreement beside the module. */
export const POST_QUANTUM_MODES: readonly PostQuantum[] = ["off", "hybrid"]

/**
 * `lan`, `wan`, or a round trip in milliseconds as text: "70". With a number of processors behind it, the members share so
 * many: "lan/13".
 */
export type NetworkName = string

/** Options of a run. The experiment chooses undefined ones itself, and less of them if `quick`. */
export type Options = {
  readonly runs?: number
  readonly modules?: readonly ModuleName[]
  readonly sizes?: readonly number[]
  readonly network?: NetworkName
  /** Conferences of each of these modes are measured in turns. */
  readonly postQuantum?: readonly PostQuantum[]
  readonly quick?: boolean
  /** Only this part; with `--out` it replaces the part's figures in the kept results. */
  readonly part?: string
}

/** Told now and then how far it is. Throws when somebody has stopped it, so nothing is to be caught from it. */
export type Progress = (done: number, of: number) => void

/** One module an experiment: the same for Node and the page. How to add one: the README. */
export type Experiment = {
  readonly name: string
  /** One sentence, for `list` and for the page. */
  readonly about: string
  /** Besides Node, in a few words for `list`; `run` looks for it. */
  readonly needs?: string
  /** `all` stops a whole run after so long; a quarter of an hour if undefined. */
  readonly minutesMax?: number
  /** The available options besides `runs` and `quick`. */
  readonly takes: {
    readonly modules?: readonly ModuleName[]
    readonly sizes?: SizeChoice
    /** `shared`: also networks whose members share processors. */
    readonly network?: true | "shared"
    readonly postQuantum?: true
    /** A part that can run alone. Its metrics begin with this name and a colon. */
    readonly part?: string
  }
  /** Gives figures as it comes to them, so that somebody who stops it keeps those. @throws Unavailable */
  readonly run: (options: Options, progress: Progress) => AsyncIterable<Figure> | Iterable<Figure>
  /** For people at a terminal; a line for each figure if undefined. */
  readonly report?: (figures: readonly Figure[]) => string
  readonly shows?: Shows
}

/**
 * How it is shown on the page and in `docs/benchmarks/NAME.md`: pictures, and three texts. Blank lines separate their
 * paragraphs, of 80 words at most. `docs/benchmarks.md` has the first paragraph of `found` alone.
 */
export type Shows = {
  readonly plots: readonly Plot[]
  /** The papers' findings, with their table or figure. */
  readonly paper: string
  /** Our findings. Numbers come from the committed figures, so that they cannot become stale. */
  readonly found: (figures: readonly Figure[]) => string
  /** Tables of markdown after the findings. */
  readonly tables?: (figures: readonly Figure[]) => string
  readonly why: string
}

export type Plot = LinePlot | BarPlot

type CommonPlot = {
  readonly title: string
  /** Those of one unit, which is the axis of values. */
  readonly of: (figure: Figure) => boolean
  readonly scale: "log" | "linear"
}

/** A line with error bars for each series. */
export type LinePlot = CommonPlot & {
  readonly x: { readonly label: string; readonly at: (figure: Figure) => number }
  readonly series: (figure: Figure) => string
}

/** A bar with error bars for each figure, under its name: for what has no sizes. */
export type BarPlot = CommonPlot & { readonly bar: (figure: Figure) => string }

export type SizeChoice = {
  /** As it reads after a number: "members", "bytes". */
  readonly what: string
  readonly least: number
  readonly most: number
}

/** It cannot run on this machine or in this browser; the message says what it needs. Not a failure. */
export class Unavailable extends Error {}
