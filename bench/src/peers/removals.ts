/**
 * One member of n is removed, under TGDH and under MLS, one after the other in each run. Measured is the computation of its
 * committer and of a processing member until they have the new key. Signatures, encoding and state are included, the network is
 * not.
 */
import { loadSodiumGroup, type PrimeOrderGroup } from "@keymoot/gke"
import { Conference } from "../in-memory/conference.ts"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { Machine, type Ed25519Times } from "../experiment/machine.ts"
import { MLS_VERSION, warmMlsGroup } from "../in-memory/mls.ts"
import { busiest, partsOf } from "../in-memory/parts.ts"
import { KEYMOOT, MADE, PROCESSED } from "./metrics.ts"

const WARM_UP_RUNS = 3

/** Milliseconds of one removal at who makes it and at who processes it; null where nobody does. */
export type Removal = { readonly made: number; readonly processed: number | null }

export type MlsPeer = {
  readonly module: string
  readonly removal: () => Promise<Removal>
  readonly close: () => void
}

export async function* removals(
  sizes: readonly number[],
  runs: number,
  progress: (done: number, of: number) => void,
  /** Besides ts-mls: warm groups of so many. */
  more: (n: number) => Promise<readonly MlsPeer[]> = async () => [],
): AsyncGenerator<Figure> {
  const group = await loadSodiumGroup()
  const machine = new Machine(group)
  for (const [done, n] of sizes.entries()) {
    progress(done, sizes.length)
    const others = [await tsMls(n), ...(await more(n))]
    const own = ownGroup(n, group)
    const times = new Map<string, Removal[]>()
    try {
      for (let run = -WARM_UP_RUNS; run < runs; run++) {
        const signatures = await machine.measure()
        const measured: [string, Removal][] = [[KEYMOOT, own(signatures)]]
        for (const { module, removal } of others) measured.push([module, await removal()])
        if (run < 0) continue
        for (const [module, removal] of measured) times.set(module, [...(times.get(module) ?? []), removal])
      }
    } finally {
      for (const { close } of others) close()
    }
    for (const [module, removals] of times) yield* figuresOf(module, n, removals)
  }
}

function figuresOf(module: string, n: number, removals: readonly Removal[]): Figure[] {
  const what = { experiment: "peers", module, event: "removal", n, unit: "ms" }
  const processed = removals.flatMap((removal) => (removal.processed === null ? [] : [removal.processed]))
  return [
    figureOf(
      { ...what, metric: MADE },
      removals.map(({ made }) => made),
    ),
    ...(processed.length === 0 ? [] : [figureOf({ ...what, metric: PROCESSED }, processed)]),
  ]
}

/** The member in the middle leaves, and another one joins in its place. */
function ownGroup(n: number, group: PrimeOrderGroup): (signatures: Ed25519Times) => Removal {
  const conference = new Conference("tgdh", group)
  let present = conference.start(n)
  conference.change(present)
  return ({ signMs, verifyMs }) => {
    const staying = present.filter((_, i) => i !== Math.floor(n / 2))
    const parts = [...partsOf(conference, staying).values()]
    present = [...staying, ...conference.start(1)]
    conference.change(present)
    const [senders, others] = [parts.filter(({ sent }) => sent > 0), parts.filter(({ sent }) => sent === 0)]
    const of = (some: typeof parts): number => {
      const { milliseconds, sent, received } = busiest(some)
      return milliseconds + sent * signMs + received * verifyMs
    }
    // A member that remains alone sends nothing.
    if (senders.length === 0) return { made: of(others), processed: null }
    return { made: of(senders), processed: others.length === 0 ? null : of(others) }
  }
}

async function tsMls(n: number): Promise<MlsPeer> {
  const { makeRemoval, processRemoval } = await warmMlsGroup(n)
  return {
    module: MLS_VERSION,
    removal: async () => {
      const startMs = performance.now()
      const commit = await makeRemoval()
      const madeMs = performance.now()
      const processing = processRemoval?.(commit)
      await processing
      const processedMs = performance.now()
      return { made: madeMs - startMs, processed: processing ? processedMs - madeMs : null }
    },
    close: () => {},
  }
}
