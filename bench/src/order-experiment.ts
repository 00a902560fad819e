import type { Experiment } from "./experiment.ts"
import { figureOf } from "./figure.ts"
import { InMemoryRoom } from "./order/room.ts"
import { latencies, throughput, type OrderedService, type Rate } from "./order/throughput.ts"
import { viewChange } from "./order/view-changes.ts"
import { medianOf } from "./story.ts"

const SERVICES: readonly OrderedService[] = ["agreed", "safe"]
const MESSAGES = 100
const FOR_MS = 2000
const IN_MEMORY = "in memory, one process"

export const RATE = "1 KB messages delivered by every member"
export const CPU_RATE = "the same for each second of processor time, all members and threads together"
export const LATENCY = "one message of 1 KB to the last member"
export const CHANGE = "to the new secured view at all who stay"

export const orderExperiment: Experiment = {
  name: "order",
  about:
    "Agreed and safe messages encrypted and signed, whole engines in one process over in-memory links: rate, latency, view changes.",
  takes: { sizes: { what: "members", least: 2, most: 24 } },
  run: async function* ({ sizes, runs, quick }, progress) {
    const all = sizes ?? (quick ? [4] : [2, 4, 8])
    const count = runs ?? (quick ? 2 : 5)
    for (const [done, n] of all.entries()) {
      progress(done, all.length)
      const room = await InMemoryRoom.of(n)
      const what = { experiment: "order", n, network: IN_MEMORY }
      try {
        for (const service of SERVICES) {
          await latencies(room, service, MESSAGES / 5)
          yield figureOf(
            { ...what, event: service, metric: LATENCY, unit: "ms" },
            await latencies(room, service, MESSAGES),
          )
        }
        for (const service of SERVICES) {
          const forMs = quick ? FOR_MS / 2 : FOR_MS
          await throughput(room, service, forMs)
          const rates: Rate[] = []
          for (let run = 0; run < count; run++) rates.push(await throughput(room, service, forMs))
          const of = (pick: (rate: Rate) => number): number[] => rates.map(pick)
          yield figureOf(
            { ...what, event: service, metric: RATE, unit: "per second" },
            of(({ perSecond }) => perSecond),
          )
          yield figureOf(
            { ...what, event: service, metric: CPU_RATE, unit: "per second" },
            of(({ perProcessorSecond }) => perProcessorSecond),
          )
        }
        for (const event of n > 2 ? (["leave", "crash"] as const) : []) {
          const times: number[] = []
          for (let run = 0; run < count; run++) times.push(await viewChange(room, event))
          yield figureOf({ ...what, event, metric: CHANGE, unit: "ms" }, times)
        }
      } finally {
        room.close()
      }
    }
    progress(all.length, all.length)
  },
  shows: {
    plots: [
      {
        title: "Messages of 1 KB a second, delivered by every member",
        of: ({ metric }) => metric === RATE,
        x: { label: "members", at: ({ n }) => n! },
        series: ({ event }) => event!,
        scale: "linear",
      },
    ],
    paper:
      "An Agreed multicast of Spread takes 0.75 to 0.92 ms on a LAN with 2 to 50 members, and a round in which each sends and waits for all the others 2 to 21 ms; the papers give no rates (Amir, Kim, Nita-Rotaru and Tsudik, section 6.1.1).",
    found: (figures) =>
      `With four members in one process ${medianOf(figures, { event: "agreed", n: 4, metric: RATE })} agreed and ${medianOf(figures, { event: "safe", n: 4, metric: RATE })} safe; a message alone takes ${medianOf(figures, { event: "agreed", n: 4, metric: LATENCY })} and ${medianOf(figures, { event: "safe", n: 4, metric: LATENCY })}; a leave is over after ${medianOf(figures, { event: "leave", n: 4, metric: CHANGE })}.`,
    why: "Every message is encrypted, hashed, and sealed for each link, and four members share one thread here, for Node signs and encrypts in the thread that asks. Batches of up to 256 KB spread a signature, which is over the digest, over hundreds of messages; what is left is ciphers, buffers of 256 KB and collecting them. A leave takes six messages one after another and some thirty signatures made and checked.",
  },
}
