import type { ConferenceHandle } from "@keymoot/core"
import { type Readable, store } from "../../store.ts"
import { leftOf, paused, readTimer, resumed, started, type Timer } from "./timer.ts"

/** The map in the board's document, and its only key. */
const MAP = "timer"
const KEY = "timer"
/** Minimum time between two ends that are announced: a member can start very short timers without a pause. */
export const RING_INTERVAL_MS = 10_000

export type SessionTimer = {
  readonly timer: Readable<Timer | null>
  /** How often a timer ended while this page counted it down. A page that is opened after the end is not told. */
  readonly rings: Readable<number>
  startTimer(lengthMs: number): void
  pauseTimer(): void
  resumeTimer(): void
  clearTimer(): void
}

/** Everybody who may draw can change it. The last change wins; viewers see it. */
export function openTimer(handle: ConferenceHandle, nowMs: () => number, signal: AbortSignal): SessionTimer {
  const map = handle.document("board").doc.getMap(MAP)
  const timer = store<Timer | null>(null)
  const rings = store(0)
  let rungMs = Number.NEGATIVE_INFINITY
  let ending: ReturnType<typeof setTimeout> | undefined

  function look(): void {
    const next = readTimer(map.get(KEY))
    timer.set(next)
    clearTimeout(ending)
    const left = next === null ? 0 : leftOf(next, nowMs())
    if (next?.state === "running" && left > 0) ending = setTimeout(ring, left)
  }

  function ring(): void {
    const now = timer.get()
    // Timeouts may be early, and the clock may have been set.
    if (now?.state === "running" && leftOf(now, nowMs()) > 0) return look()
    if (nowMs() - rungMs < RING_INTERVAL_MS) return
    rungMs = nowMs()
    rings.set(rings.get() + 1)
  }

  const change = (changed: (before: Timer, now: number) => Timer): void => {
    const before = timer.get()
    if (before !== null) map.set(KEY, changed(before, nowMs()))
  }

  map.observe(look)
  look()
  signal.addEventListener("abort", () => {
    map.unobserve(look)
    clearTimeout(ending)
  })
  return {
    timer,
    rings,
    startTimer: (lengthMs) => void map.set(KEY, started(lengthMs, nowMs())),
    pauseTimer: () => change(paused),
    resumeTimer: () => change(resumed),
    clearTimer: () => map.delete(KEY),
  }
}
