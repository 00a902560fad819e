/**
 * Time until neighbour discovery settles after joins, crashes, partitions and merges. Virtual time shows the protocol,
 * not the machine.
 */
import { SimulatedOverlay } from "@keymoot/transport/testing"
import { SWEEPS, sweep, UNDER_CHURN, valueOf } from "./sweep.ts"
import type { Experiment, Options, Plot } from "../experiment/experiment.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"

const SIZES = [25, 50, 100, 300]
const RUNS = 5
const QUICK = { sizes: [40], runs: 3 }
/** No figure is given for what has not settled by then: the run fails. */
const WITHIN_MS = 60_000
/** Each run has several churns, and each of them is a sample. */
const SWEEP_RUNS_MAX = 3
/** The size at which parameters are swept: beyond a full mesh. */
const SWEPT = { members: 60, churns: 5 }
const SWEPT_QUICK = { members: 30, churns: 2 }
const METRIC = "until neighbour tables are right at all"

type Event = { readonly name: string; readonly happen: (overlay: SimulatedOverlay, members: number) => void }

/** Each begins where the one before has settled. */
const EVENTS: readonly Event[] = [
  { name: "all come at once", happen: (overlay, members) => overlay.join(members) },
  { name: "one joins", happen: (overlay) => overlay.join(1) },
  { name: "cut in two", happen: (overlay) => overlay.cut(2) },
  { name: "healed", happen: (overlay) => overlay.heal() },
  { name: "30 % crash", happen: (overlay) => overlay.crash(0.3) },
]

export const discoveryExperiment: Experiment = {
  name: "discovery",
  about:
    "Until neighbour tables settle after joins, crashes and cuts, in virtual time; under churn with other parameters too.",
  takes: { sizes: { what: "members", least: 2, most: 300 } },
  run: function* (options, progress) {
    const { sizes = SIZES, runs = RUNS }: Options = options.quick ? { ...QUICK, ...options } : options
    const work = sizes.reduce((sum, n) => sum + n * n, 0) * runs
    let done = 0
    for (const n of sizes) {
      const samples = EVENTS.map((): number[] => [])
      for (let run = 1; run <= runs; run++) {
        settle(n, run).forEach((ms, i) => samples[i]!.push(ms))
        progress((done += n * n), work)
      }
      for (const [i, { name }] of EVENTS.entries()) {
        const quantity = { experiment: "discovery", event: name, n, metric: METRIC, unit: "virtual ms" }
        yield figureOf(quantity, samples[i]!)
      }
    }
    const { members, churns } = options.quick ? SWEPT_QUICK : SWEPT
    yield* sweep(members, Math.min(runs, SWEEP_RUNS_MAX), churns, options.quick ?? false)
  },
  shows: {
    plots: [
      {
        title: "Until neighbour tables are right (virtual ms)",
        of: ({ metric }) => metric === METRIC,
        x: { label: "members", at: ({ n }) => n ?? 0 },
        series: ({ event }) => event ?? "",
        scale: "linear",
      },
      ...SWEEPS.map(({ name }): Plot => ({
        title: `After churn of a tenth, by the ${name} (virtual ms; diamonds: the middle of FAIN's aim)`,
        of: ({ metric, module }) => metric === UNDER_CHURN && module === name,
        x: { label: name, at: valueOf },
        series: () => "until tables are right",
        scale: "log",
      })),
    ],
    paper:
      "The aim was that tables of neighbours are right 30 to 40 s after a change of the network. Suitable parameters reach it (FAIN, section 5).",
    found: worst,
    why: "Members decide on an advertisement at once and alone. Refused members learn other addresses. Losses are noticed after 2.5 s, the time that a neighbour may be silent. A newcomer advertises at once, and members ask known ones before they wait for the bus.\n\nSo the advertising period and the probability of an answer decide how many handshakes there are, and hardly the time. The tolerated silence decides the time. FAIN's aim would tolerate fourteen times as much.",
  },
}

function settle(members: number, seed: number): number[] {
  const overlay = new SimulatedOverlay(seed)
  return EVENTS.map(({ name, happen }) => {
    happen(overlay, members)
    const ms = overlay.settle(WITHIN_MS)
    if (ms === null) throw new Error(`seed ${seed}, ${members} members, ${name}: ${overlay.trouble()}`)
    return ms
  })
}

function worst(figures: readonly Figure[]): string {
  const changes = figures.filter(({ metric }) => metric === METRIC)
  const slowest = changes.toSorted((a, b) => b.max - a.max)[0]
  const seconds = slowest ? inSeconds(slowest.max) : "?"
  const sizes = changes.map(({ n }) => n!).toSorted((a, b) => a - b)
  return `With ${sizes[0] ?? "?"} to ${sizes.at(-1) ?? "?"} members, all tables are right within ${seconds} of any change: joins, a cut, its healing and crashes. The slowest case had ${slowest?.n ?? "?"} members: ${slowest?.event ?? "?"}.\n\n${swept(figures)}`
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

function swept(figures: readonly Figure[]): string {
  const sentences = SWEEPS.map(({ name }) => {
    const all = figures.filter(({ metric, module }) => metric === UNDER_CHURN && module === name)
    const [fastest] = all.toSorted((a, b) => a.median - b.median)
    const slowest = all.toSorted((a, b) => b.max - a.max)[0]
    if (!fastest || !slowest) return `Other parameters, ${name}: not measured.`
    return `By the ${name}, the median after churn is least at ${valueOf(fastest)}, with ${inSeconds(fastest.median)}. At ${valueOf(slowest)} the longest takes ${inSeconds(slowest.max)}.`
  })
  return sentences.join("\n\n")
}
