export const TIMER_MS_MIN = 1000
export const TIMER_MS_MAX = 24 * 3_600_000

/** A timer of everybody: one end that all pages count down to, or the time left while it is paused. */
export type Timer =
  | { readonly state: "running"; readonly lengthMs: number; readonly endsAtMs: number }
  | { readonly state: "paused"; readonly lengthMs: number; readonly leftMs: number }

/** Returns null for no timer, and for a peer's value that is none. */
export function readTimer(value: unknown): Timer | null {
  if (typeof value !== "object" || value === null) return null
  const { state, lengthMs, endsAtMs, leftMs } = value as Record<string, unknown>
  if (!isWithin(lengthMs, TIMER_MS_MIN, TIMER_MS_MAX)) return null
  if (state === "running") return isWithin(endsAtMs, 0, Number.MAX_SAFE_INTEGER) ? { state, lengthMs, endsAtMs } : null
  return state === "paused" && isWithin(leftMs, 0, lengthMs) ? { state, lengthMs, leftMs } : null
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
}

/** The end is by the clock of the member that started it. Another clock may differ, so no more than all of it is left. */
export function leftOf(timer: Timer, nowMs: number): number {
  return timer.state === "paused" ? timer.leftMs : Math.min(Math.max(timer.endsAtMs - nowMs, 0), timer.lengthMs)
}

export function started(lengthMs: number, nowMs: number): Timer {
  return { state: "running", lengthMs, endsAtMs: nowMs + lengthMs }
}

export function paused(timer: Timer, nowMs: number): Timer {
  return { state: "paused", lengthMs: timer.lengthMs, leftMs: leftOf(timer, nowMs) }
}

export function resumed(timer: Timer, nowMs: number): Timer {
  return { state: "running", lengthMs: timer.lengthMs, endsAtMs: nowMs + leftOf(timer, nowMs) }
}

/** "4:05" or "1:00:00". Rounded up, so that it says 0:00 only at the end. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const two = (value: number): string => `${value}`.padStart(2, "0")
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
