import type { Kem, KeyAgreementName, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { Conference, type Step } from "../in-memory/conference.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"
import { type Kems, labelOf } from "../in-memory/hybrid-agreement.ts"
import type { Ed25519Times, Machine } from "../experiment/machine.ts"
import { delaysOf, processorsOf } from "../experiment/networks.ts"
import { agreementMs } from "./agreement.ts"
import { SimulatedConference } from "./conference.ts"

export const REKEY_EVENTS = ["join", "leave", "partition", "merge"] as const
export type RekeyEvent = (typeof REKEY_EVENTS)[number]
export const TO_KEY = "event to key at every member"
export const TO_VIEW = "event to view at every member"
export const AGREEMENT = "view to key at every member"

/** The machine warms up with it, too. */
export const WARM_UP_RUNS = 1
/**
 * From the cut of a partition to its end at least. A shorter one is taken for a mistake, and the timeout grows. Members
 * that leave a view too often have to wait.
 */
export const PARTED_MS = 21_000
/** Half of two members is one, which needs no key. A given cut decides itself. */
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
 * Membership and key agreement together.
 *
 * @param n members when nobody is missing. A join brings the last, and a leave takes one away.
 * @param kem of a hybrid conference
 * @param isCutOff by place in the network. Every second member is cut off if undefined.
 */
export async function measureRekey(
  module: KeyAgreementName,
  group: PrimeOrderGroup,
  machine: Machine,
  n: number,
  networks: readonly string[],
  runs: number,
  kem: Kem | null = null,
  isCutOff?: (place: number) => boolean,
): Promise<Figure[]> {
  const conference = new SimulatedConference(module, group, await machine.measure(), kem)
  conference.join(n)
  const samples: Samples = new Map()
  for (let run = -WARM_UP_RUNS; run < runs; run++) {
    for (const network of networks) {
      conference.delayMs = delaysOf(network)
      conference.processors = processorsOf(network)
      const { members } = conference
      const leaver = members[leaverOf(run, n)]!
      for (const event of eventsOf(n, isCutOff !== undefined)) {
        const rekey = {
          join: () => conference.join(1),
          leave: () => conference.leave(leaver),
          partition: () => conference.partition(isCutOff && (({ place }) => isCutOff(place))),
          merge: () => conference.merge(),
        }[event]()
        if (event === "partition") conference.pass(PARTED_MS)
        if (run < 0) continue
        note(samples, network, event, TO_KEY, rekey.keyMs)
        note(samples, network, event, TO_VIEW, rekey.viewMs)
      }
    }
  }
  const part = isCutOff && Array.from({ length: n }, (_, place) => place).filter(isCutOff).length
  return figuresOf(labelOf(module, kem), n, samples, part)
}

/**
 * Key agreement alone. There is a conference for each of `kems`, and they take turns. `msOf`: how long a step takes, by the
 * clock unless given.
 */
export async function measureAgreement(
  module: KeyAgreementName,
  group: PrimeOrderGroup,
  machine: Machine,
  n: number,
  networks: readonly string[],
  runs: number,
  kems: Kems = [null],
  msOf: (step: Step) => number = ({ milliseconds }) => milliseconds,
): Promise<Figure[]> {
  const rooms = kems.map((kem) => new AgreementRoom(module, group, kem, n))
  for (let run = -WARM_UP_RUNS; run < runs; run++) {
    const times = await machine.measure()
    for (const network of networks) for (const room of rooms) room.run(run, network, times, msOf)
  }
  return rooms.flatMap((room) => room.figures())
}

class AgreementRoom {
  readonly #label: string
  readonly #n: number
  readonly #conference: Conference
  readonly #samples: Samples = new Map()
  #present: readonly MemberId[]

  constructor(module: KeyAgreementName, group: PrimeOrderGroup, kem: Kem | null, n: number) {
    this.#label = labelOf(module, kem)
    this.#n = n
    this.#conference = new Conference(module, group, kem)
    this.#present = this.#conference.start(n)
    this.#conference.change(this.#present)
  }

  /** Every event once. Runs below zero warm up. */
  run(run: number, network: string, times: Ed25519Times, msOf: (step: Step) => number): void {
    const change = (event: RekeyEvent, ids: readonly MemberId[]): void => {
      const surroundings = { delayMs: delaysOf(network), processors: processorsOf(network) }
      const milliseconds = agreementMs(this.#conference, ids, surroundings, times, msOf)
      if (run >= 0) note(this.#samples, network, event, AGREEMENT, milliseconds)
    }
    const leaver = this.#present[leaverOf(run, this.#n)]
    const staying = this.#present.filter((id) => id !== leaver)
    this.#present = [...staying, ...this.#conference.start(1)]
    change("leave", staying)
    change("join", this.#present)
    if (this.#n < HALVES_FROM) return
    change(
      "partition",
      this.#present.filter((_, i) => i % 2 === 0),
    )
    this.#conference.change(this.#present.filter((_, i) => i % 2 === 1))
    change("merge", this.#present)
  }

  figures(): Figure[] {
    return figuresOf(this.#label, this.#n, this.#samples)
  }
}

function eventsOf(n: number, hasCut: boolean): readonly RekeyEvent[] {
  return n < HALVES_FROM && !hasCut ? ["leave", "join"] : ["leave", "join", "partition", "merge"]
}

/** Young and old by turns: under some modules it matters who leaves. */
export function leaverOf(run: number, n: number): number {
  return Math.floor(((run + WARM_UP_RUNS) * 0.37 + 0.5) * n) % n
}

/** `part`: members that a partition cuts off. */
function figuresOf(module: string, n: number, samples: Samples, part = Math.floor(n / 2)): Figure[] {
  return [...samples.values()].map(({ network, event, metric, values }) => {
    const change = event === "partition" || event === "merge" ? part : 1
    const before = event === "join" || event === "merge" ? n - change : n
    return figureOf({ experiment: "rekey", module, event, n: before, change, network, metric, unit: "ms" }, values)
  })
}
