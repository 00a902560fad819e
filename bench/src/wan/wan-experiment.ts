import { missingForLab } from "@keymoot/e2e/namespaces"
import { KEY_AGREEMENT_NAMES, loadSodiumGroup } from "@keymoot/gke"
import { needChromium } from "../browsers/browser-needed.ts"
import { MODULE_NAMES, Unavailable, type Experiment, type Plot } from "../experiment/experiment.ts"
import { Machine } from "../experiment/machine.ts"
import { REKEY_EVENTS } from "../rekey/measure.ts"
import { found } from "./findings.ts"
import * as metrics from "./metrics.ts"
import { SITES } from "./places.ts"

/** Numbers of members. Three are browsers, one at each site. */
const SIZES = { quick: [3], full: [3, 8, 12] }
const MODULES = { quick: ["tgdh"], full: MODULE_NAMES } as const
const RUNS = { quick: 1, full: 5 }
const MOST_HERE = 16
/** Six modules at three sizes, with partitions that only silence discloses. */
const MINUTES_MAX = 120

const plots: readonly Plot[] = [
  ...REKEY_EVENTS.map((event): Plot => ({
    title: `${event}, three sites: to the key at every member, browsers and Node, and (sim.) simulated`,
    of: (figure) =>
      figure.event === event && (figure.metric === metrics.REAL_KEY || figure.metric === metrics.SIMULATED_KEY),
    x: { label: "members before the event", at: ({ n }) => n! },
    series: ({ metric, module }) => (metric === metrics.REAL_KEY ? module! : `${module}, sim.`),
    scale: "linear",
  })),
  {
    title:
      "An agreed message of 1 KB to its last member, by its sender's site, under all modules together, and (sim.) simulated",
    of: ({ metric }) => metric === metrics.REAL_AGREED || metric === metrics.SIMULATED_AGREED,
    x: { label: "members", at: ({ n }) => n! },
    series: ({ metric, event }) => (metric === metrics.REAL_AGREED ? event! : `${event}, sim.`),
    scale: "linear",
  },
  ...SITES.map((site): Plot => ({
    title: `An agreed message of 1 KB to its last member, ordered at ${site}, browsers and Node, and (sim.) simulated`,
    of: ({ metric, event }) =>
      (metric === metrics.REAL_ORDERED || metric === metrics.SIMULATED_ORDERED) && event!.endsWith(` at ${site}`),
    bar: ({ metric, module, event, n }) =>
      `${event!.split(",")[0]}, ${n}, ${metric === metrics.REAL_ORDERED ? module! : "sim."}`,
    scale: "linear",
  })),
]

export const wanExperiment: Experiment = {
  name: "wan",
  about:
    "The papers' three sites for real, on one machine: browsers and Node in networks of their own, beside the simulator.",
  needs: "root on Linux, and Chromium",
  minutesMax: MINUTES_MAX,
  takes: { modules: MODULE_NAMES, sizes: { what: "members", least: 3, most: MOST_HERE }, part: "simulated" },
  run: async function* (options, progress) {
    const onlySimulated = options.part !== undefined
    if (!onlySimulated) needLab()
    const size = options.quick ? "quick" : "full"
    const sizes = options.sizes ?? SIZES[size]
    const asked = options.modules ?? MODULES[size]
    const modules = MODULE_NAMES.filter((name) => (asked as readonly string[]).includes(name))
    const runs = options.runs ?? RUNS[size]
    const { simulated, simulatedMessages } = await import("./simulated.ts")
    const group = await loadSodiumGroup()
    const machine = new Machine(group)
    // First, while nothing else runs: the simulator's computing is measured.
    for (const n of sizes) {
      // The simulator has no sessions of majority, which outlive views.
      const viewBased = KEY_AGREEMENT_NAMES.filter((name) => modules.includes(name))
      for (const module of viewBased) yield* simulated(module, group, machine, n, Math.max(runs, 3))
      yield* simulatedMessages(group, machine, n)
    }
    if (onlySimulated) return
    // Loaded when asked for: the others need no browser.
    const { ThreeSites } = await import("./real.ts")
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
    progress(of, of)
  },
  shows: {
    plots,
    paper:
      "Round trips are 70, 300 and 270 ms. Membership alone takes 400 to 670 ms for a join, and 250 to 650 for a leave, of 2 to 50 members. An agreed message takes 392, 328 or 334 ms from JHU, UCI or ICU.\n\nRounds decide between the modules: GDH is by far the worst at joins. (Amir, Kim, Nita-Rotaru and Tsudik, section 6.2.1 and figure 14. The text gives no numbers of its curves).",
    found,
    why: "A join begins when its button is pressed, with the invitation shown and its connection open. Five round trips follow, one after another. Two authenticate the links, two form the view, and one exchanges the members' proofs of its key. They go over the server's relay at JHU, so those between UCI and ICU take 342 ms. Data channels open meanwhile. The simulator begins at the link, which is two round trips later.\n\nA leave's count ends at the key, before the proofs, and has the same rounds in both. With few members it takes about the simulator's time. With more it grows as the processors fill. Sharing processors hardly slows the simulator, so membership and key agreement compute too little to be the cause. The likely cause is what the simulator leaves out: browsers, WebRTC and processes of all members on one machine.\n\nModules have no part in agreed messages, whose times also differ by module with 12 members. So module and machine load are mixed there, and times at 12 do not rank the modules.\n\nA real partition is silent: a suspicion timeout of seconds passes before the view, where the simulator's links break at once. A real merge first finds the members again through the server.\n\nUnder majority one key serves all views of a session, so only late members wait for it. It has no simulated figure: the simulator agrees anew in each view, and has no sessions that outlive one.\n\nThe sequencer's site decides an agreed message: it goes there first, and a view id draws the sequencer. Messages are sent when all links are direct. A link begins over the server's relay, and returns there for up to a minute after a partition. Without that wait single views took up to three times the simulated time.",
  },
}

/** @throws Unavailable */
function needLab(): void {
  const missing = missingForLab()
  if (missing !== null) throw new Unavailable(missing)
  needChromium()
}
