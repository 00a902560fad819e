const DAY_MS = 24 * 60 * 60 * 1000
/** Core's bound for the end of a conference, from now. */
const ENDS_WITHIN_MS = 30 * DAY_MS

/** A chosen time as milliseconds since 1970. Null: now. Wrong: it is past, or its end is too far ahead. */
export function openingOf(opensAt: string, durationMs: number, nowMs: number): number | null | "wrong" {
  if (opensAt === "") return null
  const opensAtMs = new Date(opensAt).getTime()
  return opensAtMs > nowMs && opensAtMs + durationMs <= nowMs + ENDS_WITHIN_MS ? opensAtMs : "wrong"
}

/** Day and time, in the page's language. */
export function formatOpening(atMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" }).format(atMs)
}
