import type { Experiment, Plot } from "./experiment.ts"
import type { Figure } from "./figure.ts"
import { CONTESTANTS } from "./peers/contestants.ts"
import { CHANGE_LATENCY, CHANGE_RATE, LATENCY, messages, RATE } from "./peers/messages.ts"
import { MADE, PROCESSED, removals } from "./peers/removals.ts"
import { withUnit } from "./story.ts"

const SIZES = { quick: [2, 16], full: [2, 4, 8, 16, 32, 64, 100] }
const REMOVALS = { quick: 5, full: 15 }
const MESSAGES = {
  quick: { runs: 1, roundTrips: 30, forMs: 400 },
  full: { runs: 3, roundTrips: 100, forMs: 2000 },
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
    of: (figure) => figure.metric === metric,
    bar: ({ module }) => module!,
    scale: "linear",
  })),
]

/** The best first; where that is a peer, it is said. */
function ranking(figures: readonly Figure[], metric: string, best: "least" | "most"): string {
  const sign = best === "least" ? 1 : -1
  const ranked = figures.filter((figure) => figure.metric === metric).toSorted((a, b) => sign * (a.median - b.median))
  const texts = ranked.map(({ module, median, unit }) => `${module} ${withUnit(median, unit)}`)
  const [first] = ranked
  return `${texts.join(", ")}${first && !first.module!.startsWith("keymoot") ? " (a peer wins)" : ""}`
}

export const peersExperiment: Experiment = {
  name: "peers",
  about:
    "A removal beside ts-mls and OpenMLS; messages of 1 KB beside the bare data channel, simple-peer, Trystero and y-webrtc, in real browsers.",
  takes: { sizes: { what: "members of the group that one is removed from", least: 2, most: 300 } },
  run: async function* ({ sizes, runs, quick = false }, progress) {
    const size = quick ? "quick" : "full"
    const all = sizes ?? SIZES[size]
    // Half of the time goes to either.
    yield* removals(all, runs ?? REMOVALS[size], (done, of) => progress(done, 2 * of))
    const wanted = MESSAGES[size]
    yield* messages({ ...wanted, runs: runs ?? wanted.runs }, (done, of) => progress(of + done, 2 * of))
    progress(1, 1)
  },
  shows: {
    plots,
    paper: "None of the papers compares itself with MLS, which came later, or with browsers.",
    found: (figures) => {
      const largest = Math.max(...figures.filter(({ metric }) => metric === MADE).map(({ n }) => n!))
      const at = (metric: string) =>
        ranking(
          figures.filter(({ n }) => n === largest),
          metric,
          "least",
        )
      return [
        `A removal from ${largest}, made: ${at(MADE)}; processed: ${at(PROCESSED)}.`,
        `Messages of 1 KB a second: ${ranking(figures, RATE, "most")}; to the other after ${ranking(figures, LATENCY, "least")}.`,
        `Changes of documents: ${ranking(figures, CHANGE_RATE, "most")}; after ${ranking(figures, CHANGE_LATENCY, "least")}.`,
      ].join(" ")
    },
    why: `They do not do the same, and what they leave out costs: ${CONTESTANTS.map(({ module, lacks }) => `${module}: ${lacks}`).join("; ")}. MLS blanks and refills the path of whoever goes and encrypts it to each subtree, where TGDH multiplies up one path; MLS for its part hands newcomers a signed tree and needs no member online but the one who commits.`,
  },
}
