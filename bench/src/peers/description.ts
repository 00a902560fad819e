/** Description of `peers`, for the runner and for the page, which has fewer of them. */
import type { Experiment, Plot, Shows } from "../experiment.ts"
import type { Figure } from "../figure.ts"
import { isMeasured, withUnit } from "../story.ts"
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

/** Median and spread without their unit, the best first. Names a peer that wins, and a rate that is not measured. */
function ranking(figures: readonly Figure[], metric: string, best: "least" | "most"): string {
  const sign = best === "least" ? 1 : -1
  const all = figures.filter((figure) => figure.metric === metric)
  const ranked = all.filter(isMeasured).toSorted((a, b) => sign * (a.median - b.median))
  const texts = ranked.map(({ module, median, min, max }) => `${module}: ${median} (${min}–${max})`)
  const [first] = ranked
  if (first && !first.module!.startsWith("keymoot")) texts.push("A peer wins")
  for (const { module, min, max, unit } of all.filter((figure) => !isMeasured(figure)))
    texts.push(`${module}: not measured, runs from ${min} to ${withUnit(max, unit)}`)
  return texts.join(". ")
}

/** The least and the most in a run, by peer; nothing in results that are older than the count. */
function drops(figures: readonly Figure[]): string {
  const texts = figures
    .filter(({ metric }) => metric === DROPS)
    .map(({ module, min, max }) => `${module}: ${min}–${max}`)
  return texts.length === 0 ? "" : ` UDP datagrams dropped by full buffers in a run. ${texts.join(". ")}.`
}

function found(figures: readonly Figure[]): string {
  const largest = Math.max(...figures.filter(({ metric }) => metric === MADE).map(({ n }) => n!))
  const removals = figures.filter(({ n }) => n === largest)
  const suites = removals.some(({ module }) => module?.includes("X-Wing"))
    ? " With X-Wing, ML-KEM-768 is used as well. All other removals rest on X25519 or ristretto255 alone."
    : ""
  const sentences = [
    [
      MADE,
      `A removal from ${largest}, in ms. ${ranking(removals, MADE, "least")}. Processing it, in ms. ${ranking(removals, PROCESSED, "least")}.${suites}`,
    ],
    [
      RATE,
      `Messages of 1 KB a second. ${ranking(figures, RATE, "most")}. Time of one message to the other, in ms. ${ranking(figures, LATENCY, "least")}.${drops(figures)}`,
    ],
    [
      CHANGE_RATE,
      `Changes of documents a second. ${ranking(figures, CHANGE_RATE, "most")}. Time of one change, in ms. ${ranking(figures, CHANGE_LATENCY, "least")}.`,
    ],
  ] as const
  return sentences.flatMap(([metric, text]) => (figures.some((one) => one.metric === metric) ? [text] : [])).join(" ")
}

export function showsOf(contestants: readonly Contestant[]): Shows {
  return {
    plots,
    paper: "None of the papers compares itself with MLS, which came later, or with browsers.",
    found,
    why: `They do not do the same work, and the missing guarantees cost time. ${contestants.map(({ module, lacks }) => `${module}: ${lacks}`).join(". ")}. MLS blanks and refills the removed member's path and encrypts it to each subtree, where TGDH multiplies up one path. MLS sends newcomers a signed tree and needs no member online but the committer. In some runs a data channel stands still for seconds. In \`channel\` packets were dropped before, in a full UDP buffer. Chromium gives each socket 64 KiB, whatever the system's default is. So that is the likely cause here, and a rate whose runs span more than ten times is no measurement.`,
  }
}

export const PEERS = "peers"
export const takes: Experiment["takes"] = {
  sizes: { what: "members of the group that one is removed from", least: 2, most: 300 },
}
