import { needWebApp } from "../browsers/browser-needed.ts"
import type { Experiment, Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { spreadOf, withUnit } from "../experiment/story.ts"

const MB = 1_000_000

const plots: readonly Plot[] = (
  [
    ["MB/s", "How fast a file goes from one browser to another"],
    ["ms", "Processor time of both browsers for a MB"],
    ["MB", "How much the pages' processes grow meanwhile"],
  ] as const
).map(([unit, title]) => ({
  title,
  of: (figure) => figure.unit === unit,
  bar: ({ metric }) => metric,
  scale: "linear",
}))

/** Their names tell the size of the file. */
const named = (figures: readonly Figure[], metric: RegExp) => figures.find((one) => metric.test(one.metric))

function textOf(figures: readonly Figure[], metric: RegExp): string {
  const figure = named(figures, metric)
  return figure ? withUnit(figure.median, figure.unit) : "?"
}

function rateOf(figures: readonly Figure[], metric: RegExp): string {
  const figure = named(figures, metric)
  return figure ? spreadOf(figures, { metric: figure.metric }) : "?"
}

function comparison(figures: readonly Figure[]): string {
  const lengthIn = (metric: RegExp): string => {
    const figure = named(figures, metric)
    // Older names of the channel's figure lack it.
    return figure ? (/ (\d+ MB)/u.exec(figure.metric)?.[1] ?? "50 MB") : "?"
  }
  const [file, raw] = [lengthIn(/^a file/u), lengthIn(/^raw data channel/u)]
  const sentences = `A file of ${file} arrives at ${rateOf(figures, /^a file/u)}. A bare data channel between the same pages carries ${raw} at ${rateOf(figures, /^raw data channel/u)}.`
  return raw === file
    ? `${sentences} The median ratio of a run is ${spreadOf(figures, { unit: "ratio" })}.`
    : `${sentences} In these results the bare channel was always measured first, so they do not compare the two.`
}

export const filesExperiment: Experiment = {
  name: "files",
  about: "Real browsers: a file of 500 MB (quick: 50) between two, and their memory, beside the raw data channel.",
  needs: "Linux, Chromium and npm run build:web",
  takes: {},
  run: async function* ({ runs, quick }) {
    needWebApp()
    // Loaded when asked for: the others need no browser.
    const { files } = await import("./files.ts")
    yield* await files(runs ?? (quick ? 1 : 3), (quick ? 50 : 500) * MB)
  },
  shows: {
    plots,
    paper: "The papers send no files. SecChat's multicast takes messages of up to 1000 kbit (figure 2).",
    found: (figures) =>
      `${comparison(figures)} A MB takes ${textOf(figures, /^processor time.*of it$/u)} of processor time. Over the bare channel it takes ${textOf(figures, /^processor time.*raw/u)}. The receiver's page grows by ${textOf(figures, /receiver's page/u)} and the sender's by ${textOf(figures, /sender's page/u)}.`,
    why: "Every piece is read, hashed, encrypted, sealed for the link, and copied to the engine's worker and back. The worker shares two processors here with both browsers. The file is never in memory as a whole, so the pages grow only by windows and buffers.",
  },
}
