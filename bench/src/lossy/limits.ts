/** Limits of a call over bad networks. */
import { FRAMES } from "../call/metrics.ts"
import type { Figure } from "../experiment/figure.ts"
import { type Limit, limitsTable } from "../experiment/limits.ts"
import { CONCEALED, LOSSY_NETWORK, LOST, NARROW, REGAINED, WIDE_SOON } from "./networks.ts"

const LIMITS: readonly Limit[] = [
  {
    what: "sound made up, 5 % of the packets lost and 150 ms there and back",
    of: { network: LOSSY_NETWORK, metric: CONCEALED },
    most: 10,
  },
  { what: "packets lost, from 5 s after the line is narrow", of: { network: NARROW, metric: LOST }, most: 10 },
  { what: "sound made up, from 5 s after the line is narrow", of: { network: NARROW, metric: CONCEALED }, most: 10 },
  {
    what: "frames of camera and screen a second, from 5 s after the line is narrow",
    of: { network: NARROW, metric: FRAMES },
    least: 10,
  },
  {
    what: "video from 5 s after the line is wide again, to that before it was narrow",
    of: { network: WIDE_SOON, metric: REGAINED },
    least: 0.9,
  },
]

export function lossyTables(figures: readonly Figure[]): string {
  return `Limits, each with the least and most of its values. Those of the narrow line are ours, and say what "adapts" means:

${limitsTable(LIMITS, figures)}`
}
