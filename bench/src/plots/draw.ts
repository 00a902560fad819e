/** One picture of one plot: error bars from the least to the most, the papers' values as hollow diamonds. */
import type { Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { barsOf } from "./bars.ts"
import type { Drawing } from "./drawing.ts"
import { linesOf } from "./lines.ts"

/** Null if none of the figures is the plot's. */
export function draw(plot: Plot, figures: readonly Figure[], drawing: Drawing): SVGSVGElement | null {
  const own = figures.filter(plot.of)
  if (own.length === 0) return null
  const svg = "bar" in plot ? barsOf(plot, own, drawing) : linesOf(plot, own, drawing)
  // One picture with one name: what it is drawn of is not to be read out.
  for (const part of svg.querySelectorAll("[aria-label]")) part.removeAttribute("aria-label")
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg")
  svg.setAttribute("role", "img")
  svg.setAttribute("aria-label", plot.title)
  return svg
}
