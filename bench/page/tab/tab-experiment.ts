/** `tab` in the page: the real engine over real data channels, all members in this tab. */
import { MODULE_NAMES, type Experiment, type Options, type Progress } from "../../src/experiment/experiment.ts"
import { figureOf, type Figure } from "../../src/experiment/figure.ts"
import { BARE, JOIN, LATENCY, LEAVE, LINKS, NETWORK, RATE, tabDescription } from "../../src/tab/description.ts"
import { bareRate, latencies, rate } from "./messages.ts"
import { TabRoom } from "./room.ts"

const SIZES = { quick: [2, 4], full: [3, 8, 12] }
const MESSAGES = { quick: 20, full: 60 }
const RATE_MS = { quick: 500, full: 2000 }
const experiment = tabDescription.name

async function* run(options: Options, progress: Progress): AsyncGenerator<Figure> {
  const size = options.quick ? "quick" : "full"
  const sizes = options.sizes ?? SIZES[size]
  const modules = options.modules ?? (options.quick ? (["tgdh"] as const) : MODULE_NAMES)
  const runs = options.runs ?? (options.quick ? 1 : 5)
  // The effort grows with the number of links.
  const of = modules.length * sizes.reduce((sum, n) => sum + n * n, 0)
  let done = 0
  for (const n of sizes) {
    for (const [i, module] of modules.entries()) {
      const look = (): void => progress(done, of)
      look()
      const room = new TabRoom(module, n, look)
      try {
        await room.fill(n)
        if (i === 0) yield* measureMessages(room, MESSAGES[size], runs, RATE_MS[size], look)
        yield* measureViews(room, module, runs)
      } finally {
        await room.close()
      }
      done += n * n
    }
  }
  progress(of, of)
}

/** No module changes what messages take. */
async function* measureMessages(
  room: TabRoom,
  messages: number,
  runs: number,
  forMs: number,
  look: () => void,
): AsyncGenerator<Figure> {
  const what = { experiment, n: room.members.length, network: NETWORK }
  yield figureOf({ ...what, metric: LINKS, unit: "count" }, [room.links()])
  for (const event of ["agreed", "safe"] as const) {
    await latencies(room, event, Math.ceil(messages / 5))
    look()
    yield figureOf({ ...what, event, metric: LATENCY, unit: "ms" }, await latencies(room, event, messages))
    look()
  }
  const [rates, bare]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    bare.push(await bareRate(forMs))
    rates.push(await rate(room, forMs))
    look()
  }
  yield figureOf({ ...what, event: "agreed", metric: RATE, unit: "per second" }, rates)
  yield figureOf({ ...what, metric: BARE, unit: "per second" }, bare)
}

async function* measureViews(room: TabRoom, module: string, runs: number): AsyncGenerator<Figure> {
  const n = room.members.length
  const [joins, leaves]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    const leftMs = performance.now()
    const left = room.leave()
    await room.secured()
    leaves.push(performance.now() - leftMs)
    await left
    await room.rested()
    const joinedMs = performance.now()
    await room.join()
    await room.secured()
    joins.push(performance.now() - joinedMs)
    await room.rested()
  }
  const what = { experiment, module, network: NETWORK, unit: "ms" }
  yield figureOf({ ...what, event: "leave", n, metric: LEAVE }, leaves)
  yield figureOf({ ...what, event: "join", n: n - 1, metric: JOIN }, joins)
}

export const tabExperiment: Experiment = { ...tabDescription, run }
