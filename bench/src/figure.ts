/** One measured quantity: how many runs, their median and spread. Never one number without the others. */
export type Figure = {
  readonly experiment: string
  readonly metric: string
  readonly unit: string
  readonly runs: number
  readonly min: number
  readonly median: number
  readonly p95: number
  readonly max: number
}

/** @throws RangeError for no values */
export function figureOf(experiment: string, metric: string, unit: string, values: readonly number[]): Figure {
  if (values.length === 0) throw new RangeError(`no values of ${metric}`)
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!
  const rounded = (value: number): number => Math.round(value * 10) / 10
  return {
    experiment,
    metric,
    unit,
    runs: sorted.length,
    min: rounded(sorted[0]!),
    median: rounded(at(0.5)),
    p95: rounded(at(0.95)),
    max: rounded(sorted.at(-1)!),
  }
}

export function asLine({ experiment, metric, unit, runs, min, median, p95, max }: Figure): string {
  return `${experiment}: ${metric}: median ${median} ${unit}, p95 ${p95}, ${min} to ${max}, ${runs} runs`
}
