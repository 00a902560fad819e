/** Description of `peers`, for the runner and for the page, which has fewer of them. */
import type { Experiment, Plot, Shows } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { isMeasured, withUnit } from "../experiment/story.ts"
import type { Contestant } from "./contestants.ts"
import { CHANGE_LATENCY, CHANGE_RATE, DROPS, LATENCY, MADE, PROCESSED, RATE } from "./metrics.ts"

/** Sizes of the groups from which one member is removed. */
export const SIZES = { quick: [2, 16], full: [2, 4, 8, 16, 32, 64, 100] }
export const REMOVALS = { quick: 5, full: 15 }
export const MESSAGES = {
  quick: { runs: 1, roundTrips: 30, forMs: 400 },
  full: { runs: 5, roundTrips: 100, forMs: 2000 },
}

const plots: readonly Plot[] = [
  ...[MADE, PROCESSED].map((metric): Plot => ({
    title: `${metric}: computing at one member, signatures included`,
    of: (figure) => figure.metric === metric,
    x: { label: "members before the removal", at: ({ n }) => n! },
    series: ({ module }) => module!,
    scale: "log",
  })),
  ...[RATE, LATENCY, CHANGE_RATE, CHANGE_LATENCY].map((metric): Plot => ({
    title: `Two browsers: ${metric}`,
    of: (figure) => figure.metric === metric && isMeasured(figure),
    bar: ({ module }) => module!,
    scale: "linear",
  })),
]

type Best = "least" | "most"

/** Measured figures of one metric, the best first. */
function rankedOf(figures: readonly Figure[], metric: string, best: Best): readonly Figure[] {
  const sign = best === "least" ? 1 : -1
  return figures
    .filter((figure) => figure.metric === metric && isMeasured(figure))
    .toSorted((a, b) => sign * (a.median - b.median))
}

/** Median and spread without their unit, the best first. Names a peer that wins, and a rate that is not measured. */
function ranking(figures: readonly Figure[], metric: string, best: Best): string {
  const ranked = rankedOf(figures, metric, best)
  const unmeasured = figures.filter((figure) => figure.metric === metric && !isMeasured(figure))
  const texts = ranked.map(({ module, median, min, max }) => `${module}: ${median} (${min}–${max})`)
  for (const { module, min, max, unit } of unmeasured)
    texts.push(`${module}: not measured, runs from ${min} to ${withUnit(max, unit)}`)
  const [first] = ranked
  return `${listOf(texts)}${first && !first.module!.startsWith("keymoot") ? "\n\nA peer wins." : ""}`
}

const COMPARISONS: readonly (readonly [metric: string, best: Best, text: string])[] = [
  [MADE, "least", "Removal made"],
  [PROCESSED, "least", "Removal processed"],
  [RATE, "most", "Messages of 1 KB"],
  [LATENCY, "least", "One message"],
  [CHANGE_RATE, "most", "Changes of documents"],
  [CHANGE_LATENCY, "least", "One change"],
]

/** The best of each comparison, also where it is a peer. `figures` have removals of one size. */
function bestOfEach(figures: readonly Figure[]): string {
  const texts = COMPARISONS.flatMap(([metric, best, text]) => {
    const [first] = rankedOf(figures, metric, best)
    return first ? [` ${text}: ${first.module!}, ${withUnit(first.median, first.unit)}.`] : []
  })
  return `The best median of each comparison.${texts.join("")}`
}

/** After a line that says of what. */
function listOf(texts: readonly string[]): string {
  return `\n\n${texts.map((text) => `- ${text}`).join("\n")}`
}

/** The least and the most in a run, by peer; nothing in results that are older than the count. */
function drops(figures: readonly Figure[]): string {
  const texts = figures
    .filter(({ metric }) => metric === DROPS)
    .map(({ module, min, max }) => `${module}: ${min}–${max}`)
  return texts.length === 0 ? "" : `\n\nUDP datagrams dropped by full buffers in a run:${listOf(texts)}`
}

function found(figures: readonly Figure[]): string {
  const largest = Math.max(...figures.filter(({ metric }) => metric === MADE).map(({ n }) => n!))
  const removals = figures.filter(({ n }) => n === largest)
  const suites = removals.some(({ module }) => module?.includes("X-Wing"))
    ? "\n\nWith X-Wing, ML-KEM-768 is used as well. All other removals rest on X25519 or ristretto255 alone."
    : ""
  const sentences = [
    [
      MADE,
      `A removal from ${largest}, in ms:${ranking(removals, MADE, "least")}\n\nProcessing it, in ms:${ranking(removals, PROCESSED, "least")}${suites}`,
    ],
    [
      RATE,
      `Messages of 1 KB a second:${ranking(figures, RATE, "most")}\n\nTime of one message to the other, in ms:${ranking(figures, LATENCY, "least")}${drops(figures)}`,
    ],
    [
      CHANGE_RATE,
      `Changes of documents a second:${ranking(figures, CHANGE_RATE, "most")}\n\nTime of one change, in ms:${ranking(figures, CHANGE_LATENCY, "least")}`,
    ],
  ] as const
  const lists = sentences.flatMap(([metric, text]) => (figures.some((one) => one.metric === metric) ? [text] : []))
  const best = bestOfEach(figures.filter(({ metric, n }) => n === largest || (metric !== MADE && metric !== PROCESSED)))
  return [best, ...lists].join("\n\n")
}

export function showsOf(contestants: readonly Contestant[]): Shows {
  return {
    plots,
    paper: "None of the papers compares itself with MLS, which came later, or with browsers.",
    found,
    why: `They do not do the same work, and the missing guarantees cost time.${listOf(contestants.map(({ module, lacks }) => `${module}: ${lacks}`))}\n\nMLS blanks and refills the removed member's path and encrypts it to each subtree, where TGDH multiplies up one path. MLS sends newcomers a signed tree and needs no member online but the committer.\n\nIn some runs a data channel stands still for seconds. In \`channel\` packets were dropped before, in a full UDP buffer. Chromium gives each socket 64 KiB, whatever the system's default is. So that is the likely cause here, and a rate whose runs span more than ten times is no measurement.`,
  }
}

export const PEERS = "peers"
export const takes: Experiment["takes"] = {
  sizes: { what: "members of the group that one is removed from", least: 2, most: 300 },
}
