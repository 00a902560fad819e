/** Checks of a conference's opening and end against this device's clock. */
import { KeymootError, type TimeFrame } from "../api/index.ts"
import { CONFERENCE_DURATION_MS_MAX } from "../conference/create-descriptor.ts"
import type { Descriptor } from "../conference/descriptor.ts"

/**
 * Time by which the descriptor's opening precedes creation if the conference is entered at once. An invited device's
 * clock may be behind the creator's.
 */
export const CLOCKS_BEHIND_MS = 60 * 60 * 1000

export function timeFrameOf({ startsAtMs, endsAtMs, expiresAtMs }: Descriptor): TimeFrame {
  return { opensAtMs: startsAtMs, endsAtMs, latestEndMs: expiresAtMs }
}

/** @throws KeymootError `not-yet-open` */
export function assertOpen({ startsAtMs: opensAtMs }: Pick<Descriptor, "startsAtMs">, nowMs: number): void {
  if (nowMs >= opensAtMs) return
  const message = `This conference opens at ${new Date(opensAtMs).toISOString()}. Try again then.`
  throw new KeymootError("not-yet-open", message, { opensAtMs })
}

/** @throws KeymootError `conference-over` */
export function assertNotOver(endsAtMs: number, nowMs: number): void {
  if (nowMs >= endsAtMs) throw conferenceOver()
}

export function conferenceOver(): KeymootError {
  return new KeymootError("conference-over", "This conference is over. Ask for an invitation to a new one.")
}

/** @throws KeymootError `invalid-argument` */
export function assertSchedule(opensAtMs: number, durationMs: number, nowMs: number): void {
  const endsAtMs = opensAtMs + durationMs
  if (Number.isSafeInteger(opensAtMs) && endsAtMs > nowMs && endsAtMs <= nowMs + CONFERENCE_DURATION_MS_MAX) return
  const message = "Give the time of its opening in milliseconds since 1970; it has to end within the next 30 days."
  throw new KeymootError("invalid-argument", message)
}
