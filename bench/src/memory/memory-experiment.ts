import type { Experiment, LinePlot } from "../experiment/experiment.ts"
import { BOARD, ENGINE, ENGINE_GROWTH, memory, PAGE, PAGE_GROWTH } from "./memory.ts"
import type { Figure } from "../experiment/figure.ts"
import { find, medianOf } from "../experiment/story.ts"

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

const atTheEnd = (metric: string) => ({ event: `after ${MINUTES.full} minutes`, metric })

/** The copy counts as a part of what the page grew by, unless it alone takes more. */
function boardSentence(figures: readonly Figure[]): string {
  const [page, board] = [find(figures, atTheEnd(PAGE)), find(figures, atTheEnd(BOARD))]
  const text = `A new copy of the board takes ${medianOf(figures, atTheEnd(BOARD))}`
  if (!page || !board || board.median < page.median) return `${text} of it.`
  return `${text}. So apart from the board the page holds no more than before.`
}

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
      `In a conference of ${MEMBERS} an engine holds ${medianOf(figures, atTheEnd(ENGINE))} after an hour of drawing. It grew by ${medianOf(figures, { metric: ENGINE_GROWTH })} from the first half of the hour to the second. A page then holds ${medianOf(figures, atTheEnd(PAGE))} more than before the drawing. ${boardSentence(figures)} Beyond its board a page grew by ${medianOf(figures, { metric: PAGE_GROWTH })} from half to half.`,
    why: "Every table and queue of the engine has a bound, and messages are dropped when all are known to hold them. Only the board itself stays, in the page.",
  },
}
