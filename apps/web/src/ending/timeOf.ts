import type { TimeFrame } from "@keymoot/core"

/** Whether a host ended the conference at once, which is written as an end at the start. */
export function isEndedEarly({ opensAtMs, endsAtMs }: TimeFrame): boolean {
  return endsAtMs <= opensAtMs
}

/** A time of day, with the date unless it is today. */
export function timeOf(ms: number, language: string): string {
  const isToday = new Date(ms).toDateString() === new Date().toDateString()
  return new Date(ms).toLocaleString(
    language,
    isToday ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" },
  )
}
