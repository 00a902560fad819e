/**
 * Latency of order on virtual networks, with more members than fit into one process. It runs the product's group communication,
 * signed and verified, but not encrypted. Each member has a processor of its own, and computes for as long as on this machine.
 */
import { loadSodiumGroup } from "@keymoot/gke"
import type { NetworkName } from "../experiment/experiment.ts"
import { figureOf, type Figure, type Quantity } from "../experiment/figure.ts"
import { Machine } from "../experiment/machine.ts"
import { delaysOf } from "../experiment/networks.ts"
import { SimulatedConference } from "../rekey/conference.ts"
import type { OrderedService } from "../rekey/member.ts"
import { MESSAGE_BYTES } from "./throughput.ts"

export const SIMULATED_LATENCY = "simulated: one message of 1 KB to the last member"
export const SIMULATED_ROUND = "simulated: each says 1 KB until each has heard all"

const SERVICES: readonly OrderedService[] = ["agreed", "safe"]
const WARM_UP_RUNS = 1

/** Amir, Kim, Nita-Rotaru and Tsudik, sections 6.1.1 and 6.2.1: "about", by network and members. */
const PAPER_ROUND_MS: ReadonlyMap<string, number> = new Map([
  ["lan 2", 2],
  ["lan 50", 21],
  ["wan 50", 1000],
])

/** By turns from each member, each network in turn. */
export async function* simulatedOrder(
  n: number,
  networks: readonly NetworkName[],
  runs: number,
): AsyncGenerator<Figure> {
  const group = await loadSodiumGroup()
  const conference = new SimulatedConference("tgdh", group, await new Machine(group).measure())
  conference.join(n)
  for (const network of networks) {
    conference.delayMs = delaysOf(network)
    const latencies = new Map(SERVICES.map((service) => [service, [] as number[]]))
    const rounds: number[] = []
    for (let run = -WARM_UP_RUNS; run < runs; run++) {
      const { members } = conference
      const sender = members[(run + WARM_UP_RUNS) % n]!
      for (const [service, times] of latencies) {
        const ms = conference.say([sender], MESSAGE_BYTES, service)
        if (run >= 0) times.push(ms)
      }
      const ms = conference.say(members, MESSAGE_BYTES, "agreed")
      if (run >= 0) rounds.push(ms)
    }
    const what = { experiment: "order", n, network, unit: "ms" }
    for (const [event, times] of latencies) yield figureOf({ ...what, event, metric: SIMULATED_LATENCY }, times)
    const paper = PAPER_ROUND_MS.get(`${network} ${n}`)
    const round: Quantity = { ...what, event: "all to all", metric: SIMULATED_ROUND }
    yield figureOf({ ...round, ...(paper === undefined ? {} : { paper }) }, rounds)
  }
}
