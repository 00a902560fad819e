import { loadSodiumGroup } from "@keymoot/gke"
import type { PostQuantum } from "@keymoot/core"
import { cost } from "../cost/cost.ts"
import { KEM_OPERATIONS } from "../cost/critical-path.ts"
import { POST_QUANTUM_MODES } from "../experiment/experiment.ts"
import type { Experiment, Options, Plot, Progress } from "../experiment/experiment.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"
import { kemsOf } from "../in-memory/hybrid-agreement.ts"
import { Machine } from "../experiment/machine.ts"
import { AGREEMENT, measureAgreement } from "../rekey/measure.ts"
import { StepTimes } from "../in-memory/step-times.ts"
import { find, medianOf, withUnit } from "../experiment/story.ts"

const MODULE = "tgdh"
const SIZES = { quick: [8], full: [8, 24, 100] }
const RUNS = { quick: 3, full: 15 }
const ONCE = "bytes of a view, each message once"
const COPIES = "bytes of a view, a copy to each receiver"
const COUNTED = ["rounds", "multicasts", KEM_OPERATIONS, `flush ${KEM_OPERATIONS}`]

async function* run({ sizes, runs, quick = false }: Options, progress: Progress): AsyncGenerator<Figure> {
  const size = quick ? "quick" : "full"
  const all = sizes ?? SIZES[size]
  const group = await loadSodiumGroup()
  const kems = await kemsOf(POST_QUANTUM_MODES)
  const machine = new Machine(group)
  const of = all.reduce((sum, n) => sum + n, 0)
  let done = 0
  for (const n of all) {
    progress(done, of)
    const stepTimes = new StepTimes()
    const counted = [
      ...cost({ modules: [MODULE], sizes: [n], runs: 1 }, [], kems),
      // A join that makes as many members: the events of one size then have the same members.
      ...(n > 2 ? cost({ modules: [MODULE], sizes: [n - 1], runs: 1 }, [], kems) : []),
    ].filter(({ event, n: before }) => (event === "join") === (before === n - 1))
    yield* counted.filter(({ metric }) => COUNTED.includes(metric)).map(own)
    yield* bytesOfViews(counted)
    const timed = await measureAgreement(MODULE, group, machine, n, ["lan"], runs ?? RUNS[size], kems, (step) =>
      stepTimes.typicalMs(step),
    )
    yield* timed.filter(({ event }) => event === "join" || event === "leave").map(own)
    done += n
  }
  progress(of, of)
}

const own = (figure: Figure): Figure => ({ ...figure, experiment: "hybrid" })

/** TGDH and the post-quantum agreement only multicast, so each message has as many receivers as there are others. */
function bytesOfViews(counted: readonly Figure[]): Figure[] {
  return counted
    .filter(({ metric }) => metric === "bytes")
    .flatMap(({ module, event, n, median }) => {
      const at = { experiment: "hybrid", module: module!, event: event!, n: n!, unit: "bytes" }
      const flush = find(counted, { module: module!, event: event!, n: n!, metric: "flush bytes" })!.median
      const once = median + flush
      const receivers = event === "leave" ? n! - 2 : event === "join" ? n! : n! - 1
      return [figureOf({ ...at, metric: ONCE }, [once]), figureOf({ ...at, metric: COPIES }, [once * receivers])]
    })
}

const plots: readonly Plot[] = [AGREEMENT, ONCE].flatMap((metric) =>
  (["leave", "join"] as const).map((event): Plot => ({
    title: `${event}: ${metric === AGREEMENT ? "from the view to the key at every member, LAN" : metric}`,
    of: (figure) => figure.metric === metric && figure.event === event,
    x: { label: "members before the event", at: ({ n }) => n! },
    series: ({ module }) => module!,
    scale: "log",
  })),
)

/** Bytes in kilobytes. */
function textOf({ median, unit }: Figure): string {
  return unit === "bytes" ? `${(median / 1000).toFixed(1)} kB` : withUnit(median, unit)
}

const labelOfMode = (mode: PostQuantum): string => (mode === "off" ? MODULE : `${MODULE} ${mode}`)

export const hybridExperiment: Experiment = {
  name: "hybrid",
  about: "Cost of a hybrid group key beside the same module without ML-KEM-768, in turns, for TGDH.",
  takes: { sizes: { what: "members", least: 2, most: 300 } },
  run,
  shows: {
    plots,
    paper: "The papers are older than ML-KEM.",
    found: (figures) => {
      const at = (event: string, n: number, metric: string): string => {
        const [off, hybrid] = POST_QUANTUM_MODES.map((mode) => {
          const figure = find(figures, { module: labelOfMode(mode), event, n, metric })
          return figure ? textOf(figure) : "?"
        })
        return `${hybrid} (off: ${off})`
      }
      const operations = (n: number): string =>
        medianOf(figures, { module: labelOfMode("hybrid"), event: "leave", n, metric: KEM_OPERATIONS })
      return `From view to key, a leave from 24 takes ${at("leave", 24, AGREEMENT)} and one from 100 takes ${at("leave", 100, AGREEMENT)}. A join to 23 takes ${at("join", 23, AGREEMENT)}, and one to 99 takes ${at("join", 99, AGREEMENT)}.\n\nEach message counted once, a leave from 24 takes ${at("leave", 24, ONCE)}. One from 8 takes ${at("leave", 8, ONCE)}, and one from 100 takes ${at("leave", 100, ONCE)}. With a copy to each receiver, a leave from 24 takes ${at("leave", 24, COPIES)}. A join to 23 takes ${at("join", 23, ONCE)}, each message once.\n\nThe longest chain of a leave has ${operations(24)} KEM operations at 24 members and ${operations(100)} at 100. The rounds stay the same.`
    },
    why: "The leader encapsulates once for each other member after a leave, and once for each newcomer after a join. Both agreements use the same SYNCs and run side by side. Every member checks every key that it sees, and opens one seal. A step takes the median time of its kind. All members share one process here, so a pause of that would look like one of a member.",
  },
}
