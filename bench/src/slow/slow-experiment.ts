import { missingForLab } from "@keymoot/e2e/namespaces"
import { needWebApp } from "../browsers/browser-needed.ts"
import { type Experiment, Unavailable } from "../experiment/experiment.ts"
import { FACTS, FAR, FORM, JOIN_AT_ONCE, JOIN_LATER, SLOW } from "./metrics.ts"
import { medianOf } from "../experiment/story.ts"

export const slowExperiment: Experiment = {
  name: "slow",
  about: "A slow line with a slow page, and a far line: start form, facts of an invitation, join.",
  needs: "root on Linux, Chromium and npm run build:web",
  takes: {},
  run: async function* ({ runs, quick }, progress) {
    const missing = missingForLab()
    if (missing !== null) throw new Unavailable(missing)
    needWebApp()
    // Loaded when asked for: the others need no browser.
    const { visits } = await import("./visits.ts")
    for (const line of [SLOW, FAR]) yield* visits(line, runs ?? (quick ? 1 : 5), quick ? 0 : 1, progress)
  },
  shows: {
    plots: [
      {
        title: "Waiting times with a slow line and a slow page, and with a far line, nothing cached",
        of: ({ unit }) => unit === "ms",
        bar: ({ metric, event }) => `${metric}, ${event}`,
        scale: "linear",
      },
    ],
    paper: "None of the papers has browsers, or asks what a person feels.",
    found: (figures) => {
      const at = (metric: string, { name } = SLOW) => medianOf(figures, { metric, event: name })
      const slow = `On the slow line, the name field of the start page is there after ${at(FORM)}. The facts of an invitation take ${at(FACTS)} to come. A newcomer who presses the button at once is secured ${at(JOIN_AT_ONCE)} later. It takes ${at(JOIN_LATER)} if the button is pressed ten seconds later.`
      const far = `On the far line the four times are ${at(FORM, FAR)}, ${at(FACTS, FAR)}, ${at(JOIN_AT_ONCE, FAR)} and ${at(JOIN_LATER, FAR)}.`
      return `${slow} ${far}`
    },
    why: `The slow line carries ${SLOW.megabits} Mbit/s each way, and all its packets take ${2 * SLOW.oneWayMs} ms there and back. The far line has ${FAR.megabits} Mbit/s and ${2 * FAR.oneWayMs} ms. A line carries everything: files, WebSockets, workers and WebRTC. On the slow line Chromium slows the page’s main thread ${SLOW.slowdown} times. It slows neither the engine’s worker nor the process that loads files.\n\nThere is no TLS, so a real visit takes one or two round trips more, and six connections of HTTP/1.1 instead of one of HTTP/2. Each visit has a fresh profile, in a browser that runs already.`,
  },
}
