import { needWebApp } from "../browsers/browser-needed.ts"
import type { Experiment } from "../experiment/experiment.ts"
import { CHAT, DRAW_TASK, FOUR, FRAME_ALONE, FRAME_SCRIPT, JOIN, LOAD, REKEY_TASK, STROKE } from "./metrics.ts"
import { find, medianOf, withUnit } from "../experiment/story.ts"

export const roomExperiment: Experiment = {
  name: "room",
  about:
    "Real browsers: cold load, join to secured, four members, strokes, chat, what a new key and five who draw cost the page.",
  needs: "Chromium and npm run build:web",
  takes: {},
  run: async function* ({ runs, quick }, progress) {
    needWebApp()
    // Loaded when asked for: the others need no browser.
    const { room } = await import("./room.ts")
    yield* room(runs ?? (quick ? 1 : 5), quick ? "quick" : "full", progress)
  },
  shows: {
    plots: [
      {
        title: "Waiting times of a person, in Chromium",
        of: ({ unit }) => unit === "ms",
        bar: ({ metric }) => metric,
        scale: "log",
      },
    ],
    paper: "None of the papers has browsers, or asks what a person feels.",
    found: (figures) => {
      const at = (metric: string) => medianOf(figures, { metric })
      const most = (metric: string) => {
        const figure = find(figures, { metric })
        return figure ? withUnit(figure.p95, figure.unit) : "?"
      }
      return `The start screen can be used ${at(LOAD)} after a cold load. A newcomer is secured with one other member ${at(JOIN)} after pressing the button. Four are all secured ${at(FOUR)} after the last one has pressed it. A stroke is on the other screen after ${at(STROKE)} (p95 ${most(STROKE)}), and a chat message after ${at(CHAT)} (p95 ${most(CHAT)}).\n\nThe longest task of the page takes ${at(REKEY_TASK)} while five members come and go, and ${at(DRAW_TASK)} while all six draw. Script, Excalidraw's included, takes ${at(FRAME_SCRIPT)} of a frame while all six draw, and ${at(FRAME_ALONE)} while one draws alone.`
    },
    why: "Keys and ciphers are in a worker, and the page only draws. A join is a dozen round trips between two browsers and the server on one machine. The membership service waited 50 to 100 ms for further joins, and waits up to 50 ms since. The browsers share two processors and draw in software.",
  },
}
