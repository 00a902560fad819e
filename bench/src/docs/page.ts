/** A page for each experiment from its results: plots, three texts, and tables. */
import type { Experiment, Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { plotsOf } from "../plots/plots-of.ts"
import type { Result } from "../run/result.ts"

export type Picture = { readonly plot: Plot; readonly figures: readonly Figure[] }
/** By file name; drawn when they are written. */
export type Pictures = ReadonlyMap<string, Picture>

type Page = { readonly markdown: string; readonly pictures: Pictures }

/** The rest is folded. */
const PLOTS_SHOWN = 1
/** Experiments that name no plots have one for each metric, which can be many. */
const PLOTS_MAX = 24

export function experimentPage(experiment: Experiment, result: Result): Page {
  const { name, about, shows } = experiment
  const { figures } = result
  const pictures = new Map<string, Picture>()
  const images = plotsOf(experiment, figures)
    .slice(0, PLOTS_MAX)
    .map((plot, i) => {
      const file = `${name}-${i + 1}.svg`
      pictures.set(file, { plot, figures })
      return `**${plot.title}**\n\n![${plot.title}](../images/benchmarks/${file})\n`
    })
  const story = shows
    ? [`## Here\n\n${shows.found(figures)}\n`, `## Why\n\n${shows.why}\n`, `## The papers\n\n${shows.paper}\n`]
    : []
  const tables = shows?.tables ? [`## Tables\n\n${shows.tables(figures)}\n`] : []
  const folded = images.slice(PLOTS_SHOWN)
  const markdown = [
    `# ${name}\n`,
    `${about}\n`,
    `[All experiments](../benchmarks.md) · [how to read the plots](../benchmarks.md#how-it-was-measured)\n`,
    ...images.slice(0, PLOTS_SHOWN),
    ...story,
    ...tables,
    ...(folded.length > 0
      ? [`## More pictures\n\n<details><summary>${folded.length} more pictures</summary>\n`, ...folded, "</details>\n"]
      : []),
    `## Figures\n\n${originOf(result)}\n`,
  ].join("\n")
  return { markdown, pictures }
}

/** The file of the results, machine, commit and day. */
function originOf({ experiment, figures, at, commit, machine, quick, parts = [] }: Result): string {
  const later = parts.map(
    ({ part, at, commit, machine }) => ` Those "${part}": ${machine}; commit ${commit}; ${at.slice(0, 10)}.`,
  )
  return `${figures.length} figures${quick ? ", of a quick run" : ""}: [${experiment}.json](../../bench/results/${experiment}.json); ${machine}; commit ${commit}; ${at.slice(0, 10)}.${later.join("")}`
}
