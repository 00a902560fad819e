/** One meeting with a call, and the times of its strokes and messages before, in and after it. */
import { setTimeout as pause } from "node:timers/promises"
import { launch } from "@keymoot/e2e"
import type { PagePackage } from "@keymoot/e2e/package-page"
import { startServer } from "@keymoot/signaling"
import type { Browser } from "@playwright/test"
import { processorSeconds } from "../browsers/processor.ts"
import { figureOf } from "../experiment/figure.ts"
import { Caller, DEVICES } from "./caller.ts"
import {
  BUFFERED,
  CAMERA,
  CHAT_CALL,
  CHAT_RATIO,
  CHAT_SILENT,
  DECODED,
  ENCODED,
  ENTER,
  FRAMES,
  FRAMES_CLEAR,
  FROM_PACKET,
  type Layer,
  LINES,
  PACED,
  PUBLISH,
  ROUND_TRIP,
  STROKE_CALL,
  STROKE_RATIO,
  STROKE_SILENT,
  transformMetric,
} from "./metrics.ts"
import type { Pictures } from "./pictures.ts"

/** `strokes`: as many messages too, in the call and as many in silence. */
type MeetingSize = { readonly forMs: number; readonly presses: number; readonly strokes: number }
export type Samples = Map<string, number[]>

const BETWEEN_STROKES_MS = 50
/** The first one creates the document at the other. */
const WARM_UP_STROKES = 5
/** Encoders raise their bitrate for some seconds after the first frame. */
const SETTLE_MS = 4000
/**
 * Up to so many people all speak, and are seen. In larger calls one does, and the others listen: two processors have no
 * time for more, and 56 connections.
 */
const ALL_SPEAK_MAX = 6
/** A large call sends no more of a camera. */
const OF_A_LARGE_CALL = { width: 320, height: 180, frameRate: 15 }
/** Looks at the way of single frames in one measurement. */
const LOOKS = 4

export function add(samples: Samples, name: string, ...values: readonly number[]): void {
  if (values.length > 0) samples.set(name, [...(samples.get(name) ?? []), ...values])
}

