/** Processor time of members that do nothing, in pages and in Node. */
import { setTimeout as pause } from "node:timers/promises"
import { startServer } from "@keymoot/signaling"
import { missingChromium } from "../browsers/browser-needed.ts"
import type { Experiment, Progress } from "../experiment/experiment.ts"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { MEMBER, PAGE, RENDERER } from "./metrics.ts"
import { medianOf } from "../experiment/story.ts"

/** `forMs`: of one run. Linux counts a process's time in ticks of 10 ms. */
type Size = {
  readonly pages: readonly number[]
  readonly members: number
  readonly runs: number
  readonly forMs: number
}
const SIZES: Readonly<Record<"quick" | "full", Size>> = {
  quick: { pages: [2], members: 2, runs: 1, forMs: 2000 },
  full: { pages: [1, 8], members: 16, runs: 7, forMs: 20_000 },
}
/** After the last join. By then all direct paths are there, and everything that a join starts is over. */
const SETTLE_MS = { quick: 1000, full: 15_000 }
/** All members share the address of this machine. */
const ADDRESS_SCALE = 1000

async function* run({ runs, quick = false }: { runs?: number; quick?: boolean }, progress: Progress) {
  const name = quick ? "quick" : "full"
  const size = { ...SIZES[name], settleMs: SETTLE_MS[name] }
  const wanted = { ...size, runs: runs ?? size.runs }
  const missing = missingChromium()
  if (missing !== null) console.error(missing)
  const parts = [...(missing === null ? size.pages.map((n) => () => ofPages(n, wanted)) : []), () => ofNode(wanted)]
  for (const [done, part] of parts.entries()) {
    progress(done, parts.length)
    yield* part()
  }
  progress(1, 1)
}

type Wanted = Size & { readonly settleMs: number }

async function* ofPages(n: number, { runs, forMs, settleMs }: Wanted): AsyncGenerator<Figure> {
  // Loaded when asked for: members in Node need no browser.
  const [{ pagePackage }, { Pages }] = await Promise.all([import("@keymoot/e2e/package-page"), import("./pages.ts")])
  const server = await startServer({ addressScale: ADDRESS_SCALE })
  const built = await pagePackage()
  try {
    const pages = await Pages.of(n, server.url, built)
    try {
      const shares = { [PAGE]: [] as number[], [RENDERER]: [] as number[] }
      await pause(settleMs)
      for (let i = 0; i < runs; i++) {
        const [before, startMs] = [await pages.processorMs(), performance.now()]
        await pause(forMs)
        const [after, endMs] = [await pages.processorMs(), performance.now()]
        const share = (fromMs: number, toMs: number): number => (100 * (toMs - fromMs)) / (endMs - startMs)
        shares[PAGE].push(share(before.browser, after.browser) / n)
        for (const [id, fromMs] of before.renderers) shares[RENDERER].push(share(fromMs, after.renderers.get(id)!))
      }
      for (const [metric, values] of Object.entries(shares))
        yield figureOf({ experiment: "idle", event: n === 1 ? "a page alone" : "pages", n, metric, unit: "%" }, values)
    } finally {
      await pages.close()
    }
  } finally {
    await built.dispose()
    await server.close()
  }
}

async function* ofNode({ members: n, runs, forMs, settleMs }: Wanted): AsyncGenerator<Figure> {
  const { Members } = await import("./members.ts")
  const server = await startServer({ addressScale: ADDRESS_SCALE })
  try {
    const members = await Members.of(n, server.url)
    try {
      const shares: number[] = []
      await pause(settleMs)
      for (let i = 0; i < runs; i++) {
        const [before, startMs] = [await members.processorMs(), performance.now()]
        await pause(forMs)
        const [after, endMs] = [await members.processorMs(), performance.now()]
        shares.push(...after.map((ms, place) => (100 * (ms - before[place]!)) / (endMs - startMs)))
      }
      yield figureOf({ experiment: "idle", event: "Node", n, metric: MEMBER, unit: "%" }, shares)
    } finally {
      await members.close()
    }
  } finally {
    await server.close()
  }
}

export const idleExperiment: Experiment = {
  name: "idle",
  about: "Processor time of members that do nothing: pages in Chromium, and processes with a member in Node.",
  needs: "Chromium for the pages; without one the members in Node are measured alone, and that is said",
  takes: {},
  run,
  shows: {
    plots: [
      {
        title: "Processor time of an idle member, % of a core",
        of: ({ unit }) => unit === "%",
        bar: ({ event, n, metric }) => `${event}${n === 1 ? "" : `, ${n}`}: ${metric.replace("processor, of ", "")}`,
        scale: "linear",
      },
    ],
    paper: "The papers say nothing of idle members.",
    found: (figures) => {
      const { pages, members } = SIZES.full
      const page = (n: number, metric: string): string => medianOf(figures, { n, metric })
      const many = Math.max(...pages)
      return `A page alone in its conference takes ${page(1, PAGE)} of a core with its browser. Each of ${many} pages in one conference takes ${page(many, PAGE)}, of which ${page(many, RENDERER)} is its own process. Each of ${members} members in Node takes ${medianOf(figures, { n: members, metric: MEMBER })}.`
    },
    why: "An idle member sends heartbeats and acknowledges those of others, so the time grows with the number of links. Most of a page's time is WebRTC's cost for each packet (decision 0084). The pages have the package and no app. All share the processors of one machine, which are otherwise idle.",
  },
}
