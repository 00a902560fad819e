/** Two kept runs of one experiment, figure beside figure. */
import type { Figure } from "../experiment/figure.ts"

export type Comparison = {
  readonly what: string
  readonly before: number
  readonly after: number
  readonly unit: string
  /** After by before; undefined where before is nothing. */
  readonly ratio?: number
  /** The ranges of the two runs do not even touch: more than the spread has moved. */
  readonly moved: boolean
}

export type Comparisons = {
  readonly compared: readonly Comparison[]
  /** Only in one of the two. */
  readonly gone: readonly string[]
  readonly added: readonly string[]
}

export function compare(before: readonly Figure[], after: readonly Figure[]): Comparisons {
  const was = new Map(before.map((figure) => [nameOf(figure), figure]))
  const is = new Map(after.map((figure) => [nameOf(figure), figure]))
  return {
    compared: [...is].flatMap(([what, now]) => {
      const then = was.get(what)
      return then ? [comparisonOf(what, then, now)] : []
    }),
    gone: [...was.keys()].filter((what) => !is.has(what)),
    added: [...is.keys()].filter((what) => !was.has(what)),
  }
}

function comparisonOf(what: string, before: Figure, after: Figure): Comparison {
  return {
    what,
    before: before.median,
    after: after.median,
    unit: after.unit,
    ...(before.median === 0 ? {} : { ratio: after.median / before.median }),
    moved: after.min > before.max || after.max < before.min,
  }
}

/** The fields that are equal in both runs. */
function nameOf({ experiment, module, event, change, n, network, metric }: Figure): string {
  const change_ = change !== undefined && change > 1 ? `of ${change}` : undefined
  const size = n === undefined ? undefined : `n=${n}`
  const conditions = [module, event, change_, size, network].filter((part) => part !== undefined).join(" ")
  return [experiment, conditions, metric].filter((part) => part !== "").join(": ")
}

/** Largest changes first. */
export function compareReport({ compared, gone, added }: Comparisons): string {
  const distance = ({ ratio }: Comparison): number => (ratio ? Math.abs(Math.log(ratio)) : Infinity)
  const lines = compared
    .toSorted((a, b) => Number(b.moved) - Number(a.moved) || distance(b) - distance(a))
    .map(({ what, before, after, unit, ratio, moved }) => {
      const times = ratio === undefined ? "     " : `×${ratio.toFixed(2)}`.padStart(7)
      return `${moved ? "MOVED" : "     "} ${times}  ${before} to ${after} ${unit}  ${what}`
    })
  const moved = compared.filter((one) => one.moved).length
  return [
    ...lines,
    ...gone.map((what) => `gone: ${what}`),
    ...added.map((what) => `new: ${what}`),
    `${compared.length} figures compared, ${moved} moved by more than the spread of both runs.`,
  ].join("\n")
}
