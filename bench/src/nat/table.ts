/** The table of NATs, in Markdown. */
import type { Nat } from "@keymoot/e2e/nats"
import type { Result } from "../run/result.ts"
import type { Meeting } from "./meeting.ts"

/** The name of the page, also among the stored results. */
export const NATS_NAME = "nat.md"

export type Measured = Pick<Meeting, "route" | "securedMs" | "routeMs">

export type Row = {
  readonly nats: readonly [Nat, Nat]
  /** With nothing configured. */
  readonly plain: Measured[]
  /** With TURN; empty if there is none. */
  readonly turn: Measured[]
}

/** Each pair once, in either order. */
export function pairsOf(nats: readonly Nat[]): readonly (readonly [Nat, Nat])[] {
  return nats.flatMap((one, place) => nats.slice(place).map((other) => [one, other] as const))
}

const COLUMNS = ["path", "secured, ms", "path after, ms"]

/** For the list of experiments. */
export const NATS_SUMMARY =
  "Two Chromium meet in a conference, each behind a NAT of its own, with and without TURN. The table has the path and the times of each pair of kinds."

/** The page docs/benchmarks/nat.md. @param lines of the table */
export function sectionOf(lines: readonly string[], runs: number, { machine, commit, at }: Result): string {
  const taken = `Medians of ${runs} meetings. Measured on ${machine}; commit ${commit}; ${at.slice(0, 10)}.`
  return ["# NATs", "", ABOUT, "", ...lines, "", taken, ""].join("\n")
}

const ABOUT = `Two Chromium meet in a conference, each behind a NAT of its own, with nothing configured and with TURN (\`npm run nat\`). Hosts and NATs are network namespaces with nftables, without delays; [e2e/wan](../../e2e/wan/README.md#nats) describes the kinds. Local addresses are hidden behind mDNS names, as people have them.

*Secured* counts from the call of \`join\`. *Path after* counts from there until both ends use the path; 0: they did before.`

export function headOf(withTurn: boolean): string {
  const columns = ["one", "other", ...COLUMNS, ...(withTurn ? COLUMNS.map((column) => `TURN: ${column}`) : [])]
  return `${lineOf(columns)}\n${lineOf(columns.map(() => "---"))}`
}

export function rowOf({ nats, plain, turn }: Row): string {
  return lineOf([...nats, ...cellsOf(plain), ...(turn.length === 0 ? [] : cellsOf(turn))])
}

/** Meetings that took different paths are all named, the most frequent first. */
function cellsOf(meetings: readonly Measured[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { route } of meetings) counts.set(route, (counts.get(route) ?? 0) + 1)
  const routes = [...counts].toSorted(([, one], [, other]) => other - one)
  const named = routes.length === 1 ? routes[0]![0] : routes.map(([route, count]) => `${route} (${count})`).join(", ")
  return [named, medianOf(meetings.map(({ securedMs }) => securedMs)), medianOf(meetings.map(({ routeMs }) => routeMs))]
}

/** The lower one of an even number. */
function medianOf(values: readonly number[]): string {
  return `${values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)]}`
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`
}
