/** A line for each series, with names at the lines' ends. */
import * as Plot from "@observablehq/plot"
import type { LinePlot } from "../experiment/experiment.ts"
import { pooled, type Figure } from "../experiment/figure.ts"
import { COLOURS, scaleFor, styleOf, type Drawing } from "./drawing.ts"

type Point = {
  readonly x: number
  readonly series: string
  readonly median: number
  readonly low: number
  readonly high: number
  readonly paper: number | undefined
}

const HEIGHT = 320
/** The axis and its name. */
const MARGIN_BOTTOM = 42
/** Space for a name at a line's end: before it, and for each letter. */
const [LABEL_MARGIN, LETTER] = [30, 6.6]
const LABEL_PIXELS = 14
/** Beyond, names are cut. */
const LABEL_LETTERS = 20

export function linesOf(plot: LinePlot, figures: readonly Figure[], drawing: Drawing): SVGSVGElement {
  const points = pointsOf(plot, figures)
  const { document, width } = drawing
  const scale = scaleFor(plot, figures, drawing)
  const names = [...new Set(points.map(({ series }) => series))]
  const xs = [...new Set(points.map(({ x }) => x))]
  const isWide = Math.max(...xs) > 8 * Math.max(1, Math.min(...xs))
  const colourOf = (series: string): string => COLOURS[names.indexOf(series) % COLOURS.length]!
  const stroke = ({ series }: Point): string => colourOf(series)
  const options: Plot.PlotOptions = {
    document,
    width,
    height: HEIGHT,
    marginLeft: 60,
    marginRight: LABEL_MARGIN + LETTER * Math.min(LABEL_LETTERS, Math.max(...names.map((name) => name.length))),
    marginBottom: MARGIN_BOTTOM,
    style: styleOf(drawing),
    x: {
      label: `${plot.x.label} →`,
      type: isWide ? "log" : "linear",
      ticks: xs.length <= 9 ? xs : undefined,
      // As a function: left to itself, a logarithmic axis leaves names out.
      tickFormat: (value: number) => (value >= 10_000 ? `${value / 1000}k` : `${value}`),
    } as Plot.ScaleOptions,
    y: {
      label: `↑ ${figures[0]!.unit}`,
      type: scale,
      zero: scale === "linear",
      grid: true,
      tickFormat: "~r",
    } as Plot.ScaleOptions,
    marks: [
      Plot.ruleX(points, { x: "x", y1: "low", y2: "high", stroke, strokeOpacity: 0.5 }),
      Plot.line(points, { x: "x", y: "median", z: "series", stroke }),
      Plot.dot(points, { x: "x", y: "median", r: 3, fill: stroke }),
      Plot.dot(
        points.filter(({ paper }) => paper !== undefined),
        { x: "x", y: "paper", r: 5, symbol: "diamond", stroke, strokeWidth: 1.5 },
      ),
    ],
  }
  const bare = Plot.plot(options) as SVGSVGElement & Plot.Plot
  const y = bare.scale("y")!
  return Plot.plot({
    ...options,
    marks: [...options.marks!, ...labelMarks(points, names, (value) => y.apply(value) as number, colourOf)],
  }) as SVGSVGElement
}

/** Figures of one series at one size are pooled. */
function pointsOf(plot: LinePlot, figures: readonly Figure[]): readonly Point[] {
  const points = new Map<string, Figure[]>()
  for (const figure of figures) {
    const key = `${plot.x.at(figure)} ${plot.series(figure)}`
    points.set(key, [...(points.get(key) ?? []), figure])
  }
  return [...points.values()]
    .map((together) => {
      const [first] = together as [Figure]
      const { min, median, max } = pooled(together)
      return { x: plot.x.at(first), series: plot.series(first), median, low: min, high: max, paper: first.paper }
    })
    .toSorted((a, b) => a.x - b.x)
}

/** A name at the end of each line, moved apart where lines end close together, and never down onto the axis. */
function labelMarks(
  points: readonly Point[],
  names: readonly string[],
  pixelOf: (value: number) => number,
  colourOf: (series: string) => string,
): readonly Plot.Markish[] {
  const ends = names
    .map((series) => points.findLast((point) => point.series === series)!)
    .map((end) => ({ end, at: pixelOf(end.median) }))
    .toSorted((a, b) => a.at - b.at)
  let taken = -Infinity
  return ends.flatMap(({ end, at }, i) => {
    const lowest = HEIGHT - MARGIN_BOTTOM - (ends.length - 1 - i) * LABEL_PIXELS
    taken = Math.min(Math.max(at, taken + LABEL_PIXELS), lowest)
    const name = end.series.length > LABEL_LETTERS ? `${end.series.slice(0, LABEL_LETTERS - 1)}…` : end.series
    const text = { y: "median", frameAnchor: "right", textAnchor: "start", dy: taken - at } as const
    return [
      Plot.text([end], { ...text, dx: 8, text: () => "●", fill: colourOf(end.series) }),
      Plot.text([end], { ...text, dx: 20, text: () => name }),
    ]
  })
}