/** One meeting of so many people. Returns the processor time of each layer, in percent of one processor. */
export async function meet(
  n: number,
  { forMs, presses, strokes }: MeetingSize,
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
    const [silent, busy]: [Samples, Samples] = [new Map(), new Map()]
    await bob.watchOthers()
    // Also without frame encryption, so that the processor times are of pages with the same past.
    if (n === 2) await talk(ada, bob, strokes / 2, "before", silent)
    const speakers = n <= ALL_SPEAK_MAX ? callers : [ada]
    for (const caller of speakers) await caller.capture(n <= ALL_SPEAK_MAX ? undefined : OF_A_LARGE_CALL)
    // One after another: on few processors the connections of many at once take minutes.
    for (const [others, caller] of callers.filter((each) => each !== bob).entries()) {
      await caller.enter()
      if (speakers.includes(caller)) await caller.publish("microphone")
      await caller.connected(others)
    }
    await ada.publish("camera")
    const enteredMs = await bob.enter()
    const seenMs = await bob.firstFrame(enteredMs)
    if (measuresTimes) add(times, ENTER, seenMs - enteredMs)
    if (speakers.includes(bob)) await bob.publish("microphone")
    for (const caller of callers) await caller.connected(n - 1)
    await ada.unpublish("camera")
    await pause(SETTLE_MS)
    const microphone = await layer("microphone", browser, callers, forMs, encrypted, into)
    for (const caller of speakers) await caller.publish("camera")
    await pause(SETTLE_MS)
    const camera = await layer(CAMERA, browser, callers, forMs, encrypted, into)
    if (measuresTimes) {
      await talk(ada, bob, strokes, "call", busy)
      add(times, PUBLISH, ...(await publishTimes(ada, bob, presses)))
      for (const caller of callers) await caller.leave()
      await pause(SETTLE_MS)
      await talk(ada, bob, strokes / 2, "after", silent)
      compareTalk(silent, busy, times)
    }
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

/** Strokes and messages in turns, with a warm-up. */
async function talk(ada: Caller, bob: Caller, count: number, name: string, into: Samples): Promise<void> {
  for (let i = -WARM_UP_STROKES; i < count; i++) {
    for (const kind of ["stroke", "message"] as const) {
      const what = `${kind} ${name} ${i}`
      const beganMs = await (kind === "stroke" ? ada.draw(what) : ada.say(what))
      const endedMs = await bob.came(what)
      if (i >= 0) add(into, kind, endedMs - beganMs)
      await pause(BETWEEN_STROKES_MS)
    }
  }
}

function compareTalk(silent: Samples, busy: Samples, times: Samples): void {
  const p95 = (values: readonly number[]): number =>
    figureOf({ experiment: "call", metric: "", unit: "ms" }, values).p95
  for (const [kind, before, during, ratio] of [
    ["stroke", STROKE_SILENT, STROKE_CALL, STROKE_RATIO],
    ["message", CHAT_SILENT, CHAT_CALL, CHAT_RATIO],
  ] as const) {
    const [still, loud] = [silent.get(kind)!, busy.get(kind)!]
    add(times, before, ...still)
    add(times, during, ...loud)
    add(times, ratio, p95(loud) / p95(still))
  }
}

/** Measures for so long. Returns the processor time in percent of one processor. */
async function layer(
  event: Layer,
  browser: Browser,
  callers: readonly Caller[],
  forMs: number,
  encrypted: boolean,
  { [event]: into }: Readonly<Record<Layer, Samples>>,
): Promise<number> {
  const before = await Promise.all(callers.map((caller) => caller.pictures()))
  const [sinceSeconds, sinceMs] = [await processorSeconds(browser), performance.now()]
  await pause(forMs)
  const seconds = (performance.now() - sinceMs) / 1000
  const processor = (100 * ((await processorSeconds(browser)) - sinceSeconds)) / seconds
  for (const [i, caller] of callers.entries()) {
    const now = await caller.pictures()
    if (!encrypted) add(into, FRAMES_CLEAR, ...ratesOf(before[i]!, now))
    else if (event === CAMERA) addWay(into, before[i]!, now)
  }
  if (!encrypted) return processor
  // After the processor time, since noting the times of frames costs some.
  for (const caller of callers) await caller.timeTransforms()
  await pause(forMs)
  for (const caller of callers) {
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
  for (let look = 0; look < (event === CAMERA ? LOOKS : 0); look++)
    for (const caller of callers) add(into, FROM_PACKET, ...(await caller.fromPackets()))
  return processor
}

/** Frames a second of each picture between two looks, or nothing without pictures. */
function ratesOf(former: Pictures, now: Pictures): number[] {
  // An overloaded page answers late and has then decoded frames for longer than the wanted time.
  const rate = (1000 * (now.frames - former.frames)) / (now.atMs - former.atMs) / Math.max(1, now.count)
  return rate > 0 ? [rate] : []
}

/** The mean of each counter between two looks. One that did not grow has none. */
function addWay(into: Samples, former: Pictures, now: Pictures): void {
  const grown = (name: keyof Pictures): number => now[name] - former[name]
  const rates = ratesOf(former, now)
  add(into, FRAMES, ...rates)
  if (rates.length > 0) add(into, LINES, now.lines / now.count)
  for (const [metric, seconds, count] of [
    [ENCODED, "encodeSeconds", "encoded"],
    [PACED, "paceSeconds", "packets"],
    [ROUND_TRIP, "roundTripSeconds", "roundTrips"],
    [BUFFERED, "bufferSeconds", "buffered"],
    [DECODED, "decodeSeconds", "frames"],
  ] as const)
    // A connection that was replaced between the looks takes its counters with it.
    if (grown(count) > 0 && grown(seconds) >= 0) add(into, metric, (1000 * grown(seconds)) / grown(count))
}
