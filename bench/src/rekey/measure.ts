import type { KeyAgreementName, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { Conference } from "../conference.ts"
import { figureOf } from "../figure.ts"
import type { Figure } from "../figure.ts"
import type { Machine } from "../machine.ts"
import { delaysOf } from "../networks.ts"
import { agreementMs } from "./agreement.ts"
import { SimulatedConference } from "./conference.ts"

export const REKEY_EVENTS = ["join", "leave", "partition", "merge"] as const
export type RekeyEvent = (typeof REKEY_EVENTS)[number]
export const TO_KEY = "event to key at every member"
export const TO_VIEW = "event to view at every member"
export const AGREEMENT = "view to key at every member"

/** The machine warms up with it, too. */
export const WARM_UP_RUNS = 1
/** Half of two members is one, which needs no key. */
const HALVES_FROM = 4

/** By network, event and metric. */
type Samples = Map<
  string,
  { readonly network: string; readonly event: RekeyEvent; readonly metric: string; readonly values: number[] }
>

function note(samples: Samples, network: string, event: RekeyEvent, metric: string, value: number): void {
  const key = `${network} ${event} ${metric}`
  const sample = samples.get(key) ?? { network, event, metric, values: [] }
  samples.set(key, sample)
  sample.values.push(value)
}

/**
 * Membership and key agreement together. @param n members when nobody is missing: a join brings the last, a leave takes
 * one away
 */
export async function measureRekey(
  module: KeyAgreementName,
  group: PrimeOrderGroup,
  machine: Machine,
  n: number,
  networks: readonly string[],
  runs: number,
): Promise<Figure[]> {
  const conference = new SimulatedConference(module, group, await machine.measure())
  conference.join(n)
  const samples: Samples = new Map()
  for (let run = -WARM_UP_RUNS; run < runs; run++) {
    for (const network of networks) {
      conference.delayMs = delaysOf(network)
      const { members } = conference
      const leaver = members[leaverOf(run, n)]!
      for (const event of eventsOf(n)) {
        const rekey = {
          join: () => conference.join(1),
          leave: () => conference.leave(leaver),
          partition: () => conference.partition(),
          merge: () => conference.merge(),
        }[event]()
        if (run < 0) continue
        note(samples, network, event, TO_KEY, rekey.keyMs)
        note(samples, network, event, TO_VIEW, rekey.viewMs)
      }
    }
  }
  return figuresOf(module, n, samples)
}

/** Key agreement alone. */
export async function measureAgreement(
  module: KeyAgreementName,
  group: PrimeOrderGroup,
  machine: Machine,
  n: number,
  networks: readonly string[],
  runs: number,
): Promise<Figure[]> {
  const conference = new Conference(module, group)
  let present: readonly MemberId[] = conference.start(n)
  conference.change(present)
  const samples: Samples = new Map()
  for (let run = -WARM_UP_RUNS; run < runs; run++) {
    const times = await machine.measure()
    for (const network of networks) {
      const change = (event: RekeyEvent, ids: readonly MemberId[]): void => {
        const milliseconds = agreementMs(conference, ids, delaysOf(network), times)
        if (run >= 0) note(samples, network, event, AGREEMENT, milliseconds)
      }
      const leaver = present[leaverOf(run, n)]
      const staying = present.filter((id) => id !== leaver)
      present = [...staying, ...conference.start(1)]
      change("leave", staying)
      change("join", present)
      if (n < HALVES_FROM) continue
      change(
        "partition",
        present.filter((_, i) => i % 2 === 0),
      )
      conference.change(present.filter((_, i) => i % 2 === 1))
      change("merge", present)
    }
  }
  return figuresOf(module, n, samples)
}

function eventsOf(n: number): readonly RekeyEvent[] {
  return n < HALVES_FROM ? ["leave", "join"] : ["leave", "join", "partition", "merge"]
}

/** Young and old by turns: under some modules it matters who leaves. */
export function leaverOf(run: number, n: number): number {
  return Math.floor(((run + WARM_UP_RUNS) * 0.37 + 0.5) * n) % n
}

function figuresOf(module: string, n: number, samples: Samples): Figure[] {
  return [...samples.values()].map(({ network, event, metric, values }) => {
    const change = event === "partition" || event === "merge" ? Math.floor(n / 2) : 1
    const before = event === "join" || event === "merge" ? n - change : n
    return figureOf({ experiment: "rekey", module, event, n: before, change, network, metric, unit: "ms" }, values)
  })
}
