/** Five rows for the README, from the figures that are kept. */
import type { Quantity, Figure } from "../figure.ts"
import { AGREEMENT } from "../rekey/measure.ts"
import { JOIN, STROKE } from "../room/metrics.ts"
import { find, withUnit } from "../story.ts"

type Cell = { readonly name: string; readonly figure: Partial<Quantity> & { readonly experiment: string } }
type Row = { readonly what: string; readonly cells: readonly [Cell, Cell] }

const agreement = (module: string, event: string, n: number, network: string): Cell => ({
  name: module.toUpperCase(),
  figure: { experiment: "rekey", module, event, n, network, metric: AGREEMENT },
})

/** Label, our figure, and the figure to compare it with. */
const ROWS: readonly Row[] = [
  {
    what: "a new key when one of 50 leaves, on a LAN",
    cells: [agreement("tgdh", "leave", 50, "lan"), agreement("gdh", "leave", 50, "lan")],
  },
  {
    what: "a new key when one comes to 49, at three sites 70 to 300 ms apart",
    cells: [agreement("tgdh", "join", 49, "wan"), agreement("gdh", "join", 49, "wan")],
  },
  {
    what: "a new key when one of 300 leaves, on a LAN",
    cells: [agreement("tgdh", "leave", 300, "lan"), agreement("str", "leave", 300, "lan")],
  },
  {
    what: "the work of removing one of 100, signatures included",
    cells: [
      {
        name: "TGDH's sponsor",
        figure: { experiment: "compute", module: "tgdh", event: "leave", metric: "sponsor, with signatures", n: 100 },
      },
      {
        name: "ts-mls 1.6.4",
        figure: { experiment: "compute", module: "ts-mls 1.6.4", event: "leave", metric: "make a removal", n: 100 },
      },
    ],
  },
  {
    what: 'in two browsers, from pressing "Join" to secured; from a stroke to the other\'s screen',
    cells: [
      { name: "joined", figure: { experiment: "room", metric: JOIN } },
      { name: "seen", figure: { experiment: "room", metric: STROKE } },
    ],
  },
]

/** Null while a figure for it is missing: a table with holes is none. */
export function headline(figures: readonly Figure[]): string | null {
  const rows = ROWS.map(({ what, cells }) => {
    const texts = cells.map(({ name, figure: wanted }) => {
      const found = find(figures, wanted)
      if (!found) return null
      const { median, unit, min, max, runs } = found
      return `${name}: ${withUnit(median, unit)} (${min} to ${max}, ${runs} runs)`
    })
    return texts.includes(null) ? null : `| ${what} | ${texts.join(" | ")} |`
  })
  if (rows.includes(null)) return null
  return ["| medians | | beside it |", "| --- | --- | --- |", ...rows].join("\n")
}

/** Names of the figures that the table lacks. */
export function missingForHeadline(figures: readonly Figure[]): readonly string[] {
  return ROWS.filter(({ cells }) => cells.some(({ figure }) => !find(figures, figure))).map(({ what }) => what)
}
