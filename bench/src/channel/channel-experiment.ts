/** Two real Chromium with the built package in them, on this machine alone and with a line between them. */
import { launch } from "@keymoot/e2e"
import { missingForLine } from "@keymoot/e2e/line"
import { pagePackage, type PagePackage } from "@keymoot/e2e/package-page"
import { startServer } from "@keymoot/signaling"
import { needChromium } from "../browsers/browser-needed.ts"
import { overLines } from "./lines.ts"
import { bothRates, latency, meet, secured, type Rates } from "./page.ts"
import type { BarPlot, Experiment } from "../experiment/experiment.ts"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { openPage } from "../browsers/page-package.ts"
import { find, medianOf, ratioOf } from "../experiment/story.ts"

const NETWORK = "two Chromium on one machine"
const overLine = (megabits: number): string => `two Chromium, a line of ${megabits} Mbit/s`
const LINES = [20, 100]
const SIZES = {
  quick: { runs: 1, messages: 20, forMs: 500, megabits: LINES.slice(0, 1) },
  full: { runs: 5, messages: 100, forMs: 3000, megabits: LINES },
}
type Size = { readonly runs: number; readonly messages: number; readonly forMs: number }

const OTHER = "one message of 1 KB, encrypted and signed, to the other"
const BOTH = "one message of 1 KB, encrypted and signed, to both"
const RATE = "agreed messages of 1 KB received, encrypted and signed"
const RAW = "messages of 1 KB received over a bare data channel, one a frame"
const RATIO = "rate beside the bare data channel's in the same run"
const CRASH = "browser killed to the other's new secured view"

const SERVICES = ["agreed", "safe"] as const
type Latencies = { readonly toOther: number[]; readonly toBoth: number[] }

/** All that needs no line. `onRun`: when one begins. */
async function* onOneMachine({ runs, ...size }: Size, built: PagePackage, onRun: () => void): AsyncGenerator<Figure> {
  const server = await startServer()
  const latencies = { agreed: { toOther: [], toBoth: [] }, safe: { toOther: [], toBoth: [] } }
  const [rates, crashes]: [Rates[], number[]] = [[], []]
  try {
    for (let run = 0; run < runs; run++) {
      onRun()
      const [rate, crashMs] = await oneRun(size, server.url, built, latencies)
      rates.push(rate)
      crashes.push(crashMs)
    }
  } finally {
    await server.close()
  }
  const what = { experiment: "channel", n: 2, network: NETWORK }
  for (const service of SERVICES) {
    const { toOther, toBoth } = latencies[service]
    yield figureOf({ ...what, event: service, metric: OTHER, unit: "ms" }, toOther)
    yield figureOf({ ...what, event: service, metric: BOTH, unit: "ms" }, toBoth)
  }
  yield* figuresOf(NETWORK, rates)
  yield figureOf({ ...what, event: "crash", metric: CRASH, unit: "ms" }, crashes)
}

/** Adds to `latencies`; gives both rates, and the milliseconds from a crash to the other's new view. */
async function oneRun(
  { messages, forMs }: Omit<Size, "runs">,
  server: string,
  built: PagePackage,
  latencies: Readonly<Record<(typeof SERVICES)[number], Latencies>>,
): Promise<[Rates, number]> {
  const [first, second] = [await launch("chromium"), await launch("chromium")]
  try {
    const [ada, bob] = [await openPage(first, server, built), await openPage(second, server, built)]
    await meet(ada, bob, server)
    for (const service of SERVICES) {
      const { toOther, toBoth } = latencies[service]
      for (let i = 0; i < messages / 5; i++) await latency(ada, bob, service)
      for (let i = 0; i < messages; i++) {
        const [other, both] = await (i % 2 ? latency(ada, bob, service) : latency(bob, ada, service))
        toOther.push(other)
        toBoth.push(both)
      }
    }
    // The first time nothing is compiled, and no line's pace known.
    await bothRates(ada, bob, forMs, forMs)
    const rates = await bothRates(ada, bob, forMs, forMs)
    const killedMs = performance.now()
    const session = await second.newBrowserCDPSession()
    void session.send("Browser.crash").catch(() => undefined)
    await secured(ada, 1)
    return [rates, performance.now() - killedMs]
  } finally {
    await Promise.all([first.close(), second.close()])
  }
}

function figuresOf(network: string, rates: readonly Rates[]): readonly Figure[] {
  const what = { experiment: "channel", n: 2, network }
  const ours = rates.map((run) => run.ours)
  const raws = rates.map((run) => run.raw)
  const ratios = rates.map((run) => run.ours / run.raw)
  return [
    figureOf({ ...what, event: "agreed", metric: RATE, unit: "per second" }, ours),
    figureOf({ ...what, metric: RAW, unit: "per second" }, raws),
    figureOf({ ...what, event: "agreed", metric: RATIO, unit: "ratio" }, ratios),
  ]
}

