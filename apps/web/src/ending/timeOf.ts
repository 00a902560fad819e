import type { TimeFrame } from "@keymoot/core"

/** Each repeated end at once of a creator is a millisecond later than the one before. */
const ENDED_AT_ONCE_MS = 1000

/** Whether a host ended the conference at once, which is written as an end at the start. */
export function isEndedEarly({ opensAtMs, endsAtMs }: TimeFrame): boolean {
  return endsAtMs < opensAtMs + ENDED_AT_ONCE_MS
}

/** A time of day, with the date unless it is today, and with the year unless it is this one. */
export function timeOf(ms: number, language: string): string {
  const [time, now] = [new Date(ms), new Date()]
  if (time.toDateString() === now.toDateString()) return time.toLocaleString(language, { timeStyle: "short" })
  if (time.getFullYear() !== now.getFullYear())
    return time.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })
  return time.toLocaleString(language, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" })
}
