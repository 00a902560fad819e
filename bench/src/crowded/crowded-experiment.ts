/** The app in a page among many members: its frames and its processor time. */
import { setTimeout as pause } from "node:timers/promises"
import { launch } from "@keymoot/e2e"
import { startServer } from "@keymoot/signaling"
import type { Browser, Page } from "@playwright/test"
import { needWebApp, WEB_APP } from "../browsers/browser-needed.ts"
import { processorSeconds } from "../browsers/processor.ts"
import type { Experiment, Options, Progress } from "../experiment/experiment.ts"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { find, medianOf, withUnit } from "../experiment/story.ts"
import { draw, Drawers } from "../room/company.ts"
import { start, takePen } from "../room/room.ts"
import { securedAt } from "../room/watch.ts"

const SIZES = {
  quick: { others: 2, runs: 1, forMs: 2000, strokes: 2 },
  full: { others: 24, runs: 5, forMs: 10_000, strokes: 6 },
}
const FRAME = "time from one frame of the page to the next"
const PROCESSOR = "processor time of the page with its browser"
const EVENTS = ["at rest", "the person draws", "the person and others draw"] as const
type Event = (typeof EVENTS)[number]
/** Others that draw. More would fill the processors of this machine. */
const DRAWING = 5
/** After the last join. By then all direct paths are there. */
const SETTLE_MS = 15_000
/** All members share the address of this machine. */
const ADDRESS_SCALE = 1000

async function* run({ sizes, runs, quick = false }: Options, progress: Progress): AsyncGenerator<Figure> {
  needWebApp()
  const size = SIZES[quick ? "quick" : "full"]
  const all = sizes ?? [size.others]
  const count = runs ?? size.runs
  for (const [place, others] of all.entries()) {
    progress(place, all.length)
    const samples = await crowd(others, count, size)
    for (const [name, values] of samples) {
      const [metric, event] = name.split(": ") as [string, string]
      yield figureOf({ experiment: "crowded", event, n: others, metric, unit: metric === FRAME ? "ms" : "%" }, values)
    }
  }
  progress(1, 1)
}

async function crowd(
  others: number,
  runs: number,
  { forMs, strokes }: (typeof SIZES)["full"],
): Promise<Map<string, number[]>> {
  const server = await startServer({ webDir: WEB_APP, addressScale: ADDRESS_SCALE })
  const browser = await launch("chromium")
  const samples = new Map<string, number[]>()
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    const { page, invitation } = await start(context, server.url, new Map())
    await page.locator("canvas.interactive").waitFor()
    const drawers = new Drawers(invitation)
    try {
      for (let i = 0; i < others; i++) await drawers.tell("come")
      await securedAt(page, others + 1)
      await pause(SETTLE_MS)
      await takePen(page)
      const add = (metric: string, event: Event, ...values: readonly number[]): void => {
        samples.set(`${metric}: ${event}`, [...(samples.get(`${metric}: ${event}`) ?? []), ...values])
      }
      const drawn = async (event: Event): Promise<void> => {
        await noteFrames(page)
        add(PROCESSOR, event, await processorOf(browser, () => draw(page, strokes)))
        add(FRAME, event, ...(await takeFrames(page)))
      }
      for (let i = 0; i < runs; i++) {
        // Without noting frames, for which the page would draw 60 a second.
        add(PROCESSOR, "at rest", await processorOf(browser, () => pause(forMs)))
        await drawn("the person draws")
        await drawers.tell("draw", Math.min(DRAWING, others))
        await drawn("the person and others draw")
        await drawers.tell("rest")
      }
    } finally {
      await drawers.close()
    }
  } finally {
    await browser.close()
    await server.close()
  }
  return samples
}

type FramesWindow = { frameTimes: number[] | null }

function noteFrames(page: Page): Promise<void> {
  return page.evaluate(() => {
    const self = window as unknown as FramesWindow
    const times: number[] = (self.frameTimes = [])
    const note = (atMs: number): void => {
      times.push(atMs)
      if (self.frameTimes === times) requestAnimationFrame(note)
    }
    requestAnimationFrame(note)
  })
}

/** Times from each frame to the next since `noteFrames`, in ms. */
async function takeFrames(page: Page): Promise<number[]> {
  const times = await page.evaluate(() => {
    const self = window as unknown as FramesWindow
    const times = self.frameTimes ?? []
    self.frameTimes = null
    return times
  })
  return times.slice(1).map((atMs, i) => atMs - times[i]!)
}

/** Percent of one processor that the whole browser takes meanwhile. */
async function processorOf(browser: Browser, act: () => Promise<void>): Promise<number> {
  const [sinceSeconds, sinceMs] = [await processorSeconds(browser), performance.now()]
  await act()
  const seconds = (performance.now() - sinceMs) / 1000
  return (100 * ((await processorSeconds(browser)) - sinceSeconds)) / seconds
}

export const crowdedExperiment: Experiment = {
  name: "crowded",
  about: "The app in a page with 24 others: time between its frames and its processor time, at rest and while drawing.",
  needs: "Chromium and npm run build:web",
  takes: { sizes: { what: "other members", least: 1, most: 40 } },
  run,
  shows: {
    plots: [
      {
        title: "Processor time of a page with many others, % of a core",
        of: ({ metric }) => metric === PROCESSOR,
        bar: ({ event }) => event!,
        scale: "linear",
      },
    ],
    paper: "None of the papers has browsers.",
    found: (figures) => {
      const n = Math.max(...figures.map((each) => each.n!))
      const told = EVENTS.map((event) => {
        const frame = find(figures, { n, event, metric: FRAME })
        const times = frame ? `, ${withUnit(frame.median, "ms")} (p95 ${withUnit(frame.p95, "ms")}) between frames` : ""
        return `When ${event}: ${medianOf(figures, { n, event, metric: PROCESSOR })} of a core${times}.`
      })
      return `A page of the app with ${n} others. ${told.join(" ")}`
    },
    why: "The others are members in one process of Node on the same machine, so they take processor time from the page. Elsewhere they would run on other machines. Chromium draws in software here, 60 frames a second at most.",
  },
}