export const channelExperiment: Experiment = {
  name: "channel",
  about: `Two real Chromium: latency of agreed and safe, rate beside a bare data channel, also over lines of ${LINES.join(" and ")} Mbit/s, a crash.`,
  needs: "Chromium, and root on Linux for the lines; missing parts are skipped and named",
  takes: {},
  run: async function* (options, progress) {
    const { megabits, ...size } = SIZES[options.quick ? "quick" : "full"]
    const runs = options.runs ?? size.runs
    needChromium()
    const missing = missingForLine()
    if (missing !== null) console.error(`Lines of ${megabits.join(" and ")} Mbit/s are left out. ${missing}`)
    // A run on one machine, or a pair of rates over a line.
    const of = runs + (missing === null ? megabits.length * (runs + 1) : 0)
    let begun = 0
    const onStep = (): void => progress(begun++, of)
    const built = await pagePackage()
    try {
      yield* onOneMachine({ ...size, runs }, built, onStep)
      if (missing === null) {
        for await (const [width, rates] of overLines({ megabits, runs, forMs: size.forMs }, built, onStep))
          yield* figuresOf(overLine(width), rates)
      }
    } finally {
      await built.dispose()
    }
    progress(of, of)
  },
  shows: {
    plots: [
      {
        title: "Messages of 1 KB a second: agreed, encrypted and signed, and over a bare data channel, one a frame",
        of: ({ metric }) => metric === RATE || metric === RAW,
        bar: ({ metric, network }) => `${metric === RATE ? "agreed" : "bare channel"}, ${placeOf(network!)}`,
        scale: "linear",
      },
      ...[OTHER, BOTH].map((latency): BarPlot => ({
        title: latency,
        of: ({ metric }) => metric === latency,
        bar: ({ event }) => event!,
        scale: "linear",
      })),
      {
        title: CRASH,
        of: ({ metric }) => metric === CRASH,
        bar: ({ event }) => event!,
        scale: "linear",
      },
    ],
    paper:
      "None of the papers has browsers. An Agreed multicast of Spread, neither encrypted nor signed, takes 0.75 to 0.92 ms on a LAN (Amir, Kim, Nita-Rotaru and Tsudik, section 6.1.1).",
    found,
    why: "Small messages share one signed batch, and batches are cut into frames of 32 KB. So a data channel's cost for each frame is paid once for many messages, and several batches are under way at once. The network's own part, most of a bare channel's cost, is the same for each kilobyte. Two threads at each end follow, between which the messages of a batch cross together.\n\nWith both browsers on one machine only its processors limit the rate, and each step for a message takes from the channel's share.\n\nOver a line that the processors can fill both wait for the line, and ours carries as much. A line of 100 Mbit/s carries some 11,000 messages a second. A bare channel that stays below that waits for the processors, as ours does. On a faster machine both filled it, with a ratio of 1.01.\n\nOver 20 Mbit/s a message took 1124 bytes of the line, headers included, and one of the bare channel 1135 (4 runs each). Large frames fill their packets, which saves more than encryption, signatures and order cost.\n\nOne message alone takes turns of these threads, not computing. A sender that is not the sequencer waits a round trip for its own message.\n\nNow and then a channel carries next to nothing for a second or more. In the slowest such run of ours, of 748 messages a second, 1109 of 7206 packets were lost in an unread UDP socket. (`RcvbufErrors` in `/proc/net/snmp6` counts the whole machine, with some twenty waiting processes.)\n\nIn other runs of three seconds a bare channel lost 64 to 1323 of 20,000 to 42,000 (24 runs, most in a channel’s first). Ours lost 33 to 149 of 9,000 to 19,000 (6 runs). SCTP sends more after each answer until a packet is lost.",
  },
}

/** The part of its name that differs from other networks'. */
function placeOf(network: string): string {
  return network.replace(/^two Chromium,? (?:a )?/u, "")
}

function found(figures: readonly Figure[]): string {
  const of = (event: string, metric: string) => medianOf(figures, { event, metric })
  const at = (metric: string, network: string) => medianOf(figures, { metric, network })
  // Nothing is reported if they were not available.
  const lines = LINES.map(overLine).filter((network) => find(figures, { metric: RATIO, network }))
  return [
    `An agreed message is at the other after ${of("agreed", OTHER)} and at both after ${of("agreed", BOTH)}. A safe one takes ${of("safe", OTHER)} and ${of("safe", BOTH)}. The next messages have 1 KB, and are agreed, encrypted and signed. On one machine, whose processors both browsers share, ${at(RATE, NETWORK)} arrive. A bare channel with one message a frame carries ${at(RAW, NETWORK)}. The median of the runs' ratios is ${ratioOf(figures, { metric: RATIO, network: NETWORK })}.`,
    ...lines.map(
      (network) =>
        `Over a ${placeOf(network)} the rates are ${at(RATE, network)} and ${at(RAW, network)}. The median of the runs' ratios is ${ratioOf(figures, { metric: RATIO, network })}.`,
    ),
    `After a crash the other continues within ${medianOf(figures, { metric: CRASH })}.`,
  ].join("\n\n")
}
