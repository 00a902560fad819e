import { missingForLab } from "@keymoot/e2e/namespaces"
import { needWebApp } from "./browser-needed.ts"
import { type Experiment, Unavailable } from "./experiment.ts"
import { FACTS, FORM, JOIN_AT_ONCE, JOIN_LATER, MEGABITS, ONE_WAY_MS, SLOWDOWN } from "./slow/metrics.ts"
import { medianOf } from "./story.ts"

export const slowExperiment: Experiment = {
  name: "slow",
  about: `A line of ${MEGABITS} Mbit/s and a main thread ${SLOWDOWN} times slower: start form, facts of an invitation, join.`,
  needs: "root on Linux, Chromium and npm run build:web",
  takes: {},
  run: async function* ({ runs, quick }, progress) {
    const missing = missingForLab()
    if (missing !== null) throw new Unavailable(missing)
    needWebApp()
    // Loaded when asked for: the others need no browser.
    const { visits } = await import("./slow/visits.ts")
    yield* visits(runs ?? (quick ? 1 : 5), quick ? 0 : 1, progress)
  },
  shows: {
    plots: [
      {
        title: "Waiting times with a slow line and a slow processor, nothing cached",
        of: ({ unit }) => unit === "ms",
        bar: ({ metric }) => metric,
        scale: "linear",
      },
    ],
    paper: "None of the papers has browsers, or asks what a person feels.",
    found: (figures) => {
      const at = (metric: string) => medianOf(figures, { metric })
      return `After ${at(FORM)} the name field of the start page is there. The facts of an invitation take ${at(FACTS)} to come. A newcomer who presses the button at once is secured ${at(JOIN_AT_ONCE)} later. It takes ${at(JOIN_LATER)} if the button is pressed ten seconds later.`
    },
    why: `The visitor’s access line carries ${MEGABITS} Mbit/s each way, and all its packets take ${2 * ONE_WAY_MS} ms there and back. It carries everything: files, WebSockets, workers and WebRTC. Chromium slows the page’s main thread ${SLOWDOWN} times. It slows neither the engine’s worker nor the process that loads files. There is no TLS, so a real visit takes one or two round trips more, and six connections of HTTP/1.1 instead of one of HTTP/2. Each visit has a fresh profile, in a browser that runs already.`,
  },
}
