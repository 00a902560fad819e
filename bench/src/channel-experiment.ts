/** Two real Chromium on this machine, with the built package in them. */
import { launch } from "@keymoot/e2e"
import { startServer } from "@keymoot/signaling"
import { needChromium } from "./browser-needed.ts"
import { connectRaw, enter, latency, rate, rawRate, secured } from "./channel/page.ts"
import type { BarPlot, Experiment } from "./experiment.ts"
import { figureOf } from "./figure.ts"
import { pagePackage } from "@keymoot/e2e/package-page"
import { openPage } from "./page-package.ts"
import { medianOf } from "./story.ts"

const NETWORK = "two Chromium on one machine"
const SIZES = { quick: { count: 20, forMs: 1000 }, full: { count: 100, forMs: 3000 } }

const OTHER = "one message of 1 KB, encrypted and signed, to the other"
const BOTH = "one message of 1 KB, encrypted and signed, to both"
const RATE = "agreed messages of 1 KB received, encrypted and signed"
const RAW = "messages of 1 KB received over a bare data channel, one a frame"
const RATIO = "rate beside the bare data channel's in the same run"
const CRASH = "browser killed to the other's new secured view"

export const channelExperiment: Experiment = {
  name: "channel",
  about: "Two real Chromium: latency of agreed and safe, rate beside a bare data channel, a crash.",
  needs: "Chromium",
  takes: {},
  run: async function* ({ runs, quick }, progress) {
    const count = runs ?? (quick ? 1 : 5)
    const { count: messages, forMs } = SIZES[quick ? "quick" : "full"]
    needChromium()
    const built = await pagePackage()
    const server = await startServer()
    const what = { experiment: "channel", n: 2, network: NETWORK }
    const toOther = { agreed: [] as number[], safe: [] as number[] }
    const toBoth = { agreed: [] as number[], safe: [] as number[] }
    const [rates, raws, crashes]: [number[], number[], number[]] = [[], [], []]
    try {
      for (let run = 0; run < count; run++) {
        progress(run, count)
        const [first, second] = [await launch("chromium"), await launch("chromium")]
        try {
          const [ada, bob] = [await openPage(first, server.url, built), await openPage(second, server.url, built)]
          const url = await enter(ada, "Ada", server.url, null)
          await enter(bob, "Bob", server.url, url)
          for (const page of [ada, bob]) await secured(page, 2)
          await connectRaw(ada, bob)
          for (const service of ["agreed", "safe"] as const) {
            for (let i = 0; i < messages / 5; i++) await latency(ada, bob, service)
            for (let i = 0; i < messages; i++) {
              const [other, both] = await (i % 2 ? latency(ada, bob, service) : latency(bob, ada, service))
              toOther[service].push(other)
              toBoth[service].push(both)
            }
          }
          // The first time nothing is compiled, and no line's pace known.
          for (const isMeasured of [false, true]) {
            const raw = await rawRate(ada, bob, forMs)
            await ada.waitForTimeout(forMs)
            const ours = await rate(ada, bob, forMs)
            await ada.waitForTimeout(forMs)
            if (isMeasured) raws.push(raw)
            if (isMeasured) rates.push(ours)
          }
          const killedMs = performance.now()
          const session = await second.newBrowserCDPSession()
          void session.send("Browser.crash").catch(() => undefined)
          await secured(ada, 1)
          crashes.push(performance.now() - killedMs)
        } finally {
          await Promise.all([first.close(), second.close()])
        }
      }
    } finally {
      await server.close()
      await built.dispose()
    }
    for (const service of ["agreed", "safe"] as const) {
      yield figureOf({ ...what, event: service, metric: OTHER, unit: "ms" }, toOther[service])
      yield figureOf({ ...what, event: service, metric: BOTH, unit: "ms" }, toBoth[service])
    }
    yield figureOf({ ...what, event: "agreed", metric: RATE, unit: "per second" }, rates)
    yield figureOf({ ...what, metric: RAW, unit: "per second" }, raws)
    const ratios = rates.map((each, run) => each / raws[run]!)
    yield figureOf({ ...what, event: "agreed", metric: RATIO, unit: "ratio" }, ratios)
    yield figureOf({ ...what, event: "crash", metric: CRASH, unit: "ms" }, crashes)
    progress(count, count)
  },
  shows: {
    plots: [
      {
        title: "Messages of 1 KB a second: agreed, encrypted and signed, and over a bare data channel, one a frame",
        of: ({ metric }) => metric === RATE || metric === RAW,
        bar: ({ metric }) => (metric === RATE ? "agreed" : "bare channel"),
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
      "None of the papers has browsers; an Agreed multicast of Spread, neither encrypted nor signed, takes 0.75 to 0.92 ms on a LAN (Amir, Kim, Nita-Rotaru and Tsudik, section 6.1.1).",
    found: (figures) =>
      `An agreed message is at the other after ${medianOf(figures, { event: "agreed", metric: OTHER })} and at both after ${medianOf(figures, { event: "agreed", metric: BOTH })}, a safe one after ${medianOf(figures, { event: "safe", metric: OTHER })} and ${medianOf(figures, { event: "safe", metric: BOTH })}; ${medianOf(figures, { metric: RATE })} agreed messages of 1 KB arrive, encrypted, signed and in one order, where a bare channel with one message a frame carries ${medianOf(figures, { metric: RAW })}; after a crash the other goes on within ${medianOf(figures, { metric: CRASH })}.`,
    why: "Small messages share one signed batch and batches are cut into frames of 32 KB, so that what a data channel charges for each frame is paid once for many, and several batches are on the way at once. The network's own part, most of what a bare channel costs, is the same for each kilobyte; then come two threads at each end, between which the messages of a batch cross together. What one message alone takes is turns of these threads, not computing; who does not order it waits for a round trip to have its own. Now and then a channel carries next to nothing for a second or more. In the slowest such run of ours, of 748 messages a second, 1109 of 7206 packets were lost where nobody had read the UDP socket yet (`RcvbufErrors` in `/proc/net/snmp6`, of a whole machine on which some twenty processes waited for the processors); in others of three seconds a bare channel lost 64 to 1323 of 20,000 to 42,000 (24 runs, most in a channel’s first) and ours 33 to 149 of 9,000 to 19,000 (6 runs): SCTP sends more after each answer until something is lost.",
  },
}
