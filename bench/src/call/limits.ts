/** The limits of a call, each beside its figure, and the time of a frame by layer. Both are tables of markdown. */
import type { Figure } from "../experiment/figure.ts"
import { type Limit, limitsTable } from "../experiment/limits.ts"
import { find } from "../experiment/story.ts"
import {
  CAMERA,
  CHAT_RATIO,
  CLICK,
  FRAMES,
  FROM_PACKET,
  LAYER_METRICS,
  LAYERS,
  LINES,
  PROCESSOR_RATIO,
  STROKE_RATIO,
  transformMetric,
} from "./metrics.ts"

const transform = (n: number, kind: string, direction: string): Limit[] =>
  [
    ["p50", 0.5],
    ["p99", 5],
  ].map(([part, most]) => ({
    what: `frame encryption, ${n} people: ${kind} ${direction === "send" ? "sent" : "received"}, ${part}`,
    of: { event: CAMERA, n, metric: transformMetric(kind, direction, part as string) },
    most: most as number,
  }))

export const LIMITS: readonly Limit[] = [
  ...[2, 4].flatMap((n) =>
    ["video", "audio"].flatMap((kind) => ["send", "receive"].flatMap((direction) => transform(n, kind, direction))),
  ),
  ...LAYERS.flatMap((event) =>
    [2, 4, 6, 8].map((n) => ({
      what: `processor time of a call of ${n} with ${event}, to that of the same call without frame encryption`,
      of: { event, n, metric: PROCESSOR_RATIO },
      most: 1.25,
    })),
  ),
  { what: "pressing Camera to a frame at the other, median", of: { metric: CLICK }, most: 150 },
  { what: "pressing Camera to a frame at the other, p95", of: { metric: CLICK }, value: "p95", most: 400 },
  { what: "frames a second, four people", of: { event: CAMERA, n: 4, metric: FRAMES }, least: 24 },
  { what: "lines of a picture, four people", of: { event: CAMERA, n: 4, metric: LINES }, least: 360 },
  { what: "p95 of a stroke in the call, to that in the silent room", of: { metric: STROKE_RATIO }, most: 1.5 },
  { what: "p95 of a chat message in the call, to that in the silent room", of: { metric: CHAT_RATIO }, most: 1.5 },
]

/** Columns are the people of a call. */
export function layersTable(figures: readonly Figure[]): string {
  const shown = figures.filter(({ event, metric }) => event === CAMERA && metric in LAYER_METRICS)
  const people = [...new Set(shown.map(({ n }) => n!))].toSorted((a, b) => a - b)
  const rows = Object.entries(LAYER_METRICS).map(([metric, layer]) => {
    const cells = people.map((n) => {
      const figure = find(shown, { n, metric })
      return figure ? `${figure.median} (${figure.min} to ${figure.max}, ${figure.runs})` : "?"
    })
    return `| ${layer} | ${cells.join(" | ")} |`
  })
  const head = ["layer", ...people.map((n) => `${n} people`)]
  return [`| ${head.join(" | ")} |`, `| ${head.map(() => "---").join(" | ")} |`, ...rows].join("\n")
}

export function callTables(figures: readonly Figure[]): string {
  return `Limits, each with the least and most of its values:

${limitsTable(LIMITS, figures)}

Milliseconds of a frame of video by layer: median, least to most, number of values. The last three rows are frames a second with and without frame encryption, and percent of one processor for all browsers. Browsers do not report the time from the camera to the encoder. "${LAYER_METRICS[FROM_PACKET]}" includes decryption, jitter buffer and decoder, so the rows do not add up. With more than six people, one speaks and the others listen.

${layersTable(figures)}`
}
