/** Two real Chromium on this machine, with the built package in them. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { launch } from "@keymoot/e2e"
import { startServer } from "@keymoot/signaling"
import type { Browser, Page } from "@playwright/test"
import { connectRaw, enter, latency, rate, rawRate, secured } from "./channel/page.ts"
import { Unavailable, type Experiment } from "./experiment.ts"
import { figureOf } from "./figure.ts"
import { medianOf } from "./story.ts"

const BUILT = join(import.meta.dirname, "../../packages/core/dist/browser")
const PATH = "/bench-page"
const NETWORK = "two Chromium on one machine"
const [MESSAGES, FOR_MS] = [100, 3000]

const LATENCY = "one message of 1 KB, encrypted and signed, to both"
const RATE = "agreed messages of 1 KB received, encrypted and signed"
const RAW = "messages of 1 KB received over a bare data channel, one a frame"
const RATIO = "rate beside the bare data channel's in the same run"
const CRASH = "browser killed to the other's new secured view"

async function openPage(browser: Browser, server: string): Promise<Page> {
  const context = await browser.newContext()
  await context.route(`${server}${PATH}/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice(PATH.length + 1)
    return file
      ? route.fulfill({ path: join(BUILT, file) })
      : route.fulfill({ contentType: "text/html", body: "<!doctype html>" })
  })
  const page = await context.newPage()
  await page.goto(`${server}${PATH}/`)
  return page
}

export const channelExperiment: Experiment = {
  name: "channel",
  about:
    "Two real Chromium: latency of agreed and safe, rate beside a bare data channel, a crash (needs npm run build:packages).",
  takes: {},
  run: async function* ({ runs, quick }, progress) {
    if (!existsSync(join(BUILT, "keymoot.js"))) throw new Unavailable("This needs the package: npm run build:packages.")
    const count = runs ?? (quick ? 1 : 5)
    const server = await startServer()
    const what = { experiment: "channel", n: 2, network: NETWORK }
    const delays = { agreed: [] as number[], safe: [] as number[] }
    const [rates, raws, crashes]: [number[], number[], number[]] = [[], [], []]
    try {
      for (let run = 0; run < count; run++) {
        progress(run, count)
        const [first, second] = [await launch("chromium"), await launch("chromium")]
        try {
          const [ada, bob] = [await openPage(first, server.url), await openPage(second, server.url)]
          const module = `${PATH}/keymoot.js`
          const url = await enter(ada, module, "Ada", server.url, null)
          await enter(bob, module, "Bob", server.url, url)
          for (const page of [ada, bob]) await secured(page, 2)
          await connectRaw(ada, bob)
          for (const service of ["agreed", "safe"] as const) {
            for (let i = 0; i < MESSAGES / 5; i++) await latency(ada, bob, service)
            for (let i = 0; i < MESSAGES; i++) {
              delays[service].push(await (i % 2 ? latency(ada, bob, service) : latency(bob, ada, service)))
            }
          }
          const forMs = quick ? FOR_MS / 3 : FOR_MS
          raws.push(await rawRate(ada, bob, forMs))
          await ada.waitForTimeout(forMs)
          rates.push(await rate(ada, bob, forMs))
          await ada.waitForTimeout(forMs)
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
    }
    for (const service of ["agreed", "safe"] as const) {
      yield figureOf({ ...what, event: service, metric: LATENCY, unit: "ms" }, delays[service])
    }
    yield figureOf({ ...what, event: "agreed", metric: RATE, unit: "per second" }, rates)
    yield figureOf({ ...what, metric: RAW, unit: "per second" }, raws)
    const ratios = rates.map((each, run) => each / raws[run]!)
    yield figureOf({ ...what, event: "agreed", metric: RATIO, unit: "ratio" }, ratios)
    yield figureOf({ ...what, event: "crash", metric: CRASH, unit: "ms" }, crashes)
    progress(count, count)
  },
  shows: {
    plots: [],
    paper: "None of the papers has browsers; Secure Spread's agreed multicast on a LAN takes milliseconds.",
    found: (figures) =>
      `An agreed message is at both after ${medianOf(figures, { event: "agreed", metric: LATENCY })}, a safe one after ${medianOf(figures, { event: "safe", metric: LATENCY })}; ${medianOf(figures, { metric: RATE })} agreed messages of 1 KB arrive, encrypted, signed and in one order, where a bare channel with one message a frame carries ${medianOf(figures, { metric: RAW })}; after a crash the other goes on within ${medianOf(figures, { metric: CRASH })}.`,
    why: "Small messages share one signed batch and batches are cut into frames of 16 KB, so that what a data channel charges for each frame is paid once for many.",
  },
}
