import type { Experiment } from "./experiment.ts"
import { medianOf } from "./story.ts"
import { memory } from "./memory.ts"

/** Of drawing, however long that takes here. */
const MINUTES = { quick: 0.2, full: 60 }
const MEMBERS = 8

export const memoryExperiment: Experiment = {
  name: "memory",
  about:
    "What an engine of a conference of eight holds while everybody draws for an hour, as fast as this machine lets them.",
  takes: { sizes: { what: "members", least: 2, most: 24 } },
  run: async function* ({ sizes = [MEMBERS], quick = false }, progress) {
    for (const [done, members] of sizes.entries()) {
      progress(done, sizes.length)
      yield* memory(members, MINUTES[quick ? "quick" : "full"])
    }
  },
  shows: {
    plots: [
      {
        title: "Heap for each member while everybody draws",
        of: ({ event }) => event !== undefined,
        x: { label: "minutes of drawing", at: ({ event }) => Number(/[\d.]+/u.exec(event!)?.[0]) },
        series: ({ n }) => `${n} members`,
        scale: "linear",
      },
    ],
    paper: "The papers say nothing of memory.",
    found: (figures) =>
      `An engine of a conference of ${MEMBERS} holds ${medianOf(figures, { event: `after ${MINUTES.full} minutes` })} after an hour of everybody's drawing, and grew by ${medianOf(figures, { metric: "growth after the first quarter" })} after the first quarter of it.`,
    why: "Every table and queue has a bound, and messages are dropped when all are known to hold them; what is kept on is the board's own history, and what is left of a megabyte is the garbage collector's.",
  },
}
