import type { Experiment, Plot } from "../experiment.ts"
import type { Figure } from "../figure.ts"

/** Those of the experiment that have figures; where it names none, one for each of its metrics. */
export function plotsOf({ shows }: Experiment, figures: readonly Figure[]): readonly Plot[] {
  const own = (shows?.plots ?? []).filter((plot) => figures.some(plot.of))
  if (own.length > 0) return own
  const metrics = [...new Set(figures.map(({ metric, unit }) => `${metric} (${unit})`))]
  return metrics.map((title) => ({
    title,
    of: ({ metric, unit }) => `${metric} (${unit})` === title,
    x: { label: "size", at: ({ n }) => n ?? 1 },
    series: ({ module, event, network }) => [module, event, network].filter(Boolean).join(" "),
    scale: "linear",
  }))
}
