import { loadSodiumGroup, loadSodiumX25519 } from "@keymoot/gke"
import { Random } from "@keymoot/transport/testing"
import type { Experiment, Options, Progress } from "../experiment/experiment.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"
import { Machine, median } from "../experiment/machine.ts"
import { guestLists, LIST_MADE, LIST_OPENED } from "./guest-lists.ts"
import { timedSession } from "./timed-session.ts"
import { delaysOf } from "../experiment/networks.ts"
import { ifMeasured, medianOf, powerOf, spreadOf, timesOf } from "../experiment/story.ts"

const SIZES = { quick: [3, 9], full: [3, 5, 9, 15, 21, 51, 101, 128] }
const NETWORKS = { quick: ["lan"], full: ["lan", "wan"] }
/** A session of a hundred takes seconds of everybody's computing together. */
const LARGE = 50
const LARGE_RUNS = 15
const MINUTES_MAX = 60
/** A member crashes after that many steps at most: somewhere on its way to the key. */
const STEPS_PER_MEMBER = 4

export const TO_KEY_MEDIAN = "start to key, at the median member"
export const TO_KEY_LAST = "start to key, at the last member"

/** Members that crash: as many as are tolerated. A coordinator's crash costs a timeout, so the two cases are apart. */
type Crashing = "nobody" | "others" | "coordinator"
type Scenario = { readonly event: string; readonly present: (n: number) => number; readonly crashing: Crashing }
const [ALL, FEW] = ["all present", "just a majority"] as const
export const OTHERS_CRASH = "a minority crashes, not the first coordinator"
export const COORDINATOR_CRASHES = "a minority and the first coordinator crash"
const SCENARIOS: readonly Scenario[] = [
  { event: ALL, present: (n) => n, crashing: "nobody" },
  { event: FEW, present: (n) => Math.floor(n / 2) + 1, crashing: "nobody" },
  { event: OTHERS_CRASH, present: (n) => n, crashing: "others" },
  { event: COORDINATOR_CRASHES, present: (n) => n, crashing: "coordinator" },
]
/** Number of the coordinator of the first round, 1, and the steps after which it crashes: it has sent its share, and decided nothing. */
const COORDINATOR = 1
const COORDINATOR_STEPS = 1

async function* run(options: Options, progress: Progress): AsyncGenerator<Figure> {
  const { quick = false, network } = options
  const size = quick ? "quick" : "full"
  const sizes = options.sizes ?? SIZES[size]
  const networks = network === undefined ? NETWORKS[size] : [network]
  const runs = options.runs ?? (quick ? 2 : 5)
  const largeRuns = options.runs ?? (quick ? 2 : LARGE_RUNS)
  const [group, x25519] = [await loadSodiumGroup(), await loadSodiumX25519()]
  const machine = new Machine(group)
  const random = new Random(1)
  const cells = networks.flatMap((on) => sizes.map((n) => ({ on, n })))
  const whole = cells.reduce((sum, { n }) => sum + n * n, 0)
  let done = 0
  for (const { on, n } of cells) {
    progress(done, whole)
    done += n * n
    const times = await machine.measure()
    const delayMs = delaysOf(on)
    const ran = SCENARIOS.map((scenario) => ({ ...scenario, medians: [] as number[], lasts: [] as number[] }))
    // In turns, so that whatever else the machine does disturbs all of them.
    for (let i = n < LARGE ? -1 : 0; i < (n < LARGE ? runs : largeRuns); i++) {
      for (const { present, crashing, medians, lasts } of ran) {
        const crashes = crashing === "nobody" ? new Map<number, number>() : crashesOf(n, crashing, random)
        const atMs = timedSession({ group, x25519, times, delayMs, roster: n, present: present(n), crashes })
        if (i < 0) continue
        medians.push(median(atMs))
        lasts.push(Math.max(...atMs))
      }
    }
    for (const { event, medians, lasts } of ran) {
      const what = { experiment: "majority", module: "majority", event, n, network: on, unit: "ms" }
      yield figureOf({ ...what, metric: TO_KEY_MEDIAN }, medians)
      yield figureOf({ ...what, metric: TO_KEY_LAST }, lasts)
    }
  }
  yield* await guestLists(Math.max(...sizes))
  progress(done, done)
}

