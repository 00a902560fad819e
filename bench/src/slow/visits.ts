/** People with a bad line who meet somebody with a good one. All are on hosts of a lab. */
import { openChromium } from "@keymoot/e2e/hosts"
import { Lab } from "@keymoot/e2e/lab"
import { ServerProcess } from "@keymoot/e2e/server"
import type { Browser, BrowserContext, Page } from "@playwright/test"
import type { Progress } from "../experiment/experiment.ts"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { momentsOf, securedAt, watch } from "../room/watch.ts"
import { FACTS, FORM, JOIN_AT_ONCE, JOIN_LATER, type Line } from "./metrics.ts"

/** Browsers take it for this machine. So its page may use cryptography without https, and gets the files that https gets. */
const SERVER_NAME = "keymoot.localhost"
const READING_MS = 10_000
const WITHIN_MS = 60_000

type Browsers = { readonly ada: Browser; readonly bob: Browser; readonly slowdown: number }
type Samples = Map<string, number[]>

/** @param runs each with one visit of the start page, and two joins; unless it is to be quick, one more warms up */
export async function* visits(
  { name, megabits, oneWayMs, slowdown }: Line,
  runs: number,
  warmUps: number,
  progress: Progress,
): AsyncGenerator<Figure> {
  const lab = await Lab.start({
    hosts: ["srv", "ada", "bob"],
    path: (from, to) => ({ oneWayMs: from === "bob" || to === "bob" ? oneWayMs : 1 }),
    megabits: { bob: megabits },
  })
  try {
    const server = await ServerProcess.start({ HOST: lab.address("srv"), ADDRESS_SCALE: "1000" }, lab.on("srv"))
    const resolver = `--host-resolver-rules=MAP ${SERVER_NAME} ${lab.address("srv")}`
    const open = (host: string) => openChromium(lab, host, server.origin, false, [resolver])
    const [ada, bob] = await Promise.all([open("ada"), open("bob")])
    const url = server.origin.replace(lab.address("srv"), SERVER_NAME)
    let samples: Samples = new Map()
    try {
      for (let run = -warmUps; run < runs; run++) {
        if (run === 0) samples = new Map()
        progress(run + warmUps, runs + warmUps)
        const browsers = { ada, bob, slowdown }
        await visitStart(browsers, url, samples)
        await meet(browsers, url, 0, JOIN_AT_ONCE, samples)
        await meet(browsers, url, READING_MS, JOIN_LATER, samples)
      }
    } finally {
      await Promise.all([ada, bob].map((browser) => browser.close()))
      await server.dispose()
    }
    for (const [metric, values] of samples)
      yield figureOf({ experiment: "slow", event: name, metric, unit: "ms" }, values)
    progress(1, 1)
  } finally {
    await lab.close()
  }
}

async function visitStart({ bob, slowdown }: Browsers, url: string, samples: Samples): Promise<void> {
  const page = await openSlowly(bob, slowdown, url)
  add(samples, FORM, await sinceLoad(page, "named"))
  await page.context().close()
}

/** @param readingMs between the facts of the invitation and the click on Join */
async function meet(browsers: Browsers, url: string, readingMs: number, metric: string, samples: Samples) {
  const { ada, bob, slowdown } = browsers
  const context = await ada.newContext({ viewport: { width: 1280, height: 800 } })
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const link = await startConference(context, url)
  const page = await openSlowly(bob, slowdown, link)
  add(samples, FACTS, await sinceLoad(page, "facts"))
  await page.getByLabel("Your name").fill("Bob")
  await page.waitForTimeout(readingMs)
  await page.getByRole("button", { name: "Join", exact: true }).click()
  add(samples, metric, (await securedAt(page, 2)) - (await momentsOf(page)).join!)
  await page.context().close()
  await context.close()
}

async function startConference(context: BrowserContext, url: string): Promise<string> {
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel("Your name").fill("Ada")
  await page.getByRole("button", { name: "Start a conference" }).click()
  await page.getByRole("button", { name: "Copy link" }).click()
  return page.evaluate(() => navigator.clipboard.readText())
}

/** In a fresh profile. */
async function openSlowly(browser: Browser, slowdown: number, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown })
  await page.addInitScript(watch)
  await page.goto(url, { waitUntil: "commit" })
  return page
}

/** From the start of the navigation until it was drawn; waits for it. */
async function sinceLoad(page: Page, what: "named" | "facts"): Promise<number> {
  await page.waitForFunction((name) => window.moments[name] !== undefined, what, { timeout: WITHIN_MS })
  return (await momentsOf(page))[what]! - (await page.evaluate(() => performance.timeOrigin))
}

function add(samples: Samples, metric: string, value: number): void {
  samples.set(metric, [...(samples.get(metric) ?? []), value])
}
