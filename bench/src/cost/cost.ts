/** Cost of each event under each module, counted from outside by a wrapped group and the outputs. */
import { type Kem, KEY_AGREEMENT_NAMES, type KeyAgreementName, type MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Conference } from "../in-memory/conference.ts"
import { COST_METRICS, KEM_OPERATIONS, measureChange } from "./critical-path.ts"
import type { ChangeCost, Cost, FlushCost } from "./critical-path.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"
import { MODULE_NAMES, type Options } from "../experiment/experiment.ts"
import { type Kems, labelOf } from "../in-memory/hybrid-agreement.ts"
import { type EventName, EVENTS, papersCost } from "./papers.ts"
import { papersRole, roleMetric, ROLES } from "./roles.ts"

const SIZES = [2, 4, 8, 16, 32, 64]
/** How many members merge or leave at once; one is a join or a leave. */
const CHANGES = [2, 3, 4, 5, 6, 7, 8]
const RUNS = 3

export const WITH_FLUSH = " with flush and confirmations"

/** Counts do not depend on the group, only on the length of its elements: ristretto255's. */
const group = createToyGroup(32)

/**
 * Covers all modules but majority, whose events are no views (`majority-cost.ts`). `--runs`: histories. The first is a
 * conference that started in one view; in each next one more member was replaced before, and others leave. `kems`: one for
 * each mode that is measured.
 */
export function cost(
  { modules = MODULE_NAMES, sizes = SIZES, runs = RUNS }: Options,
  changes: readonly number[] = CHANGES,
  kems: Kems = [null],
): Figure[] {
  const names = KEY_AGREEMENT_NAMES.filter((module) => modules.includes(module))
  const contestants = names.flatMap((module) => kems.map((kem) => ({ module, kem })))
  return contestants.flatMap((contestant) =>
    EVENTS.flatMap((event) =>
      sizes.flatMap((n) =>
        changesOf(event, n, changes).flatMap((change) => {
          const historyOf = (run: number): number => (runs > 1 ? run / (runs - 1) : 0)
          const all = Array.from({ length: runs }, (_, run) => measure(contestant, event, n, change, historyOf(run)))
          return figuresOf(contestant, event, n, change, all)
        }),
      ),
    ),
  )
}

type Contestant = { readonly module: KeyAgreementName; readonly kem: Kem | null }

function changesOf(event: EventName, n: number, changes: readonly number[]): readonly number[] {
  if (event === "refresh") return [0]
  if (event === "merge") return changes
  if (event === "partition") return changes.filter((p) => n - p >= 2)
  return [1]
}

/** @param history from 0 to 1: how much has happened before, and how senior the leavers are */
function measure({ module, kem }: Contestant, event: EventName, n: number, change: number, history: number) {
  const conference = new Conference(module, group, kem)
  let present = conference.start(n)
  conference.change(present)
  for (let replaced = 0; replaced < Math.min(n - 1, Math.round(history * 4)); replaced++) {
    present = [...without(present, leaversOf(present, 1, (replaced * 0.37) % 1)), ...conference.start(1)]
    conference.change(present)
  }
  return measureChange(conference, membersAfter(conference, event, present, change, history), present)
}

function membersAfter(
  conference: Conference,
  event: EventName,
  present: readonly MemberId[],
  change: number,
  history: number,
): readonly MemberId[] {
  switch (event) {
    case "join":
      return [...present, ...conference.start(1)]
    case "leave":
    case "partition":
      return without(present, leaversOf(present, change, history))
    case "merge": {
      const others = conference.start(change)
      conference.change(others)
      return [...present, ...others]
    }
    case "refresh":
      return present
  }
}

/** Spread evenly; `part` from 0 to 1 moves them all from the most senior to the newest. */
function leaversOf(present: readonly MemberId[], count: number, part: number): MemberId[] {
  return Array.from({ length: count }, (_, i) => {
    const place = Math.floor(((i + part) * present.length) / count)
    return present[Math.min(place, present.length - 1)]!
  })
}

function without(present: readonly MemberId[], leaving: readonly MemberId[]): MemberId[] {
  return present.filter((id) => !leaving.includes(id))
}

function figuresOf(
  { module, kem }: Contestant,
  event: EventName,
  n: number,
  change: number,
  runs: readonly ChangeCost[],
): Figure[] {
  const common = { experiment: "cost", module: labelOf(module, kem), event, n, change }
  const unitOf = (metric: string): string => (metric === "bytes" ? "bytes" : "count")
  const papers: Partial<Cost> = kem ? {} : (papersCost(module, event, n, change) ?? {})
  const ours = (kem ? ([...COST_METRICS, KEM_OPERATIONS] as const) : COST_METRICS).map((metric) => {
    const paper = papers[metric]
    return figureOf(
      { ...common, metric, unit: unitOf(metric), ...(paper === undefined ? {} : { paper }) },
      runs.map(({ cost }) => cost[metric]),
    )
  })
  const ofFlush = Object.keys(runs[0]!.flush) as (keyof FlushCost)[]
  const flush = ofFlush
    .filter((metric) => kem || metric !== KEM_OPERATIONS)
    .map((metric) =>
      figureOf(
        { ...common, metric: `flush ${metric}`, unit: unitOf(metric) },
        runs.map(({ flush }) => flush[metric]),
      ),
    )
  const confirmation = (["rounds", "multicasts", "bytes"] as const).map((metric) =>
    figureOf(
      { ...common, metric: `confirmation ${metric}`, unit: unitOf(metric) },
      runs.map(({ confirmation }) => confirmation[metric]),
    ),
  )
  const whole = (["rounds", "messages"] as const).map((metric) =>
    figureOf(
      { ...common, metric: `${metric}${WITH_FLUSH}`, unit: "count" },
      runs.map(({ whole }) => whole[metric]),
    ),
  )
  return [...ours, ...flush, ...confirmation, ...whole, ...roleFigures({ module, kem }, common, runs)]
}

/** Only joins and leaves have them. Runs in which no member has a role do not count for it. */
function roleFigures(
  { module, kem }: Contestant,
  common: { readonly experiment: string; readonly module: string; readonly event: EventName; readonly n: number },
  runs: readonly ChangeCost[],
): Figure[] {
  const { event, n } = common
  if (event !== "join" && event !== "leave") return []
  return ROLES.flatMap((role) => {
    const values = runs.flatMap(({ roles }) => roles[role] ?? [])
    const paper = kem ? undefined : papersRole(module, event, n, role)
    const quantity = { ...common, metric: roleMetric(role), unit: "count", ...(paper === undefined ? {} : { paper }) }
    return values.length > 0 ? [figureOf(quantity, values)] : []
  })
}
