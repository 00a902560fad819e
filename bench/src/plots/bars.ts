/** A horizontal bar for each figure, in their order, with its median behind it. */
import * as Plot from "@observablehq/plot"
import type { BarPlot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { COLOURS, scaleFor, styleOf, type Drawing } from "./drawing.ts"

const [BAR, PAPER] = COLOURS
const ROW = 26
const MARGIN_TOP_AND_BOTTOM = 50
const LETTER = 6.4
/** Largest part of the width for names; longer ones are cut. */
const NAMES_PART = 0.45
const MARGIN_RIGHT = 60

type Bar = { name: string; from: number; median: number; low: number; high: number; paper: number | undefined }

export function barsOf(plot: BarPlot, figures: readonly Figure[], drawing: Drawing): SVGSVGElement {
  const { document, width } = drawing
  const scale = scaleFor(plot, figures, drawing)
  const letters = Math.floor((width * NAMES_PART) / LETTER)
  const cut = (name: string): string => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name)
  const values = figures.flatMap(({ min, paper }) => (paper === undefined ? [min] : [min, paper]))
  // A bar has to begin somewhere, and a logarithm of nothing is nowhere.
  const from = scale === "log" ? 10 ** Math.floor(Math.log10(Math.min(...values))) : 0
  const bars = figures.map((figure): Bar => {
    const { median, min, max, paper } = figure
    return { name: plot.bar(figure), from, median, low: min, high: max, paper }
  })
  const names = [...new Set(bars.map(({ name }) => name))]
  return Plot.plot({
    document,
    width,
    height: MARGIN_TOP_AND_BOTTOM + ROW * names.length,
    marginLeft: 12 + LETTER * Math.max(...names.map((name) => cut(name).length)),
    marginRight: MARGIN_RIGHT,
    marginBottom: 36,
    style: styleOf(drawing),
    x: { label: `${figures[0]!.unit} →`, type: scale, grid: true, tickFormat: "~r" } as Plot.ScaleOptions,
    // Cut where they are written only: two that begin alike are still two.
    y: { label: null, domain: names, tickFormat: cut, padding: 0.35 },
    marks: [
      Plot.barX(bars, { y: "name", x1: "from", x2: "median", fill: BAR, fillOpacity: 0.55 }),
      Plot.ruleY(bars, { y: "name", x1: "low", x2: "high", stroke: "currentColor", strokeWidth: 1.5 }),
      Plot.dot(
        bars.filter(({ paper }) => paper !== undefined),
        { y: "name", x: "paper", r: 5, symbol: "diamond", stroke: PAPER, strokeWidth: 1.5 },
      ),
      Plot.text(bars, { y: "name", x: "high", text: ({ median }: Bar) => `${median}`, dx: 6, textAnchor: "start" }),
    ],
  }) as SVGSVGElement
}
