/** The limits of a call, each beside its figure, and the time of a frame by layer. Both are tables of markdown. */
import type { Figure, Quantity } from "../experiment/figure.ts"
import { find, withUnit } from "../experiment/story.ts"
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

type Limit = {
  readonly what: string
  readonly of: Partial<Quantity>
  /** The value that is judged; the median if undefined. */
  readonly value?: "p95"
} & ({ readonly most: number } | { readonly least: number })

const transform = (kind: string, direction: string): Limit[] =>
  [
    ["p50", 0.5],
    ["p99", 5],
  ].map(([part, most]) => ({
    what: `frame encryption, two people: ${kind} ${direction === "send" ? "sent" : "received"}, ${part}`,
    of: { event: CAMERA, n: 2, metric: transformMetric(kind, direction, part as string) },
    most: most as number,
  }))

const LIMITS: readonly Limit[] = [
  ...["video", "audio"].flatMap((kind) => ["send", "receive"].flatMap((direction) => transform(kind, direction))),
  ...LAYERS.flatMap((event) =>
    [2, 4].map((n) => ({
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

/** A limit without a figure is never passed. */
export function limitsTable(figures: readonly Figure[]): string {
  const rows = LIMITS.map((limit) => {
    const wanted = "most" in limit ? `≤ ${limit.most}` : `≥ ${limit.least}`
    const figure = find(figures, limit.of)
    if (!figure) return `| ${limit.what} | ${wanted} | ? | not measured |`
    const value = figure[limit.value ?? "median"]
    const passes = "most" in limit ? value <= limit.most : value >= limit.least
    const { min, max, runs, unit } = figure
    return `| ${limit.what} | ${wanted} | ${withUnit(value, unit)} (${min} to ${max}, ${runs} values) | ${passes ? "pass" : "**miss**"} |`
  })
  return ["| limit | wanted | measured | |", "| --- | --- | --- | --- |", ...rows].join("\n")
}

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

${limitsTable(figures)}

Milliseconds of a frame of video by layer: median, least to most, number of values. The last three rows are frames a second with and without frame encryption, and percent of one processor for all browsers. Browsers do not report the time from the camera to the encoder. "${LAYER_METRICS[FROM_PACKET]}" includes decryption, jitter buffer and decoder, so the rows do not add up. With more than six people, one speaks and the others listen.

${layersTable(figures)}`
}
