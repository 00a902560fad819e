/** Description of the experiment `tab`, for terminal and page. It always runs in a page. */
import { MODULE_NAMES, type Experiment, type Plot } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { isMeasured, medianOf, rateOf } from "../experiment/story.ts"

export const JOIN = "join to one secured view at every member"
export const LEAVE = "leave to one secured view at all who stay"
export const LATENCY = "one message of 1 KB to the last member"
export const RATE = "agreed messages of 1 KB delivered by every member"
export const BARE = "messages of 1 KB over one bare data channel of the same tab"
export const LINKS = "data channels open"
export const NETWORK = "data channels in one tab"

const members = { label: "members", at: ({ n }: Figure) => n! }

const plots: readonly Plot[] = [
  ...[JOIN, LEAVE].map((metric): Plot => ({
    title: metric,
    of: (figure) => figure.metric === metric,
    x: { label: "members before the event", at: ({ n }) => n! },
    series: ({ module }) => module!,
    scale: "linear",
  })),
  {
    title: LATENCY,
    of: ({ metric }) => metric === LATENCY,
    x: members,
    series: ({ event }) => event!,
    scale: "linear",
  },
  {
    title: "Messages of 1 KB a second: agreed, delivered by every member, and over one bare channel if measured",
    of: (figure) => (figure.metric === RATE || figure.metric === BARE) && isMeasured(figure),
    x: members,
    series: ({ metric }) => (metric === RATE ? "agreed" : "bare channel"),
    scale: "log",
  },
]

export const tabDescription: Omit<Experiment, "run"> = {
  name: "tab",
  about:
    "Whole members in one tab, an engine in a worker each, real data channels between them: joins, leaves, latency and rate.",
  takes: { modules: MODULE_NAMES, sizes: { what: "members", least: 2, most: 16 } },
  shows: {
    plots,
    paper:
      "None of the papers has browsers. On their LAN a join or leave of 2 to 50 members takes up to some hundred milliseconds. Membership takes 2 to 8 of it (Amir, Kim, Nita-Rotaru and Tsudik, figures 11 and 12).",
    found: (figures) => {
      const largest = Math.max(...figures.filter(({ metric }) => metric === LINKS).map(({ n }) => n!))
      const [module] = figures.filter(({ metric }) => metric === LEAVE).map((figure) => figure.module!)
      const at = (metric: string, event?: string): string =>
        medianOf(figures, { metric, n: largest, ...(event === undefined ? {} : { event }) })
      return `A tab has ${largest} members and ${at(LINKS)} data channels. Under ${module} a leave is over after ${medianOf(figures, { metric: LEAVE, n: largest, module: module! })}. A join to as many takes ${medianOf(figures, { metric: JOIN, n: largest - 1, module: module! })}. A message is at all members after ${at(LATENCY, "agreed")} (agreed) and ${at(LATENCY, "safe")} (safe). All members together deliver agreed messages at ${at(RATE)}. The rate of one bare channel: ${rateOf(figures, { metric: BARE, n: largest })}.`
    },
    why: "All members share the processors of one machine. The tab's one main thread carries every data channel's bytes, so load that a conference spreads over many machines adds up here. A join also waits for WebRTC to connect.\n\nA tab has no partition, because nothing can be cut between its members; `wan` has them.\n\nIn some runs the bare channel has a few messages a second, because it stood still for seconds. That coincides with packets dropped by the operating system's UDP buffer. A rate whose runs span more than ten times is no measurement.\n\nThe simulator is not beside these times. Its LAN gives each member a processor of its own and links that are up. Here one tab's processors and WebRTC's connecting decide.",
  },
}
