/** When a conference may be entered, by this device's clock. */
import { KeymootError } from "../api.ts"
import { CONFERENCE_DURATION_MS_MAX, type Descriptor } from "../conference/index.ts"

/**
 * A conference that is entered as soon as it is made opens so long before, in its descriptor: whoever is invited at once may
 * have a clock that is behind its maker's.
 */
export const CLOCKS_BEHIND_MS = 60 * 60 * 1000

/** @throws KeymootError `not-yet-open` */
export function assertOpen({ startsAtMs: opensAtMs }: Pick<Descriptor, "startsAtMs">, nowMs: number): void {
  if (nowMs >= opensAtMs) return
  const message = `This conference opens at ${new Date(opensAtMs).toISOString()}. Try again then.`
  throw new KeymootError("not-yet-open", message, { opensAtMs })
}

/** @throws KeymootError `invalid-argument` */
export function assertSchedule(opensAtMs: number, durationMs: number, nowMs: number): void {
  const endsAtMs = opensAtMs + durationMs
  if (Number.isSafeInteger(opensAtMs) && endsAtMs > nowMs && endsAtMs <= nowMs + CONFERENCE_DURATION_MS_MAX) return
  const message = "Give the time of its opening in milliseconds since 1970; it has to end within the next 30 days."
  throw new KeymootError("invalid-argument", message)
}
