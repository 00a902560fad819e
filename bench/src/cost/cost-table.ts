import type { Figure } from "../experiment/figure.ts"

const COLUMNS = [
  ["rounds", "rounds"],
  ["unicasts", "unicasts"],
  ["multicasts", "multicasts"],
  ["exponentiations", "exponentiations"],
  ["additions", "additions"],
  ["KEM operations", "KEM"],
  ["signatures", "signatures"],
  ["verifications", "verifications"],
  ["bytes", "bytes"],
  ["flush multicasts", "SYNCs"],
  ["flush exponentiations", "exp. each"],
  ["flush KEM operations", "KEM each"],
  ["flush bytes", "bytes"],
  ["confirmation multicasts", "MACs"],
  ["confirmation bytes", "bytes"],
  ["rounds with flush and confirmations", "all rounds"],
  ["messages with flush and confirmations", "all messages"],
  ["exponentiations of the controller or sponsor", "controller"],
  ["exponentiations of the newcomer", "newcomer"],
  ["exponentiations of another member", "another"],
] as const

const LEGEND = `n: members before the event. "3-5 (7)": 3 to 5 here, depending on the tree and on who leaves; 7 in the papers (Amir, Kim, Nita-Rotaru, Tsudik).
Exponentiations, additions, KEM operations, signatures, verifications: on the longest chain of dependent work from the view to the last member's key.
After the bar, the flush: contributions on the SYNCs that membership exchanges in any case; each member signs one and verifies all others'.
Rounds and messages before the bar are the key agreement's alone. Confirmations, one MAC of each member, follow every key. "All" has the
flush's three rounds (PROPOSE, SYNC, INSTALL) and that of the confirmations too.
Controller, newcomer, another: all exponentiations of the busiest member of that role, on the longest chain or beside it, in joins and leaves.
HYBRID: the post-quantum agreement runs beside the module, with messages of its own. KEM operations are key pairs, encapsulations and decapsulations.
MAJORITY: n is the roster. Everybody starts at once, and nobody fails; X25519 counts as an exponentiation. The papers give orders of magnitude only.`

/** Figures of `cost` as a table for each module, the papers' in brackets. */
export function costTable(figures: readonly Figure[]): string {
  const modules = [...new Set(figures.map(({ module }) => module!))]
  const tables = modules.map(
    (name) => `${name.toUpperCase()}\n${tableOf(figures.filter(({ module }) => module === name))}`,
  )
  return [LEGEND, ...tables].join("\n\n")
}

function tableOf(figures: readonly Figure[]): string {
  const rows = figures
    .filter(({ metric }) => metric === COLUMNS[0][0])
    .map(({ event, n, change }) => {
      const own = figures.filter((figure) => figure.event === event && figure.n === n && figure.change === change)
      const cells = COLUMNS.map(([metric]) => cell(own.find((figure) => figure.metric === metric)))
      return [eventText(event!, change), `${n}`, ...cells]
    })
  const all = [["event", "n", ...COLUMNS.map(([, title]) => title)], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const flushColumn = 2 + COLUMNS.findIndex(([metric]) => metric.startsWith("flush"))
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => (column === flushColumn ? "| " : "") + text.padEnd(widths[column]!))
      .join("  ")
      .trimEnd()
  return all.map(line).join("\n")
}

function eventText(event: string, change: number | undefined): string {
  return event === "merge" || event === "partition" ? `${event} of ${change}` : event
}

/** Empty for what a module has none of: no flush carries anything for majority. */
function cell(figure: Figure | undefined): string {
  if (!figure) return ""
  const { min, max, paper } = figure
  const ours = min === max ? `${min}` : `${min}-${max}`
  return paper === undefined ? ours : `${ours} (${paper})`
}
