/** A plot as a self-contained file. Its white background suits light and dark pages. */
import { JSDOM } from "jsdom"
import type { Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { draw } from "../plots/draw.ts"

const WIDTH = 760

export function pictureOf(plot: Plot, figures: readonly Figure[]): string {
  const { document } = new JSDOM("").window
  return `${draw(plot, figures, { document, width: WIDTH, colour: "#1b1e24", background: "#ffffff" })!.outerHTML}\n`
}
