/** Common parts of all kinds of pictures. */
import type { Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"

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

/** Readable on white and on near-black alike. */
export const COLOURS = ["#3b78e7", "#d9622b", "#2f9e5f", "#b455c4", "#b88a00", "#0e9aa7", "#e0457b", "#7a7f87"] as const

export function styleOf({ colour, background }: Drawing): Partial<CSSStyleDeclaration> & { readonly color: string } {
  return { color: colour, background, fontSize: "12px", fontFamily: "system-ui, sans-serif", overflow: "visible" }
}

/** Linear if a value is zero, which a logarithmic axis cannot show. */
export function scaleFor(plot: Plot, figures: readonly Figure[], { scale }: Drawing): "log" | "linear" {
  const hasZero = figures.some(({ min, paper }) => min <= 0 || (paper !== undefined && paper <= 0))
  return hasZero ? "linear" : (scale ?? plot.scale)
}
