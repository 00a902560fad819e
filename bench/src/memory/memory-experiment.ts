import type { Experiment, LinePlot } from "../experiment/experiment.ts"
import { BOARD, ENGINE, ENGINE_GROWTH, memory, PAGE, PAGE_GROWTH } from "./memory.ts"
import { medianOf } from "../experiment/story.ts"

/** Minutes of drawing, however long they take on this machine. */
const MINUTES = { quick: 0.2, full: 60 }
/** Parts of that time. At the end of each, memory is measured after a garbage collection. */
const PARTS = { quick: 6, full: 24 }
/** Takes as long as it says: a clock's hour has what happens by the clock in it. */
const REAL_MINUTES = Number(process.env["REAL_MINUTES"] ?? 0)
const MEMBERS = 8

const over = (title: string, wanted: readonly string[]): LinePlot => ({
  title,
  of: ({ event, metric }) => event !== undefined && wanted.includes(metric),
  x: { label: "minutes of drawing", at: ({ event }) => Number(/[\d.]+/u.exec(event!)?.[0]) },
  series: ({ metric }) => metric,
  scale: "linear",
})

export const memoryExperiment: Experiment = {
  name: "memory",
  about:
    "Memory of the engines of a conference of eight while its people draw for an hour. With REAL_MINUTES=60 they draw in real time, else as fast as the machine allows.",
  takes: { sizes: { what: "members", least: 2, most: 24 } },
  run: async function* ({ sizes = [MEMBERS], quick = false }, progress) {
    for (const [done, members] of sizes.entries()) {
      progress(done, sizes.length)
      const size = quick ? "quick" : "full"
      if (REAL_MINUTES > 0) yield* memory(members, REAL_MINUTES, "of people", PARTS.full)
      else yield* memory(members, MINUTES[size], "as fast as they can", PARTS[size])
    }
  },
  shows: {
    plots: [
      over("Heap of an engine while people draw", [ENGINE]),
      over("Memory of a page beside the engine", [PAGE, BOARD]),
    ],
    paper: "The papers say nothing of memory.",
    found: (figures) =>
      `In a conference of ${MEMBERS} an engine holds ${medianOf(figures, { event: `after ${MINUTES.full} minutes`, metric: ENGINE })} after an hour of drawing. It grew by ${medianOf(figures, { metric: ENGINE_GROWTH })} from the first half of the hour to the second. A page then holds ${medianOf(figures, { event: `after ${MINUTES.full} minutes`, metric: PAGE })} more than before the drawing. A new copy of the board takes ${medianOf(figures, { event: `after ${MINUTES.full} minutes`, metric: BOARD })} of it. Beyond its board a page grew by ${medianOf(figures, { metric: PAGE_GROWTH })} from half to half.`,
    why: "Every table and queue of the engine has a bound, and messages are dropped when all are known to hold them. Only the board itself stays, in the page.",
  },
}
