/** Figures of messages and document changes, for ends in one page or two. */
import { figureOf, type Figure } from "../experiment/figure.ts"
import type { Contestant } from "./contestants.ts"
import { CHANGE_LATENCY, CHANGE_RATE, DROPS, LATENCY, RATE } from "./metrics.ts"

export type MessagesSize = { readonly runs: number; readonly roundTrips: number; readonly forMs: number }

/** The end that sends, and has by its own clock what comes back. */
type End = {
  readonly latencies: (count: number) => Promise<readonly number[]>
  readonly rate: (forMs: number) => Promise<number>
}

type Taken = { readonly contestant: Contestant } & Readonly<Record<"latencies" | "rates" | "drops", number[]>>

export class Samples {
  readonly #taken: ReadonlyMap<Contestant["name"], Taken>

  constructor(contestants: readonly Contestant[]) {
    this.#taken = new Map(
      contestants.map((contestant) => [contestant.name, { contestant, latencies: [], rates: [], drops: [] }]),
    )
  }

  /** Before those that count, a fifth as many round trips. */
  async take(name: Contestant["name"], end: End, { roundTrips, forMs }: Omit<MessagesSize, "runs">): Promise<void> {
    const { latencies, rates } = this.#taken.get(name)!
    await end.latencies(Math.ceil(roundTrips / 5))
    latencies.push(...(await end.latencies(roundTrips)))
    rates.push(await end.rate(forMs))
  }

  dropped(name: Contestant["name"], count: number): void {
    this.#taken.get(name)!.drops.push(count)
  }

  *figures(network: string): Iterable<Figure> {
    for (const { contestant, latencies, rates, drops } of this.#taken.values()) {
      const { module, work } = contestant
      const what = { experiment: "peers", module, event: work, n: 2, network }
      const [latency, rate] = work === "messages" ? [LATENCY, RATE] : [CHANGE_LATENCY, CHANGE_RATE]
      yield figureOf({ ...what, metric: latency, unit: "ms" }, latencies)
      yield figureOf({ ...what, metric: rate, unit: "per second" }, rates)
      if (drops.length > 0) yield figureOf({ ...what, metric: DROPS, unit: "count" }, drops)
    }
  }
}
