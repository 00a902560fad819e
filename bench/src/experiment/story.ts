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

/** "12.3 ms (9.1 to 3019, 15 runs)": for figures of which the median alone would mislead. */
export function spreadOf(figures: readonly Figure[], wanted: Partial<Quantity>): string {
  const figure = find(figures, wanted)
  if (!figure) return "?"
  const { median, unit, min, max, runs } = figure
  return `${withUnit(median, unit)} (${min} to ${max}, ${runs} runs)`
}

/** "0.95": the median of the runs' ratios, without a unit. */
export function ratioOf(figures: readonly Figure[], wanted: Partial<Quantity>): string {
  return `${find(figures, wanted)?.median ?? "?"}`
}

/** "1.2 times": one median by another. */
export function timesOf(figures: readonly Figure[], one: Partial<Quantity>, other: Partial<Quantity>): string {
  const [above, below] = [find(figures, one), find(figures, other)]
  return above && below && below.median > 0 ? `${(above.median / below.median).toPrecision(2)} times` : "? times"
}

/** "1.1": the power of `n` with which the median grows from one size to another. */
export function powerOf(figures: readonly Figure[], small: Partial<Quantity>, large: Partial<Quantity>): string {
  const [from, to] = [find(figures, small), find(figures, large)]
  if (!from || !to) return "?"
  return (Math.log(to.median / from.median) / Math.log(to.n! / from.n!)).toFixed(1)
}

/** The sentence, or that its subject was not measured where it lacks a number: results are older than it, or of a quick run. */
export function ifMeasured(subject: string, sentence: string): string {
  return sentence.includes("?") ? `${subject}: not measured.` : sentence
}

/**
 * A rate whose best run is more than so many times its worst one is no measurement: something else than the library
 * decided. Times are those of single messages, whose outliers belong to the spread.
 */
const RATE_SPREAD_MAX = 10

export function isMeasured({ unit, min, max }: Figure): boolean {
  return unit !== "per second" || max <= RATE_SPREAD_MAX * min
}

/** Median, or the runs' span for a rate that is not measured. "?" where there is none. */
export function rateOf(figures: readonly Figure[], wanted: Partial<Quantity>): string {
  const figure = find(figures, wanted)
  if (!figure || isMeasured(figure)) return medianOf(figures, wanted)
  return `not measured (runs from ${figure.min} to ${withUnit(figure.max, figure.unit)})`
}

export function withUnit(value: number, unit: string): string {
  if (unit === "count") return `${value}`
  if (unit === "ratio") return `${value} times`
  return unit === "%" ? `${value} %` : `${value} ${unit}`
}
