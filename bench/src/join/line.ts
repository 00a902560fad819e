/** The newcomer's line in `npm run joins`. */
import { UsageError, wholeNumber } from "../run/options.ts"

const ROUND_TRIP_MS_MAX = 10_000
/** With more lost, joins take longer than the measurement waits. */
const LOST_PERCENT_MAX = 50

export type Line = { readonly oneWayMs: number; readonly loss: number }

/** `lost`: percent of the packets in each direction. @throws UsageError */
export function badLine(roundTrip: string, lost: string): Line {
  const oneWayMs = wholeNumber("--round-trip", roundTrip, 1, ROUND_TRIP_MS_MAX) / 2
  const percent = Number(lost)
  if (!/^\d+(?:\.\d+)?$/u.test(lost) || percent > LOST_PERCENT_MAX) {
    throw new UsageError(`--lost takes a percentage from 0 to ${LOST_PERCENT_MAX}, not "${lost}".`)
  }
  return { oneWayMs, loss: percent / 100 }
}
