/** A plot as a file that stands by itself: on white, so that it can be read in a light page and in a dark one. */
import { JSDOM } from "jsdom"
import type { Plot } from "../experiment.ts"
import type { Figure } from "../figure.ts"
import { draw } from "../plots/draw.ts"

const WIDTH = 760

export function pictureOf(plot: Plot, figures: readonly Figure[]): string {
  const { document } = new JSDOM("").window
  return `${draw(plot, figures, { document, width: WIDTH, colour: "#1b1e24", background: "#ffffff" })!.outerHTML}\n`
}
