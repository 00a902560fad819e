/** Numbers for the sentences that go with an experiment, from the figures that are kept. */
import type { Figure, Quantity } from "./figure.ts"

export function find(figures: readonly Figure[], wanted: Partial<Quantity>): Figure | undefined {
  const entries = Object.entries(wanted)
  return figures.find((figure) => entries.every(([key, value]) => figure[key as keyof Quantity] === value))
}

/** "12.3 ms", or "?" where it was not measured, as in a quick run. */
export function medianOf(figures: readonly Figure[], wanted: Partial<Quantity>): string {
  const figure = find(figures, wanted)
  return figure ? withUnit(figure.median, figure.unit) : "?"
}

export function withUnit(value: number, unit: string): string {
  if (unit === "count") return `${value}`
  if (unit === "ratio") return `${value} times`
  return unit === "%" ? `${value} %` : `${value} ${unit}`
}
