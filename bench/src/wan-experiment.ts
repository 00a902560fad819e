import { missingForLab } from "@keymoot/e2e/namespaces"
import { KEY_AGREEMENT_NAMES, loadSodiumGroup } from "@keymoot/gke"
import { needChromium } from "./browser-needed.ts"
import { Unavailable, type Experiment, type Plot } from "./experiment.ts"
import type { Figure } from "./figure.ts"
import { Machine } from "./machine.ts"
import { medianOf } from "./story.ts"
import * as metrics from "./wan/metrics.ts"

/** Numbers of members. Three are browsers, one at each site. */
const SIZES = { quick: [3], full: [3, 8] }
const MODULES = { quick: ["tgdh"], full: KEY_AGREEMENT_NAMES } as const
const MOST_HERE = 16

const plots: readonly Plot[] = [
  ...(["join", "leave"] as const).map((event): Plot => ({
    title: `${event}, three sites: to the key at every member, real browsers and (sim.) simulated`,
    of: (figure) =>
      figure.event === event && (figure.metric === metrics.REAL_KEY || figure.metric === metrics.SIMULATED_KEY),
    x: { label: "members before the event", at: ({ n }) => n! },
    series: ({ metric, module }) => (metric === metrics.REAL_KEY ? module! : `${module}, sim.`),
    scale: "linear",
  })),
  {
    title: "An agreed message of 1 KB to its last member, by its sender's site, real browsers and (sim.) simulated",
    of: ({ metric, module }) =>
      (metric === metrics.REAL_AGREED && module === "tgdh") || metric === metrics.SIMULATED_AGREED,
    x: { label: "members", at: ({ n }) => n! },
    series: ({ metric, event }) => (metric === metrics.REAL_AGREED ? event! : `${event}, sim.`),
    scale: "linear",
  },
]

export const wanExperiment: Experiment = {
  name: "wan",
  about:
    "The papers' three sites for real, on one machine: browsers and Node in networks of their own, beside the simulator.",
  needs: "root on Linux, and Chromium",
  takes: { modules: KEY_AGREEMENT_NAMES, sizes: { what: "members", least: 3, most: MOST_HERE } },
  run: async function* (options, progress) {
    const missing = missingForLab()
    if (missing !== null) throw new Unavailable(missing)
    needChromium()
    const size = options.quick ? "quick" : "full"
    const sizes = options.sizes ?? SIZES[size]
    const asked = options.modules ?? MODULES[size]
    const modules = KEY_AGREEMENT_NAMES.filter((name) => (asked as readonly string[]).includes(name))
    const runs = options.runs ?? (options.quick ? 1 : 3)
    // Loaded when asked for: the others need no browser.
    const { ThreeSites } = await import("./wan/real.ts")
    const { simulated, simulatedMessages } = await import("./wan/simulated.ts")
    const group = await loadSodiumGroup()
    const machine = new Machine(group)
    const of = modules.length * sizes.length
    let done = 0
    const sites = await ThreeSites.start()
    try {
      yield* sites.roundTrips()
      for (const n of sizes) {
        for (const module of modules) {
          progress(done++, of)
          yield* await sites.measure(module, n, runs)
        }
      }
    } finally {
      await sites.close()
    }
    // Afterwards, when nothing else runs: the simulator's computing is measured.
    for (const n of sizes) {
      for (const module of modules) yield* simulated(module, group, machine, n, Math.max(runs, 3))
      yield* simulatedMessages(group, machine, n)
    }
    progress(of, of)
  },
  shows: {
    plots,
    paper:
      "Round trips of 70, 300 and 270 ms make membership alone take 400 to 670 ms for a join and 250 to 650 for a leave of 2 to 50 members. An agreed message takes 392, 328 or 334 ms from JHU, UCI or ICU. Rounds decide between the modules: GDH is by far the worst at joins. (Amir, Kim, Nita-Rotaru and Tsudik, section 6.2.1 and figure 14. The text gives no numbers of its curves).",
    found,
    why: "A real join is some fifteen round trips one after another. Five reach the server, fetch the conference and enter its room. Half a dozen find the others and open data channels by ICE and DTLS. The rest authenticate each link, form the view, and exchange the members' proofs of its key. The simulator begins at the link. For a leave only those proofs are added to its count.",
  },
}

function found(figures: readonly Figure[]): string {
  const n = Math.max(0, ...figures.map((figure) => figure.n ?? 0))
  const at = (module: string, event: "join" | "leave", metric: string) =>
    medianOf(figures, { module, event, metric, n: event === "join" ? n - 1 : n })
  const agreed = (metric: string, of: object) =>
    ["JHU", "UCI", "ICU"].map((site) => medianOf(figures, { event: `from ${site}`, n, metric, ...of })).join(", ")
  return `With ${n} real browsers everybody has a new key ${at("tgdh", "leave", metrics.REAL_KEY)} after a leave under TGDH, and ${at("gdh", "leave", metrics.REAL_KEY)} under GDH. The simulator has ${at("tgdh", "leave", metrics.SIMULATED_KEY)} and ${at("gdh", "leave", metrics.SIMULATED_KEY)}. A join takes ${at("tgdh", "join", metrics.REAL_KEY)} and ${at("gdh", "join", metrics.REAL_KEY)} to the key, counted from the call. It is secured after ${at("tgdh", "join", metrics.REAL_SECURED)} and ${at("gdh", "join", metrics.REAL_SECURED)}. The simulator begins at the link, and has ${at("tgdh", "join", metrics.SIMULATED_KEY)} and ${at("gdh", "join", metrics.SIMULATED_KEY)}. An agreed message from JHU, UCI and ICU is at its last member after ${agreed(metrics.REAL_AGREED, { module: "tgdh" })}. The simulator has ${agreed(metrics.SIMULATED_AGREED, {})}.`
}
