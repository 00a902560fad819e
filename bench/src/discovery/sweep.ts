/** Discovery under churn, with one parameter at a time away from the product's value. In virtual time. */
import { DISCOVERY, SimulatedOverlay, type DiscoveryParameters } from "@keymoot/transport/testing"
import { type Figure, figureOf } from "../experiment/figure.ts"

export const UNDER_CHURN = "until neighbour tables are right after churn"
const UNSETTLED = "churn after which tables were not right within 120 s"
const REQUESTS = "handshakes begun for each churn and member"
const WITHIN_MS = 120_000
/** Share of the members that crash at once. As many come at the same time. */
const CHURN = 0.1
/** FAIN's aim is 30 to 40 s. */
const AIM_MS = 35_000

type Sweep = {
  readonly name: string
  readonly values: readonly number[]
  readonly quick: readonly number[]
  readonly at: (value: number) => DiscoveryParameters
}

export const SWEEPS: readonly Sweep[] = [
  {
    name: "probability of an answer, as a multiple",
    values: [0.25, 0.5, 1, 2, 4],
    quick: [0.5, 2],
    at: (factor) => ({ ...DISCOVERY, answers: factor * DISCOVERY.answers }),
  },
  {
    name: "advertising period, as a multiple",
    values: [0.5, 1, 2, 5, 10, 30],
    quick: [1, 10],
    at: (factor) => ({
      ...DISCOVERY,
      roundMs: factor * DISCOVERY.roundMs,
      advertiseMs: factor * DISCOVERY.advertiseMs,
    }),
  },
  {
    name: "tolerated silence and heartbeats, as a multiple",
    values: [0.5, 1, 2, 5, 10, 14],
    quick: [1, 4],
    at: (factor) => ({
      ...DISCOVERY,
      heartbeatMs: factor * DISCOVERY.heartbeatMs,
      neighbourMs: factor * DISCOVERY.neighbourMs,
    }),
  },
  {
    name: "neighbours wanted",
    values: [4, 6, 8, 12, 16],
    quick: [6, 12],
    at: (degree) => ({ ...DISCOVERY, degree, degreeMin: degree - 2, degreeMax: degree + 4 }),
  },
]

/** The value is in the event: "neighbours wanted 8". */
export const valueOf = ({ event }: Figure): number => Number(event!.split(" ").at(-1))

/** Members lose neighbours and get newcomers `times` in each run. */
export function* sweep(members: number, runs: number, times: number, quick: boolean): Generator<Figure> {
  for (const { name, values, quick: few, at } of SWEEPS) {
    for (const value of quick ? few : values) {
      const all = Array.from({ length: runs }, (_, run) => churned(members, 1 + run, times, at(value)))
      const what = { experiment: "discovery", module: name, event: `${name} ${value}`, n: members }
      const settled = all.flatMap(({ settledMs }) => settledMs)
      if (settled.length > 0) {
        yield figureOf({ ...what, metric: UNDER_CHURN, unit: "virtual ms", paper: AIM_MS }, settled)
      }
      const unsettled = all.map(({ settledMs }) => times - settledMs.length)
      yield figureOf({ ...what, metric: UNSETTLED, unit: "count" }, unsettled)
      const requests = all.map((run) => run.requests / times / members)
      yield figureOf({ ...what, metric: REQUESTS, unit: "count" }, requests)
    }
  }
}

function churned(members: number, seed: number, times: number, parameters: DiscoveryParameters) {
  const overlay = new SimulatedOverlay(seed, parameters)
  overlay.join(members)
  overlay.settle(WITHIN_MS)
  overlay.requests.clear()
  const settledMs: number[] = []
  for (let i = 0; i < times; i++) {
    overlay.crash(CHURN)
    overlay.join(Math.round(CHURN * members))
    const ms = overlay.settle(WITHIN_MS)
    if (ms !== null) settledMs.push(ms)
  }
  return { settledMs, requests: [...overlay.requests.values()].reduce((sum, count) => sum + count, 0) }
}
