import type { Experiment, Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"

/**
 * Returns the experiment's plots that have figures. If it names none, each metric has one: lines over the sizes, or
 * bars for a single size.
 */
export function plotsOf({ shows }: Experiment, figures: readonly Figure[]): readonly Plot[] {
  const own = (shows?.plots ?? []).filter((plot) => figures.some(plot.of))
  if (own.length > 0) return own
  const metrics = [...new Set(figures.map(({ metric, unit }) => `${metric} (${unit})`))]
  return metrics.map((title): Plot => {
    const of = ({ metric, unit }: Figure): boolean => `${metric} (${unit})` === title
    const name = ({ module, event, network }: Figure): string => [module, event, network].filter(Boolean).join(" ")
    const sizes = new Set(figures.filter(of).map(({ n }) => n))
    return sizes.size > 1
      ? { title, of, x: { label: "size", at: ({ n }) => n ?? 1 }, series: name, scale: "linear" }
      : { title, of, bar: name, scale: "linear" }
  })
}
