/** Real pages with the package in a call on this machine, once with frame encryption and once without. */
import { setTimeout as pause } from "node:timers/promises"
import { launch } from "@keymoot/e2e"
import { pagePackage, type PagePackage } from "@keymoot/e2e/package-page"
import { startServer } from "@keymoot/signaling"
import type { Browser } from "@playwright/test"
import { needChromium } from "./browser-needed.ts"
import { Caller, DEVICES } from "./call/caller.ts"
import {
  callDescription,
  ENTER,
  FRAMES,
  type Layer,
  LAYERS,
  LINES,
  PROCESSOR,
  PROCESSOR_CLEAR,
  PROCESSOR_RATIO,
  PUBLISH,
  STROKE_CALL,
  STROKE_SILENT,
  transformMetric,
} from "./call/description.ts"
import type { Experiment } from "./experiment.ts"
import { figureOf } from "./figure.ts"

const SIZES = {
  quick: { people: [2], runs: 1, forMs: 3000, presses: 5, strokes: 10 },
  full: { people: [2, 4, 6, 8], runs: 3, forMs: 8000, presses: 20, strokes: 100 },
}
type Size = { readonly forMs: number; readonly presses: number; readonly strokes: number }
const UNITS: Readonly<Record<string, string>> = { [FRAMES]: "per second", [LINES]: "count", [PROCESSOR_RATIO]: "ratio" }
const BETWEEN_STROKES_MS = 50
/** The first one creates the document at the other. */
const WARM_UP_STROKES = 5
/** Encoders raise their bitrate for some seconds after the first frame. */
const SETTLE_MS = 4000

type Samples = Map<string, number[]>

function add(samples: Samples, name: string, ...values: readonly number[]): void {
  samples.set(name, [...(samples.get(name) ?? []), ...values])
}

/** One meeting of so many people. Returns the processor time of each layer, in percent of one processor. */
async function meet(
  n: number,
  { forMs, presses, strokes }: Size,
  built: PagePackage,
  encrypted: boolean,
  into: Readonly<Record<Layer, Samples>>,
  times: Samples,
): Promise<Readonly<Record<Layer, number>>> {
  const server = await startServer()
  const browser = await launch("chromium", DEVICES)
  try {
    const callers: Caller[] = []
    let url: string | null = null
    for (let i = 0; i < n; i++) {
      const caller = await Caller.open(browser, server.url, built, { encrypted })
      url = await caller.meet(`person ${i}`, server.url, url)
      callers.push(caller)
    }
    const [ada, bob] = callers as [Caller, Caller]
    const measuresTimes = encrypted && n === 2
    await bob.watchBoard()
    if (measuresTimes) add(times, STROKE_SILENT, ...(await strokeTimes(ada, bob, strokes, "silent")))
    for (const caller of callers) {
      if (caller === bob) continue
      await caller.enter()
      await caller.publish("microphone")
    }
    await ada.publish("camera")
    const enteredMs = await bob.enter()
    const seenMs = await bob.firstFrame(enteredMs)
    if (measuresTimes) add(times, ENTER, seenMs - enteredMs)
    await bob.publish("microphone")
    for (const caller of callers) await caller.connected(n - 1)
    if (measuresTimes) add(times, PUBLISH, ...(await publishTimes(ada, bob, presses)))
    await ada.unpublish("camera")
    await pause(SETTLE_MS)
    const microphone = await layer(browser, callers, forMs, encrypted, into.microphone)
    for (const caller of callers) await caller.publish("camera")
    await pause(SETTLE_MS)
    const camera = await layer(browser, callers, forMs, encrypted, into["microphone and camera"])
    if (measuresTimes) add(times, STROKE_CALL, ...(await strokeTimes(ada, bob, strokes, "call")))
    return { microphone, "microphone and camera": camera }
  } finally {
    await browser.close()
    await server.close()
  }
}

