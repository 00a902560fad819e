import type { Experiment, LinePlot, NetworkName } from "../experiment/experiment.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"
import { InMemoryRoom } from "./room.ts"
import { SIMULATED_LATENCY, SIMULATED_ROUND, simulatedOrder } from "./simulated.ts"
import { latencies, throughput, type Rate } from "./throughput.ts"
import { viewChange } from "./view-changes.ts"
import type { OrderedService } from "../rekey/member.ts"
import { medianOf } from "../experiment/story.ts"

const SERVICES: readonly OrderedService[] = ["agreed", "safe"]
/** Numbers of whole engines in one process. */
const SIZES = { quick: [4], full: [2, 4, 8] }
const SIMULATED_SIZES = { quick: [2, 8], full: [2, 4, 8, 16, 32, 50] }
const ENGINES_MAX = 24
const NETWORKS: readonly NetworkName[] = ["lan", "wan"]
const SIMULATED_RUNS = { quick: 3, full: 9 }
const MESSAGES = 100
const FOR_MS = 2000
/** In each run, for one takes some 10 ms and whatever the process does beside it shows. */
const CHANGES = 3
const IN_MEMORY = "in memory, one process"

export const RATE = "1 KB messages delivered by every member"
const CPU_RATE = "the same for each second of processor time, all members and threads together"
export const LATENCY = "one message of 1 KB to the last member"
export const CHANGE = "to the new secured view at all who stay"

async function* engines(n: number, runs: number, quick: boolean): AsyncGenerator<Figure> {
  const room = await InMemoryRoom.of(n)
  const what = { experiment: "order", n, network: IN_MEMORY }
  try {
    for (const service of SERVICES) {
      await latencies(room, service, MESSAGES / 5)
      yield figureOf({ ...what, event: service, metric: LATENCY, unit: "ms" }, await latencies(room, service, MESSAGES))
    }
    for (const service of SERVICES) {
      const forMs = quick ? FOR_MS / 2 : FOR_MS
      await throughput(room, service, forMs)
      const rates: Rate[] = []
      for (let run = 0; run < runs; run++) rates.push(await throughput(room, service, forMs))
      const rate = { ...what, event: service, unit: "per second" }
      yield figureOf(
        { ...rate, metric: RATE },
        rates.map(({ perSecond }) => perSecond),
      )
      const ofProcessors = rates.flatMap(({ perProcessorSecond }) => perProcessorSecond ?? [])
      if (ofProcessors.length > 0) yield figureOf({ ...rate, metric: CPU_RATE }, ofProcessors)
    }
    for (const event of n > 2 ? (["leave", "crash"] as const) : []) {
      const times: number[] = []
      for (let change = 0; change < CHANGES * runs; change++) times.push(await viewChange(room, event))
      yield figureOf({ ...what, event, metric: CHANGE, unit: "ms" }, times)
    }
  } finally {
    room.close()
  }
}

const members: LinePlot["x"] = { label: "members", at: ({ n }) => n! }

export const orderExperiment: Experiment = {
  name: "order",
  about: `Agreed and safe messages of up to ${ENGINES_MAX} whole engines in one process: rate, latency and view changes. On virtual networks: latency and all-to-all rounds of up to 50 members.`,
  takes: { sizes: { what: "members", least: 2, most: 50 }, network: true },
  run: async function* ({ sizes, runs, network, quick = false }, progress) {
    const size = quick ? "quick" : "full"
    const rooms = (sizes ?? SIZES[size]).filter((n) => n <= ENGINES_MAX)
    const simulated = sizes ?? SIMULATED_SIZES[size]
    const of = rooms.length + simulated.length
    for (const [done, n] of rooms.entries()) {
      progress(done, of)
      yield* engines(n, runs ?? (quick ? 2 : 5), quick)
    }
    for (const [done, n] of simulated.entries()) {
      progress(rooms.length + done, of)
      yield* simulatedOrder(n, network === undefined ? NETWORKS : [network], runs ?? SIMULATED_RUNS[size])
    }
    progress(of, of)
  },
  shows: {
    plots: [
      {
        title: "Messages of 1 KB a second, delivered by every member",
        of: ({ metric }) => metric === RATE,
        x: members,
        series: ({ event }) => event!,
        scale: "linear",
      },
      ...NETWORKS.map((network): LinePlot => ({
        title: `${network}, simulated: one message of 1 KB to its last member, and a round of all to all`,
        of: (figure) =>
          figure.network === network && (figure.metric === SIMULATED_LATENCY || figure.metric === SIMULATED_ROUND),
        x: members,
        series: ({ event }) => event!,
        scale: "log",
      })),
    ],
    paper:
      "An Agreed multicast of Spread takes 0.75 to 0.92 ms on a LAN with 2 to 50 members. Across the three sites it takes 328 to 392 ms. In a round each sends and waits for all others. It takes 2 ms with 2 members, 21 ms with 50, and about 1000 ms with 50 across the sites. The papers give no rates. (Amir, Kim, Nita-Rotaru and Tsudik, sections 6.1.1 and 6.2.1).",
    found: (figures) => {
      const real = (event: string, metric: string) => medianOf(figures, { event, n: 4, network: IN_MEMORY, metric })
      const at = (event: string, n: number, network: string) =>
        medianOf(figures, { event, n, network, metric: event === "all to all" ? SIMULATED_ROUND : SIMULATED_LATENCY })
      return `Four members in one process deliver ${real("agreed", RATE)} (agreed) and ${real("safe", RATE)} (safe). A message alone takes ${real("agreed", LATENCY)} (agreed) and ${real("safe", LATENCY)} (safe). A leave is over after ${real("leave", CHANGE)}.\n\nThe simulator has 2 and 50 members. An agreed message on the LAN takes ${at("agreed", 2, "lan")} and ${at("agreed", 50, "lan")} there. A round of all to all takes ${at("all to all", 2, "lan")} and ${at("all to all", 50, "lan")}. Across the three sites, with 50 members, the two take ${at("agreed", 50, "wan")} and ${at("all to all", 50, "wan")}.`
    },
    why: "Every message is encrypted, hashed, and sealed for each link. Four members share one thread here, because Node signs and encrypts in the calling thread. Batches of up to 256 KB spread a signature over hundreds of messages. The rest is ciphers, buffers of 256 KB and their collection.\n\nA leave takes six messages one after another and some thirty signatures made and checked. In the simulator nothing is encrypted and each member has a processor of its own.\n\nAn agreed message goes to the sequencer and from there to the farthest member. A safe one also waits for all acknowledgements. A round of all to all takes the longest of these ways once. That is less than Spread's token needs to pass through all sites.",
  },
}
