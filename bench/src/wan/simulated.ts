/** The same in the simulator: the network virtual, the computing real, and nothing below the group's messages. */
import { cpus } from "node:os"
import type { KeyAgreementName, PrimeOrderGroup } from "@keymoot/gke"
import { sequencerIndex } from "@keymoot/transport"
import { figureOf, type Figure } from "../experiment/figure.ts"
import type { Machine } from "../experiment/machine.ts"
import { delaysOf } from "../experiment/networks.ts"
import { SimulatedConference } from "../rekey/conference.ts"
import { measureRekey, TO_KEY, TO_VIEW } from "../rekey/measure.ts"
import * as metrics from "./metrics.ts"
import { isCutOff, PAPER_AGREED_MS, siteOf, SITES } from "./places.ts"

const [OWN, SHARED] = ["wan", `wan/${cpus().length}`]
const METRICS = new Map([
  [`${OWN} ${TO_VIEW}`, metrics.SIMULATED_VIEW],
  [`${OWN} ${TO_KEY}`, metrics.SIMULATED_KEY],
  [`${SHARED} ${TO_KEY}`, metrics.SIMULATED_SHARED],
])
/** Each in a view of its own: who orders is drawn anew with each. */
const VIEWS = 9

export async function* simulated(
  module: KeyAgreementName,
  group: PrimeOrderGroup,
  machine: Machine,
  n: number,
  runs: number,
): AsyncGenerator<Figure> {
  for (const figure of await measureRekey(module, group, machine, n, [OWN, SHARED], runs, null, isCutOff)) {
    const metric = METRICS.get(`${figure.network} ${figure.metric}`)
    if (metric !== undefined) yield { ...figure, experiment: "wan", network: OWN, metric }
  }
}

/** No module has a part in it. */
export async function* simulatedMessages(group: PrimeOrderGroup, machine: Machine, n: number): AsyncGenerator<Figure> {
  const conference = new SimulatedConference("tgdh", group, await machine.measure())
  conference.delayMs = delaysOf("wan")
  conference.join(n)
  const times = SITES.map((): number[] => [])
  const ordered = new Map<string, number[]>()
  for (let view = 0; view < VIEWS; view++) {
    for (const [place, values] of times.entries()) {
      const sender = conference.members.find((member) => member.place === place)!
      const ms = conference.say([sender], metrics.MESSAGE_BYTES, "agreed")
      values.push(ms)
      const sequencer = sender.view.members[sequencerIndex(sender.view)]!
      const { place: ordering } = conference.members.find(({ id }) => id === sequencer.id)!
      const event = metrics.orderedEvent(siteOf(place), siteOf(ordering))
      ordered.set(event, [...(ordered.get(event) ?? []), ms])
    }
    conference.leave(conference.members.at(-1)!)
    conference.join(1)
  }
  for (const [place, values] of times.entries()) {
    const site = siteOf(place)
    const what = { experiment: "wan", event: `from ${site}`, n, network: "wan", metric: metrics.SIMULATED_AGREED }
    yield figureOf({ ...what, unit: "ms", paper: PAPER_AGREED_MS[site] }, values)
  }
  for (const [event, values] of ordered) {
    const what = { experiment: "wan", event, n, network: "wan", metric: metrics.SIMULATED_ORDERED }
    yield figureOf({ ...what, unit: "ms" }, values)
  }
}
