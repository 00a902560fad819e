/** A call of two over bad networks, in the labs of several hosts on one machine. */
import { missingForLine } from "@keymoot/e2e/line"
import { missingForLab } from "@keymoot/e2e/namespaces"
import { pagePackage } from "@keymoot/e2e/package-page"
import { needWebApp } from "../browsers/browser-needed.ts"
import { FRAMES } from "../call/metrics.ts"
import {
  CONCEALED,
  LOST,
  LOSSY_NETWORK,
  LOSSY_WITHOUT_RED,
  NARROW,
  overNetworks,
  VIDEO_RATE,
  WIDE,
  WIDE_AGAIN,
  WIDE_SOON,
} from "./networks.ts"
import { type Experiment, Unavailable } from "../experiment/experiment.ts"
import { asLine } from "../experiment/figure.ts"
import { medianOf } from "../experiment/story.ts"
import { lossyTables } from "./limits.ts"

const SIZES = { quick: { runs: 1, forMs: 5000 }, full: { runs: 3, forMs: 20_000 } }

export const lossyExperiment: Experiment = {
  name: "lossy",
  about: "A call of two with loss and delay, with and without RED, and over a line that becomes narrow.",
  needs: "root on Linux, Chromium and npm run build:web",
  takes: {},
  run: async function* ({ runs, quick }, progress) {
    const [lab, line] = [missingForLab(), missingForLine()]
    if (lab !== null && line !== null) throw new Unavailable(lab)
    for (const missing of [lab, line]) if (missing !== null) console.error(`One part is left out. ${missing}`)
    needWebApp()
    const size = SIZES[quick ? "quick" : "full"]
    const count = runs ?? size.runs
    const built = await pagePackage()
    try {
      const asked = { ...size, runs: count, hasLab: lab === null, hasLine: line === null }
      yield* overNetworks(asked, built, (run) => progress(run, count))
      progress(count, count)
    } finally {
      await built.dispose()
    }
  },
  report: (figures) => `${figures.map(asLine).join("\n")}\n\n${lossyTables(figures)}`,
  shows: {
    tables: lossyTables,
    plots: [
      {
        title: "Sound that the decoder makes up, and pictures a second, by network",
        of: ({ metric }) => metric === CONCEALED,
        bar: ({ network }) => network!,
        scale: "linear",
      },
      {
        title: "Frames a second of the picture received, by network",
        of: ({ metric }) => metric === FRAMES,
        bar: ({ network }) => network!,
        scale: "linear",
      },
    ],
    paper: "None of the papers has voice or video.",
    found: (figures) => {
      const at = (network: string, metric: string) => medianOf(figures, { network, metric })
      return `With late and lost packets, ${at(LOSSY_NETWORK, CONCEALED)} of the sound is made up, and ${at(LOSSY_WITHOUT_RED, CONCEALED)} without RED. The picture has ${at(LOSSY_NETWORK, FRAMES)}.\n\nOver the wide line camera and screen take ${at(WIDE, VIDEO_RATE)} (${at(WIDE, FRAMES)}). From five seconds after it is narrow they take ${at(NARROW, VIDEO_RATE)} (${at(NARROW, FRAMES)}) with ${at(NARROW, LOST)} of the packets lost. From five seconds after it is wide again they take ${at(WIDE_SOON, VIDEO_RATE)}, and from fifteen on ${at(WIDE_AGAIN, VIDEO_RATE)} (${at(WIDE_AGAIN, FRAMES)}).`
    },
    why: "With RED a packet of sound is missing only if it and the next one are lost. Lost packets of video are sent again, and each takes a round trip. The browser estimates the line from delays and losses. A screen of noise takes all the 1.5 Mbit/s that it may, so the narrow line limits it.",
  },
}