/** As many crashes as are tolerated, of random members. */
function crashesOf(n: number, crashing: "others" | "coordinator", random: Random): ReadonlyMap<number, number> {
  const members = Array.from({ length: n }, (_, number) => ({ number, draw: random.next() }))
  const others = members.filter(({ number }) => number !== COORDINATOR)
  const hit = others.toSorted((a, b) => a.draw - b.draw).slice(0, Math.ceil(n / 2) - 1)
  const crashes = new Map(hit.map(({ number }) => [number, 1 + random.integer(STEPS_PER_MEMBER * n)]))
  if (crashing === "others") return crashes
  crashes.delete(hit.at(-1)!.number)
  return crashes.set(COORDINATOR, COORDINATOR_STEPS)
}

export const majorityExperiment: Experiment = {
  name: "majority",
  about: "Time to a key of a roster: everybody there, just a majority, and with a minority that crashes on the way.",
  minutesMax: MINUTES_MAX,
  takes: { sizes: { what: "members of the roster", least: 3, most: 128 }, network: true },
  run,
  shows: {
    plots: ["lan", "wan"].map((network) => ({
      title: `${network}: from the start of all to the key at the median member`,
      of: (figure) =>
        figure.network === network &&
        figure.metric === TO_KEY_MEDIAN &&
        // Runs with a timeout and without are mixed there: a median is the chance of a timeout, not a time.
        (network === "lan" || (figure.event !== OTHERS_CRASH && figure.event !== COORDINATOR_CRASHES)),
      x: { label: "members of the roster", at: ({ n }) => n! },
      series: ({ event }) => event!,
      scale: "log",
    })),
    paper:
      "The time to a key grows faster than linearly from 3 to 21 peers, which the authors attribute to consensus. They suppose that just a majority may be faster, and had no time to measure it (SecChat, section 3.1, figure 1).",
    found: (figures) => {
      const wanted = (event: string, n: number, network: string, metric = TO_KEY_MEDIAN) => ({
        event,
        n,
        network,
        metric,
      })
      const at = (event: string, n: number, network = "lan", metric = TO_KEY_MEDIAN) =>
        medianOf(figures, wanted(event, n, network, metric))
      const spread = (event: string, n: number, network = "lan") => spreadOf(figures, wanted(event, n, network))
      const [all, few] = [ALL, FEW]
      const beside = (n: number, network: string) => timesOf(figures, wanted(few, n, network), wanted(all, n, network))
      const lists = ifMeasured(
        "The largest conference",
        `The largest conference names 128 people. Its median member has the key after ${at(all, 128)}. It is made in ${medianOf(figures, { metric: LIST_MADE, n: 128 })} and opened in ${medianOf(figures, { metric: LIST_OPENED, n: 128 })}.`,
      )
      return `On the LAN the median member has its key after ${at(all, 3)} with 3 members. With 21 it takes ${at(all, 21)}, and with 101 ${at(all, 101)}. From 21 on the time grows with the power ${powerOf(figures, wanted(all, 21, "lan"), wanted(all, 101, "lan"))} of their number. A majority of 21 takes ${beside(21, "lan")} as long as all of them there. A majority of 101 takes ${beside(101, "lan")} as long.\n\nAcross the three sites a majority of 21 takes ${at(few, 21, "wan")}, which is ${beside(21, "wan")} as long as all of them. With all of 21 the farthest member has its key there after ${at(all, 21, "wan", TO_KEY_LAST)}.\n\nA minority can crash on the way. If the first coordinator stays, the others of 101 have their key on the LAN after ${spread(OTHERS_CRASH, 101)}. If it crashes, they have it after ${spread(COORDINATOR_CRASHES, 101)}. All of 101 take ${spread(all, 101)}.\n\nAcross the sites such runs fall into two groups, without a timeout and with one. Their medians say little there, so the plot leaves them out. With the coordinator alive they take ${spread(OTHERS_CRASH, 101, "wan")}. With its crash they take ${spread(COORDINATOR_CRASHES, 101, "wan")}.\n\n${lists}`
    },
    why: "A member seals a share for each other and checks every signed statement, so its work grows with the roster. Each has a processor of its own here. A majority alone has half as much to check, which is the gain on a LAN. But it waits for each of its members, also the farthest. With all present, the first to answer make the majority, and far members learn of it afterwards.\n\nA crash costs time only when it hits a coordinator: its timeout, which takes seconds. Further coordinators can be among the minority, and each costs another one.",
  },
}
