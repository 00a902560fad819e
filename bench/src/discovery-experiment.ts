/**
 * Time until neighbour discovery settles after joins, crashes, partitions and merges. Virtual time shows the protocol,
 * not the machine.
 */
import { SimulatedOverlay } from "@keymoot/transport/testing"
import type { Experiment, Options } from "./experiment.ts"
import { figureOf } from "./figure.ts"
import type { Figure } from "./figure.ts"

const SIZES = [25, 50, 100, 300]
const RUNS = 5
const QUICK = { sizes: [40], runs: 3 }
/** No figure is given for what has not settled by then: the run fails. */
const WITHIN_MS = 60_000
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
  about: "Until neighbour tables settle after joins, crashes and cuts, in virtual time.",
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
    ],
    paper:
      "The aim was that tables of neighbours are right 30 to 40 s after a change of the network. Suitable parameters reach it (FAIN, section 5).",
    found: worst,
    why: "Members decide on an advertisement at once and alone. Refused members learn other addresses. Losses are noticed after 2.5 s, the time for which a silent neighbour is kept.",
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
  const slowest = figures.toSorted((a, b) => b.max - a.max)[0]
  const seconds = slowest ? (slowest.max / 1000).toFixed(1) : "?"
  const sizes = figures.map(({ n }) => n!).toSorted((a, b) => a - b)
  return `With ${sizes[0] ?? "?"} to ${sizes.at(-1) ?? "?"} members, all tables are right within ${seconds} s of any of these changes. The slowest case had ${slowest?.n ?? "?"} members: ${slowest?.event ?? "?"}.`
}
