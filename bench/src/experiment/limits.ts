/** Limits that figures must keep, as a table of markdown. */
import type { Figure, Quantity } from "./figure.ts"
import { find, withUnit } from "./story.ts"

export type Limit = {
  readonly what: string
  readonly of: Partial<Quantity>
  /** The value that is judged; the median if undefined. */
  readonly value?: "p95"
} & ({ readonly most: number } | { readonly least: number })

/** A limit without a figure is never passed. */
export function limitsTable(limits: readonly Limit[], figures: readonly Figure[]): string {
  const rows = limits.map((limit) => {
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
