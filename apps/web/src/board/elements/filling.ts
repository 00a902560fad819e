import { HATCH_STROKES_MAX } from "./limits.ts"
import { pathLength, type Point } from "./line.ts"

export const FILL_STYLES = ["hachure", "cross-hatch", "solid", "zigzag"] as const
type FillStyle = (typeof FILL_STYLES)[number]

type Filled = {
  readonly fillStyle: FillStyle | null
  readonly width: number | null
  readonly height: number | null
  readonly strokeWidth: number | null
}

/** How often Rough.js covers the area. */
const PASSES: Readonly<Record<FillStyle, number>> = { solid: 0, hachure: 1, "cross-hatch": 2, zigzag: 3 }

/**
 * The fill style, or "solid" where hatching would take too long. Rough.js draws a stroke between each two crossings of
 * the outline with lines `4 × strokeWidth` apart. So a winding outline makes millions of strokes: a line of two
 * thousand corners froze the page for half a minute.
 */
export function readFillStyle(
  { fillStyle, width, height, strokeWidth }: Filled,
  points: readonly Point[] | null,
): FillStyle {
  const style = fillStyle ?? "solid"
  const outline = points === null ? 2 * (Math.abs(width ?? 0) + Math.abs(height ?? 0)) : pathLength(points)
  const strokes = (PASSES[style] * outline) / (2 * 4 * (strokeWidth ?? 1))
  return strokes > HATCH_STROKES_MAX ? "solid" : style
}
