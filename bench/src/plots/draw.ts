/** One picture of one plot: lines, error bars from the least to the most, the papers' values as hollow diamonds, names at the lines' ends. */
import * as Plot from "@observablehq/plot"
import type { Plot as PlotSpec } from "../experiment.ts"
import type { Figure } from "../figure.ts"

export type Drawing = {
  readonly document: Document
  /** In pixels. */
  readonly width: number
  /** The plot's own unless given. */
  readonly scale?: "log" | "linear"
  /** Text and axes. */
  readonly colour: string
  readonly background: string
}

type Point = {
  readonly x: number
  readonly series: string
  readonly median: number
  readonly low: number
  readonly high: number
  readonly paper: number | undefined
}

/** Readable on white and on near-black alike. */
const COLOURS = ["#3b78e7", "#d9622b", "#2f9e5f", "#b455c4", "#b88a00", "#0e9aa7", "#e0457b", "#7a7f87"]
const HEIGHT = 320
const MARGIN_RIGHT = 130
const LABEL_PIXELS = 14
/** Beyond, names are cut. */
const LABEL_LETTERS = 20

/** Null if none of the figures is the plot's. */
export function draw(plot: PlotSpec, figures: readonly Figure[], drawing: Drawing): SVGSVGElement | null {
  const points = pointsOf(plot, figures)
  if (points.length === 0) return null
  const { document, width, colour, background } = drawing
  const unit = figures.find(plot.of)!.unit
  // What is nothing has no place on a logarithmic axis.
  const hasZero = points.some(({ low, paper }) => low <= 0 || (paper !== undefined && paper <= 0))
  const scale = hasZero ? "linear" : (drawing.scale ?? plot.scale)
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
    marginRight: MARGIN_RIGHT,
    marginBottom: 42,
    style: { color: colour, background, fontSize: "12px", fontFamily: "system-ui, sans-serif", overflow: "visible" },
    x: {
      label: `${plot.x.label} →`,
      type: isWide ? "log" : "linear",
      ticks: xs.length <= 9 ? xs : undefined,
      tickFormat: "~s",
    } as Plot.ScaleOptions,
    y: { label: `↑ ${unit}`, type: scale, zero: scale === "linear", grid: true, tickFormat: "~r" } as Plot.ScaleOptions,
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
  const svg = Plot.plot({
    ...options,
    marks: [...options.marks!, ...labelMarks(points, names, (value) => y.apply(value) as number, colourOf)],
  }) as SVGSVGElement
  // One picture with one name: what it is drawn of is not to be read out.
  for (const part of svg.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label")
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  svg.setAttribute("role", "img")
  svg.setAttribute("aria-label", plot.title)
  return svg
}

function pointsOf(plot: PlotSpec, figures: readonly Figure[]): readonly Point[] {
  return figures
    .filter(plot.of)
    .map((figure) => ({
      x: plot.x.at(figure),
      series: plot.series(figure),
      median: figure.median,
      low: figure.min,
      high: figure.max,
      paper: figure.paper,
    }))
    .toSorted((a, b) => a.x - b.x)
}

/** A name at the end of each line, moved apart where lines end close together. */
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
  return ends.flatMap(({ end, at }) => {
    taken = Math.max(at, taken + LABEL_PIXELS)
    const name = end.series.length > LABEL_LETTERS ? `${end.series.slice(0, LABEL_LETTERS - 1)}…` : end.series
    const text = { y: "median", frameAnchor: "right", textAnchor: "start", dy: taken - at } as const
    return [
      Plot.text([end], { ...text, dx: 8, text: () => "●", fill: colourOf(end.series) }),
      Plot.text([end], { ...text, dx: 20, text: () => name }),
    ]
  })
}
