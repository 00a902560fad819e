/** Five rows for the README, from the figures that are kept. */
import type { Quantity, Figure } from "../experiment/figure.ts"
import { TO_KEY } from "../rekey/measure.ts"
import { JOIN, STROKE } from "../room/metrics.ts"
import { find, withUnit } from "../experiment/story.ts"
import { REAL_KEY, REAL_SECURED } from "../wan/metrics.ts"

type Cell = { readonly name: string; readonly figure: Partial<Quantity> & { readonly experiment: string } }
type Row = { readonly what: string; readonly cells: readonly [Cell, Cell] }

/** The papers' metric: from the event to the key at every member, membership included. */
const total = (module: string, event: string, n: number, network: string): Cell => ({
  name: module.toUpperCase(),
  figure: { experiment: "rekey", module, event, n, network, metric: TO_KEY },
})
const atSites = (name: string, event: string, n: number, metric: string): Cell => ({
  name,
  figure: { experiment: "wan", module: "tgdh", event, n, metric },
})

/** Label, our figure, and the figure to compare it with. */
const ROWS: readonly Row[] = [
  {
    what: "**simulated** LAN: from the leave of one of 50 to the new key at every member",
    cells: [total("tgdh", "leave", 50, "lan"), total("gdh", "leave", 50, "lan")],
  },
  {
    what: "**simulated**, three sites 70 to 300 ms apart: from the link of a 50th to the new key at every member",
    cells: [total("tgdh", "join", 49, "wan"), total("gdh", "join", 49, "wan")],
  },
  {
    what: "the same sites as a network laboratory, 8 members, three of them real browsers, TGDH: leave and join",
    cells: [atSites("leave to key", "leave", 8, REAL_KEY), atSites("join to secured", "join", 7, REAL_SECURED)],
  },
  {
    what: "computing alone: removal of one of 100, signatures included",
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
    what: 'two real browsers on one machine: from pressing "Join" to secured; from a stroke to the other\'s screen',
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
  return ["| median (range, runs) | measured | compared with |", "| --- | --- | --- |", ...rows].join("\n")
}

/** Names of the figures that the table lacks. */
export function missingForHeadline(figures: readonly Figure[]): readonly string[] {
  return ROWS.filter(({ cells }) => cells.some(({ figure }) => !find(figures, figure))).map(({ what }) => what)
}
