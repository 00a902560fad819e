/** A conference as an event of a calendar. */
export type Appointment = {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly url: string
  readonly startsAtMs: number
  readonly endsAtMs: number
}

/** Octets of a content line without its break (RFC 5545, section 3.1). */
const LINE_OCTETS_MAX = 75
// Everything below a space but the line break, which `escaped` writes as two characters.
// oxlint-disable-next-line no-control-regex -- these are what a calendar file must not hold
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f]/gu

/** An iCalendar file (RFC 5545) with one event. */
export function calendarFile(appointment: Appointment, nowMs: number): string {
  const { id, summary, description, url, startsAtMs, endsAtMs } = appointment
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Keymoot//Conference//EN",
    "BEGIN:VEVENT",
    `UID:${id}@keymoot`,
    `DTSTAMP:${inUtc(nowMs)}`,
    `DTSTART:${inUtc(startsAtMs)}`,
    `DTEND:${inUtc(Math.max(startsAtMs, endsAtMs))}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(description)}`,
    `URL:${escaped(url)}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join("")
}

/** 20260115T093000Z */
function inUtc(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/gu, "")
}

/** The creator's title is free text: a line break in it must not begin another property. */
function escaped(text: string): string {
  return text
    .replaceAll(/\r\n?/gu, "\n")
    .replaceAll(CONTROLS, "")
    .replaceAll(/[\\;,]/gu, String.raw`\$&`)
    .replaceAll("\n", String.raw`\n`)
}

/** Long lines go on after a break and a space; no character is cut in two. */
function folded(line: string): string {
  const encoder = new TextEncoder()
  let octets = 0
  let out = ""
  for (const char of line) {
    const size = encoder.encode(char).length
    if (octets + size > LINE_OCTETS_MAX) {
      out += "\r\n "
      octets = 1
    }
    out += char
    octets += size
  }
  return out
}
