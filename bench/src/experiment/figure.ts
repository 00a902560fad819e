/** The measured quantity. Fields that do not apply are absent. */
export type Quantity = {
  readonly experiment: string
  readonly metric: string
  readonly unit: string
  readonly module?: string
  readonly event?: string
  /** Members before the event. */
  readonly n?: number
  /** How many come or go in it. */
  readonly change?: number
  readonly network?: string
  /** The papers' figure for the same, where they give one. */
  readonly paper?: number
}

/** One measured quantity: how many runs, their median and spread. Never one number without the others. */
export type Figure = Quantity & {
  readonly runs: number
  readonly min: number
  readonly median: number
  readonly p95: number
  readonly max: number
}

/** @throws RangeError for no values */
export function figureOf(quantity: Quantity, values: readonly number[]): Figure {
  if (values.length === 0) throw new RangeError(`no values of ${quantity.metric}`)
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!
  return {
    ...quantity,
    runs: sorted.length,
    min: rounded(sorted[0]!),
    median: rounded((sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.floor(sorted.length / 2)]!) / 2),
    p95: rounded(at(0.95)),
    max: rounded(sorted.at(-1)!),
  }
}

/** The median of the figures' medians, and the span of all runs. Each figure counts alike. */
export function pooled(figures: readonly Figure[]): Pick<Figure, "min" | "median" | "max"> {
  const { median } = figureOf(
    figures[0]!,
    figures.map((figure) => figure.median),
  )
  return { min: Math.min(...figures.map(({ min }) => min)), median, max: Math.max(...figures.map(({ max }) => max)) }
}

/** To a tenth, or three digits where that is finer: half a millisecond is a figure too. */
function rounded(value: number): number {
  return Math.abs(value) >= 100 ? Math.round(value * 10) / 10 : Number(value.toPrecision(3))
}

export function asLine(figure: Figure): string {
  const { experiment, module, event, change, n, network, metric, unit, runs, min, median, p95, max } = figure
  const what = [
    experiment,
    [module, event, change && `of ${change}`, n !== undefined && `n=${n}`, network].filter(Boolean).join(" "),
    metric,
  ]
    .filter(Boolean)
    .join(": ")
  return `${what}: median ${median} ${unit}, p95 ${p95}, ${min} to ${max}, ${runs} runs`
}
