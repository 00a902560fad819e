/** Real pages with the package in a call on this machine, once with frame encryption and once without, and the app. */
import { pagePackage } from "@keymoot/e2e/package-page"
import { needWebApp } from "../browsers/browser-needed.ts"
import { clicksInApp } from "./app.ts"
import { callDescription } from "./description.ts"
import { callTables } from "./limits.ts"
import { add, meet, type Samples } from "./meeting.ts"
import {
  CHAT_RATIO,
  CLICK,
  FRAMES,
  FRAMES_CLEAR,
  type Layer,
  LAYERS,
  LINES,
  PROCESSOR,
  PROCESSOR_CLEAR,
  PROCESSOR_RATIO,
  STROKE_RATIO,
} from "./metrics.ts"
import type { Experiment } from "../experiment/experiment.ts"
import { asLine, figureOf } from "../experiment/figure.ts"

const SIZES = {
  quick: { people: [2], runs: 1, forMs: 3000, presses: 5, strokes: 10 },
  full: { people: [2, 4, 6, 8], runs: 3, forMs: 12_000, presses: 20, strokes: 200 },
}
/** Larger calls take more than two processors, so a run of theirs takes five minutes and differs little from the next. */
const CROWDED = 5
const UNITS: Readonly<Record<string, string>> = {
  [FRAMES]: "per second",
  [FRAMES_CLEAR]: "per second",
  [LINES]: "count",
  [PROCESSOR]: "%",
  [PROCESSOR_CLEAR]: "%",
  [PROCESSOR_RATIO]: "ratio",
  [STROKE_RATIO]: "ratio",
  [CHAT_RATIO]: "ratio",
}
const unitOf = (metric: string): string => UNITS[metric] ?? "ms"

export const callExperiment: Experiment = {
  ...callDescription,
  report: (figures) => `${figures.map(asLine).join("\n")}\n\n${callTables(figures)}`,
  run: async function* ({ sizes, runs, quick }, progress) {
    needWebApp()
    const { people, ...size } = SIZES[quick ? "quick" : "full"]
    const all = sizes ?? people
    const built = await pagePackage()
    const times: Samples = new Map()
    try {
      for (const [place, n] of all.entries()) {
        const count = runs ?? (n < CROWDED ? size.runs : 1)
        const samples: Record<Layer, Samples> = { microphone: new Map(), "microphone and camera": new Map() }
        for (let run = 0; run < count; run++) {
          progress(place + run / count, all.length)
          const call = (encrypted: boolean) => meet(n, size, built, encrypted, samples, times)
          // In turns, so that a machine that slows down favours neither.
          const first = await call(run % 2 === 0)
          const second = await call(run % 2 !== 0)
          const [encrypted, clear] = run % 2 === 0 ? [first, second] : [second, first]
          if (n === 2) add(times, CLICK, ...(await clicksInApp(size.presses)))
          for (const event of LAYERS) {
            add(samples[event], PROCESSOR, encrypted[event])
            add(samples[event], PROCESSOR_CLEAR, clear[event])
            add(samples[event], PROCESSOR_RATIO, encrypted[event] / clear[event])
          }
        }
        for (const event of LAYERS)
          for (const [metric, values] of samples[event])
            yield figureOf({ experiment: "call", event, n, metric, unit: unitOf(metric) }, values)
        if (n !== 2) continue
        for (const [metric, values] of times)
          yield figureOf({ experiment: "call", n, metric, unit: unitOf(metric) }, values)
      }
      progress(1, 1)
    } finally {
      await built.dispose()
    }
  },
}
