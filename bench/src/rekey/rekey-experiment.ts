import { KEY_AGREEMENT_NAMES, loadSodiumGroup } from "@keymoot/gke"
import type { Experiment, NetworkName, Options, Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { kemsOf } from "../in-memory/hybrid-agreement.ts"
import { Machine } from "../experiment/machine.ts"
import { AGREEMENT, measureAgreement, measureRekey, REKEY_EVENTS, TO_KEY, TO_VIEW } from "./measure.ts"
import { ifMeasured, medianOf } from "../experiment/story.ts"

/** With the membership under it, whose computing grows fastest. */
const WHOLE_SIZES = { quick: [2, 8], full: [2, 4, 8, 16, 32, 50] }
const WHOLE_SIZE_MAX = 50
const SIZES = { quick: [2, 8, 32], full: [2, 4, 8, 16, 32, 50, 100, 300] }
const NETWORKS = { quick: ["lan", "wan"], full: ["lan", "70", "100", "wan"] }
/** From here on an agreement is long, and its spread small. */
const LARGE = 100
const LARGE_RUNS_MAX = 3
/** Clocks spread a join over 100 ms (`why`), which a median of few runs shows instead of the size. */
const WHOLE_RUNS = { quick: 2, full: 9 }
const WHOLE_NETWORKS: readonly NetworkName[] = ["lan", "wan"]

/** The papers' machines: BD's time grows in steps of so many members. Their machines have two processors each. */
const SHARED = { network: "lan/13", sizes: [2, 8, 13, 14, 20, 26, 27, 33, 39, 40, 50], quickSizes: [13, 14] }

async function* run(options: Options, progress: (done: number, of: number) => void): AsyncGenerator<Figure> {
  const { quick = false, modules = KEY_AGREEMENT_NAMES, network } = options
  const size = quick ? "quick" : "full"
  const networks: readonly NetworkName[] = network === undefined ? NETWORKS[size] : [network]
  const runs = options.runs ?? (quick ? 2 : 5)
  const names = KEY_AGREEMENT_NAMES.filter((name) => modules.includes(name))
  const sizes = options.sizes ?? SIZES[size]
  const wholeSizes = options.sizes?.filter((n) => n <= WHOLE_SIZE_MAX) ?? WHOLE_SIZES[size]
  const group = await loadSodiumGroup()
  const kems = await kemsOf(options.postQuantum)
  const machine = new Machine(group)
  // The cost grows with the members. This estimates the remaining time.
  const sharedSizes = network === undefined && !options.sizes ? (quick ? SHARED.quickSizes : SHARED.sizes) : []
  const of = names.length * kems.length * (sum(sizes) + sum(sharedSizes) + 4 * sum(wholeSizes))
  let done = 0
  for (const module of names) {
    for (const n of sizes) {
      progress(done, of)
      const isLarge = n >= LARGE
      const on = isLarge ? networks.slice(0, 1) : networks
      yield* await measureAgreement(
        module,
        group,
        machine,
        n,
        on,
        isLarge ? Math.min(runs, LARGE_RUNS_MAX) : runs,
        kems,
      )
      done += kems.length * n
    }
    for (const n of sharedSizes) {
      progress(done, of)
      yield* await measureAgreement(module, group, machine, n, [SHARED.network], runs, kems)
      done += kems.length * n
    }
    for (const n of wholeSizes) {
      progress(done, of)
      const on = network === undefined ? WHOLE_NETWORKS : networks
      for (const kem of kems)
        yield* await measureRekey(module, group, machine, n, on, options.runs ?? WHOLE_RUNS[size], kem)
      done += kems.length * 4 * n
    }
  }
  progress(of, of)
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const bdJoin = (n: number, network: string) => ({ module: "bd", event: "join", n, network, metric: AGREEMENT })

function sharedSentence(at: (n: number) => string): string {
  return ifMeasured(
    "Members that share processors",
    `With 13 processors for all, BD takes ${at(12)} for a join to 12 members. It takes ${at(13)} for one to 13, ${at(25)} for one to 25, and ${at(26)} for one to 26 members.`,
  )
}

const members = { label: "members before the event", at: ({ n }: Figure) => n! }

const WHOLE_PLOTS: readonly Plot[] = ["lan", "wan"].flatMap((network) =>
  (["join", "leave"] as const).map((event): Plot => ({
    title: `${event}, ${network}: from the event to the key at every member, and to the view alone`,
    of: (figure) =>
      (figure.network === network && figure.event === event && figure.metric === TO_KEY) ||
      isMembership(figure, network, event),
    x: members,
    series: ({ metric, module }) => (metric === TO_VIEW ? "membership service" : module!),
    scale: "linear",
  })),
)

/** One line of it is enough: no module changes what membership does. */
function isMembership({ network, event, metric, module }: Figure, ofNetwork: string, ofEvent: string): boolean {
  return network === ofNetwork && event === ofEvent && metric === TO_VIEW && module === "tgdh"
}

const AGREEMENT_PLOTS: readonly Plot[] = ["lan", "70", "100", "wan"].flatMap((network) =>
  REKEY_EVENTS.map((event): Plot => ({
    title: `${event}, ${network === "lan" || network === "wan" ? network : `${network} ms round trip`}: from the view to the key at every member`,
    of: (figure) => figure.network === network && figure.event === event && figure.metric === AGREEMENT,
    x: members,
    series: ({ module }) => module!,
    scale: "log",
  })),
)

const SHARED_PLOTS: readonly Plot[] = (["join", "leave"] as const).map((event) => ({
  title: `${event}, ${SHARED.network}: from the view to the key at every member, 13 processors for all`,
  of: (figure) => figure.network === SHARED.network && figure.event === event && figure.metric === AGREEMENT,
  x: members,
  series: ({ module }) => module!,
  scale: "linear",
}))

export const rekeyExperiment: Experiment = {
  name: "rekey",
  about:
    "Time from a join, leave, partition or merge to the key at every member, on virtual networks with measured computing.",
  takes: {
    modules: KEY_AGREEMENT_NAMES,
    sizes: { what: "members", least: 2, most: 300 },
    network: "shared",
    postQuantum: true,
  },
  run,
  shows: {
    plots: [...WHOLE_PLOTS, ...SHARED_PLOTS, ...AGREEMENT_PLOTS],
    paper:
      "On a LAN TGDH is best overall and BD for a dozen members or fewer; membership costs 2 to 8 ms of it. On the WAN rounds decide: GDH is by far the worst at joins and BD at leaves. Membership alone takes 400 to 670 ms for a join and 250 to 650 for a leave of 2 to 50 members.\n\nPartition, merge and networks of 70 to 100 ms are future work. There the authors expect TGDH before CKD (Amir, Kim, Nita-Rotaru and Tsudik, figures 11, 12 and 14, and sections 6.2.1, 6.3 and 7). BD's time doubles in steps of 13 members, the number of machines (section 6.1.3).",
    found: (figures) => {
      const at = (module: string, event: string, n: number, network: string, metric = AGREEMENT) =>
        medianOf(figures, { module, event, n, network, metric })
      // The largest group whose membership was measured too.
      const joined = figures.flatMap(({ metric, event, n }) => (metric === TO_VIEW && event === "join" ? [n!] : []))
      const most = Math.max(...joined, 0)
      const shared = sharedSentence((n) => medianOf(figures, bdJoin(n, SHARED.network)))
      return `These times are from the view to the key, with the view at all members at the same moment. They are without membership. On the LAN a leave from 50 takes ${at("tgdh", "leave", 50, "lan")} under TGDH, ${at("bd", "leave", 50, "lan")} under BD and ${at("gdh", "leave", 50, "lan")} under GDH. Across the three sites they need ${at("tgdh", "leave", 50, "wan")}, ${at("bd", "leave", 50, "wan")} and ${at("gdh", "leave", 50, "wan")}. A join to 49 members takes ${at("tgdh", "join", 49, "wan")} there under TGDH, and ${at("gdh", "join", 49, "wan")} under GDH.\n\nMembership alone, when one joins ${most}, takes ${at("tgdh", "join", most, "wan", TO_VIEW)} across the three sites and ${at("tgdh", "join", most, "lan", TO_VIEW)} on the LAN. In a whole change early members agree while the last one still waits for its view, so the two times do not add up.\n\nWith round trips of a tenth of a second a leave from 50 takes ${at("tgdh", "leave", 50, "100")} under TGDH and ${at("ckd", "leave", 50, "100")} under CKD. A partition of 50 into halves takes ${at("tgdh", "partition", 50, "lan")} on the LAN under TGDH and ${at("gdh", "partition", 50, "lan")} under GDH. Their merge takes ${at("tgdh", "merge", 25, "lan")} and ${at("gdh", "merge", 25, "lan")}.\n\nA leave from 300 takes ${at("tgdh", "leave", 300, "lan")} on the LAN under TGDH, and ${at("str", "leave", 300, "lan")} under STR. ${shared}`
    },
    why: "Contributions travel with the flush here. So TGDH, STR, BD and CKD need one round for a join where the papers' need two or three. On a WAN, or with 100 ms, that round decides the time, under TGDH as under CKD. GDH keeps its four rounds, and has one more for each merging member.\n\nA multiplication on ristretto255 takes a fraction of the papers' modular exponentiation. So on a LAN the membership service outweighs the key.\n\nIn these runs the membership service waited 60 ms for further joins. Its clock ticks every 50 ms. So a proposal left 50 to 100 ms after a join. It leaves within 50 ms since. If the newcomer has the lowest id, it proposed itself, up to 150 ms after the join. Chance decides this in each run, at every size.",
  },
}
