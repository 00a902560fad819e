/** Five rows for the README, from the figures that are kept. */
import type { Quantity, Figure } from "../figure.ts"
import { find, withUnit } from "../story.ts"

type Cell = Partial<Quantity> & { readonly experiment: string }
type Row = { readonly what: string; readonly cells: readonly [Cell, Cell] }

const agreement = (module: string, event: string, n: number, network: string): Cell => ({
  experiment: "rekey",
  module,
  event,
  n,
  network,
  metric: "view to key at every member",
})

/** What; TGDH; beside it, what to compare it with. */
const ROWS: readonly Row[] = [
  {
    what: "a new key when one of 50 leaves, LAN (TGDH; GDH)",
    cells: [agreement("tgdh", "leave", 50, "lan"), agreement("gdh", "leave", 50, "lan")],
  },
  {
    what: "a new key when one comes to 49, three sites 70 to 300 ms apart (TGDH; GDH)",
    cells: [agreement("tgdh", "join", 49, "wan"), agreement("gdh", "join", 49, "wan")],
  },
  {
    what: "a new key when one of 300 leaves, LAN (TGDH; STR)",
    cells: [agreement("tgdh", "leave", 300, "lan"), agreement("str", "leave", 300, "lan")],
  },
  {
    what: "a removal from 100: making it (TGDH's sponsor; ts-mls 1.6.4)",
    cells: [
      { experiment: "compute", module: "tgdh", event: "leave", metric: "sponsor, with signatures", n: 100 },
      { experiment: "compute", module: "ts-mls 1.6.4", event: "leave", metric: "make a removal", n: 100 },
    ],
  },
  {
    what: "join pressed to secured; a stroke to the other's screen (Chromium)",
    cells: [
      { experiment: "room", metric: "join pressed to secured with one other" },
      { experiment: "room", metric: "stroke begun to stroke seen by the other" },
    ],
  },
]

/** Null while a figure for it is missing: a table with holes is none. */
export function headline(figures: readonly Figure[]): string | null {
  const rows = ROWS.map(({ what, cells }) => {
    const found = cells.map((cell) => find(figures, cell))
    if (found.includes(undefined)) return null
    const [ours, beside] = found.map(
      (figure) => `${withUnit(figure!.median, figure!.unit)} (${figure!.min} to ${figure!.max}, ${figure!.runs} runs)`,
    )
    return `| ${what} | ${ours} | ${beside} |`
  })
  if (rows.includes(null)) return null
  return ["| median | the first | the second |", "| --- | --- | --- |", ...rows].join("\n")
}

/** What is missing for it. */
export function missingForHeadline(figures: readonly Figure[]): readonly string[] {
  return ROWS.filter(({ cells }) => cells.some((cell) => !find(figures, cell))).map(({ what }) => what)
}
