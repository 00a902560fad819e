/** The sentences of `wan`, from the figures that are kept. */
import { find, ifMeasured, medianOf, withUnit } from "../experiment/story.ts"
import { pooled, type Figure, type Quantity } from "../experiment/figure.ts"
import type { RekeyEvent } from "../rekey/measure.ts"
import * as metrics from "./metrics.ts"
import { CUT_OFF, siteOf, SITES } from "./places.ts"

export function found(figures: readonly Figure[]): string {
  const n = Math.max(0, ...figures.map((figure) => figure.n ?? 0))
  const before = { join: n - 1, leave: n, partition: n, merge: n - CUT_OFF.length }
  const at = (module: string, event: RekeyEvent, metric: string) =>
    medianOf(figures, { module, event, metric, n: before[event] })
  const more = ifMeasured(
    "Majority, partitions and merges",
    `Under majority a leave takes ${at("majority", "leave", metrics.REAL_KEY)} and a join ${at("majority", "join", metrics.REAL_KEY)} to the key. When two sites are cut off, all have a key of their part after ${at("tgdh", "partition", metrics.REAL_KEY)} under TGDH. One key for all follows ${at("tgdh", "merge", metrics.REAL_KEY)} after the heal. The simulator has ${at("tgdh", "partition", metrics.SIMULATED_KEY)} and ${at("tgdh", "merge", metrics.SIMULATED_KEY)} for both.`,
  )
  const busy = ifMeasured(
    "Processors in use",
    `All sites share the processors of one machine. They are in use for ${processorsAtJoins(figures)} of a join under TGDH.`,
  )
  return `With ${n} members, three of them browsers, all have a new key ${at("tgdh", "leave", metrics.REAL_KEY)} after a leave under TGDH. Under GDH it takes ${at("gdh", "leave", metrics.REAL_KEY)}. The simulator has ${at("tgdh", "leave", metrics.SIMULATED_KEY)} and ${at("gdh", "leave", metrics.SIMULATED_KEY)} for them.\n\nA join takes ${at("tgdh", "join", metrics.REAL_KEY)} and ${at("gdh", "join", metrics.REAL_KEY)} to the key, counted from the call. It is secured after ${at("tgdh", "join", metrics.REAL_SECURED)} and ${at("gdh", "join", metrics.REAL_SECURED)} at every member. The simulator begins at the link, and has ${at("tgdh", "join", metrics.SIMULATED_KEY)} and ${at("gdh", "join", metrics.SIMULATED_KEY)} from there.\n\n${agreed(figures, n)}\n\n${more}\n\n${leaves(figures, n)}\n\n${busy}`
}

/** How far real leaves are from simulated ones, and what the processors do meanwhile. */
function leaves(figures: readonly Figure[], largest: number): string {
  const of = (metric: string, n: number) =>
    figures.filter((figure) => figure.event === "leave" && figure.metric === metric && figure.n === n)
  const times = (above: string, below: string, n: number) =>
    spanOf(
      of(above, n).flatMap(({ module, median }) => {
        const beside = find(of(below, n), { module: module! })
        return beside ? [Number((median / beside.median).toPrecision(3))] : []
      }),
    )
  const sizes = [...new Set(figures.filter(({ metric }) => metric === metrics.REAL_KEY).map(({ n }) => n!))]
    .filter((n) => of(metrics.REAL_KEY, n).length > 0)
    .toSorted((a, b) => a - b)
  const each = (text: (n: number) => string) => sizes.map((n) => `${text(n)} (${n} members)`).join(", ") || "?"
  const busy = (n: number) => spanOf(of(metrics.PROCESSORS, n).map(({ median }) => median))
  return ifMeasured(
    "Leaves beside simulated ones",
    `The ratio of real to simulated leaves, by module: ${each((n) => times(metrics.REAL_KEY, metrics.SIMULATED_KEY, n))}. The percentage of processors in use meanwhile: ${each(busy)}. With ${largest} members who share this machine's processors, simulated leaves take ${times(metrics.SIMULATED_SHARED, metrics.SIMULATED_KEY, largest)} times as long as with one each.`,
  )
}

/** Messages of all modules together, which have no part in them, and where they were ordered. */
function agreed(figures: readonly Figure[], n: number): string {
  const of = (wanted: Partial<Quantity>) =>
    figures.filter((figure) => Object.entries(wanted).every(([key, value]) => figure[key as keyof Figure] === value))
  const bySite = (metric: string) =>
    SITES.map((site) => {
      const all = of({ event: `from ${site}`, n, metric })
      return all.length > 0 ? withUnit(pooled(all).median, "ms") : "?"
    }).join(", ")
  const event = metrics.orderedEvent("JHU", "JHU")
  const atJhu = (n: number) => spanOf(of({ event, n, metric: metrics.REAL_ORDERED }).map(({ median }) => median))
  const drawn = (metric: string) =>
    SITES.map((site) => `${of({ event: metrics.orderedEvent("JHU", site), n, metric }).length} at ${site}`).join(", ")
  const least = Math.min(n, ...figures.filter(({ metric }) => metric === metrics.REAL_AGREED).map((one) => one.n!))
  const modules = of({ event: "from JHU", n, metric: metrics.REAL_AGREED }).length || "?"
  const here = Array.from({ length: n }, (_, place) => siteOf(place)).filter((site) => site === "JHU").length
  return `An agreed message from JHU, UCI or ICU is at its last member after ${bySite(metrics.REAL_AGREED)}, all modules together. The simulator has ${bySite(metrics.SIMULATED_AGREED)} for them.\n\nSent and ordered at JHU, it takes ${atJhu(n)} ms by module with ${n} members, and ${atJhu(least)} ms with ${least} members. With ${n} members not all sites of sequencers are covered. ${here} of them are at JHU, and each run draws one sequencer. Modules with a sequencer there, of ${modules}: ${drawn(metrics.REAL_ORDERED)}. The simulator has one conference for all modules: ${drawn(metrics.SIMULATED_ORDERED)}.`
}

/** "0.84 to 1.26". */
function spanOf(values: readonly number[]): string {
  return values.length === 0 ? "?" : `${Math.min(...values)} to ${Math.max(...values)}`
}

/** "31 % (3 members), 74 % (8 members)". */
function processorsAtJoins(figures: readonly Figure[]): string {
  const joins = figures.filter(
    ({ metric, event, module }) => metric === metrics.PROCESSORS && event === "join" && module === "tgdh",
  )
  return joins.map(({ n, median, unit }) => `${withUnit(median, unit)} (${n! + 1} members)`).join(", ") || "?"
}