async function publishTimes(ada: Caller, bob: Caller, presses: number): Promise<number[]> {
  const waits: number[] = []
  for (let i = 0; i < presses; i++) {
    await ada.unpublish("camera")
    await bob.still()
    const beganMs = await ada.publish("camera")
    waits.push((await bob.firstFrame(beganMs)) - beganMs)
  }
  return waits
}

async function strokeTimes(ada: Caller, bob: Caller, count: number, name: string): Promise<number[]> {
  const waits: number[] = []
  for (let i = -WARM_UP_STROKES; i < count; i++) {
    const stroke = `${name} ${i}`
    const beganMs = await ada.draw(stroke)
    const endedMs = await bob.drawn(stroke)
    if (i >= 0) waits.push(endedMs - beganMs)
    await pause(BETWEEN_STROKES_MS)
  }
  return waits
}

/** Measures for so long. Returns the processor time in percent of one processor. */
async function layer(browser: Browser, callers: readonly Caller[], forMs: number, encrypted: boolean, into: Samples) {
  if (encrypted) for (const caller of callers) await caller.transformTimes()
  const before = await Promise.all(callers.map((caller) => caller.pictures()))
  const [sinceSeconds, sinceMs] = [await processorSeconds(browser), performance.now()]
  await pause(forMs)
  const seconds = (performance.now() - sinceMs) / 1000
  const processor = (100 * ((await processorSeconds(browser)) - sinceSeconds)) / seconds
  if (!encrypted) return processor
  for (const [i, caller] of callers.entries()) {
    const { count, frames, lines, atMs } = await caller.pictures()
    // An overloaded page answers late and has then decoded frames for longer than the wanted time.
    const perSecond = (1000 * (frames - before[i]!.frames)) / (atMs - before[i]!.atMs) / Math.max(1, count)
    if (perSecond > 0) {
      add(into, FRAMES, perSecond)
      add(into, LINES, lines / count)
    }
    for (const [name, all] of Object.entries(await caller.transformTimes())) {
      const [direction, kind] = name.split(" ") as [string, string]
      const sorted = all.toSorted((a, b) => a - b)
      if (sorted.length === 0) continue
      for (const [part, at] of [
        ["p50", 0.5],
        ["p99", 0.99],
      ] as const)
        add(into, transformMetric(kind, direction, part), sorted[Math.floor(at * sorted.length)]!)
    }
  }
  return processor
}

async function processorSeconds(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send("SystemInfo.getProcessInfo")
  await session.detach()
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

export const callExperiment: Experiment = {
  ...callDescription,
  run: async function* ({ sizes, runs, quick }, progress) {
    needChromium()
    const { people, ...size } = SIZES[quick ? "quick" : "full"]
    const [all, count] = [sizes ?? people, runs ?? size.runs]
    const built = await pagePackage()
    const times: Samples = new Map()
    try {
      for (const [place, n] of all.entries()) {
        const samples: Record<Layer, Samples> = { microphone: new Map(), "microphone and camera": new Map() }
        for (let run = 0; run < count; run++) {
          progress(place * count + run, all.length * count)
          const encrypted = await meet(n, size, built, true, samples, times)
          const clear = await meet(n, size, built, false, samples, times)
          for (const event of LAYERS) {
            add(samples[event], PROCESSOR, encrypted[event])
            add(samples[event], PROCESSOR_CLEAR, clear[event])
            add(samples[event], PROCESSOR_RATIO, encrypted[event] / clear[event])
          }
        }
        for (const event of LAYERS)
          for (const [metric, values] of samples[event]) {
            const unit = UNITS[metric] ?? (metric.startsWith("processor") ? "%" : "ms")
            yield figureOf({ experiment: "call", event, n, metric, unit }, values)
          }
      }
      for (const [metric, values] of times) yield figureOf({ experiment: "call", n: 2, metric, unit: "ms" }, values)
      progress(1, 1)
    } finally {
      await built.dispose()
    }
  },
}
