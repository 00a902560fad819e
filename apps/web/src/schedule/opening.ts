const DAY_MS = 24 * 60 * 60 * 1000
/** Core's bound for the end of a conference, from now. */
const ENDS_WITHIN_MS = 30 * DAY_MS

/** Milliseconds since 1970 of what a person chose; null: at once; wrong: it has passed, or its end is too far away. */
export function openingOf(opensAt: string, durationMs: number, nowMs: number): number | null | "wrong" {
  if (opensAt === "") return null
  const opensAtMs = new Date(opensAt).getTime()
  return opensAtMs > nowMs && opensAtMs + durationMs <= nowMs + ENDS_WITHIN_MS ? opensAtMs : "wrong"
}

/** Day and time, in words of the page's language. */
export function formatOpening(atMs: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "short" }).format(atMs)
}
