/** Waiting times of a person, with real browsers, the production build and the real server on this machine. */
import { startServer } from "@keymoot/signaling"
import type { Browser, BrowserContext, Page } from "@playwright/test"
import { launch } from "@keymoot/e2e"
import { WEB_APP } from "../browsers/browser-needed.ts"
import type { Progress } from "../experiment/experiment.ts"
import { figureOf, type Figure } from "../experiment/figure.ts"
import { company } from "./company.ts"
import {
  CHAT,
  DRAW_TASK,
  FOUR,
  FRAME_ALONE,
  FRAME_SCRIPT,
  JOIN,
  JOIN_LATER,
  LOAD,
  REKEY_TASK,
  STROKE,
} from "./metrics.ts"
import { momentsOf, securedAt, watch } from "./watch.ts"

/** In each conference. `traced`: strokes in each of the two measurements of the frame. */
const AMOUNTS = {
  quick: { strokes: 10, messages: 10, traced: 2 },
  full: { strokes: 40, messages: 20, traced: 6 },
}
type Amounts = (typeof AMOUNTS)["full"]
/** An invitation page has loaded everything by then. */
const READ_MS = 5000
/** By the other before the next begins: the end of the former is still being drawn. */
const BETWEEN_STROKES_MS = 200

type Samples = Map<string, number[]>

/**
 * @param runs conferences made, each with fresh browser profiles; unless it is to be quick, one more before them warms
 * up
 */
export async function* room(runs: number, size: "quick" | "full", progress: Progress): AsyncGenerator<Figure> {
  const amounts = AMOUNTS[size]
  const warmUps = size === "quick" ? 0 : 1
  const server = await startServer({ webDir: WEB_APP })
  const browsers = [await launch("chromium"), await launch("chromium")] as const
  let samples: Samples = new Map()
  try {
    for (let run = -warmUps; run < runs; run++) {
      progress(run + warmUps, runs + warmUps)
      if (run === 0) samples = new Map()
      await withContexts(browsers, 4, (contexts) => meeting(server.url, contexts, amounts, samples))
      await withContexts(browsers, 2, (contexts) => laterJoin(server.url, contexts, samples))
      await withContexts(browsers, 1, ([context]) => withOthers(browsers[0], server.url, context!, amounts, samples))
    }
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()))
    await server.close()
  }
  for (const [metric, values] of samples) yield figureOf({ experiment: "room", metric, unit: "ms" }, values)
  progress(1, 1)
}

async function withContexts(
  browsers: readonly Browser[],
  count: number,
  act: (contexts: readonly BrowserContext[]) => Promise<void>,
): Promise<void> {
  const contexts: BrowserContext[] = []
  for (let i = 0; i < count; i++) {
    contexts.push(await browsers[i % browsers.length]!.newContext({ viewport: { width: 1280, height: 800 } }))
  }
  await contexts[0]!.grantPermissions(["clipboard-read", "clipboard-write"])
  await act(contexts)
  await Promise.all(contexts.map((context) => context.close()))
}

/** Two meet, draw and talk; two more come. */
async function meeting(
  url: string,
  [first, ...others]: readonly BrowserContext[],
  amounts: Amounts,
  samples: Samples,
): Promise<void> {
  const { page: ada, invitation } = await start(first!, url, samples)
  const bob = await arrive(others[0]!, invitation)
  await enter(bob, "Bob")
  add(samples, JOIN, (await securedAt(bob, 2)) - (await momentsOf(bob)).join!)
  await Promise.all([ada, bob].map((page) => page.locator("canvas.interactive").waitFor()))
  await ada.waitForTimeout(500)
  await strokes(ada, bob, amounts.strokes, samples)
  await messages(ada, bob, amounts.messages, samples)
  const [cleo, dan] = [await arrive(others[1]!, invitation), await arrive(others[2]!, invitation)]
  await enter(cleo, "Cleo")
  await securedAt(cleo, 3)
  await enter(dan, "Dan")
  const all = await Promise.all([ada, bob, cleo, dan].map((page) => securedAt(page, 4)))
  add(samples, FOUR, Math.max(...all) - (await momentsOf(dan)).join!)
}

/** One meets another after reading the invitation page. */
async function laterJoin(url: string, [first, second]: readonly BrowserContext[], samples: Samples): Promise<void> {
  const { invitation } = await start(first!, url, new Map())
  const bob = await arrive(second!, invitation)
  await bob.waitForTimeout(READ_MS)
  await enter(bob, "Bob")
  add(samples, JOIN_LATER, (await securedAt(bob, 2)) - (await momentsOf(bob)).join!)
}

/** Load of a new key, and of five drawing members, on the page's main thread. */
async function withOthers(
  browser: Browser,
  url: string,
  context: BrowserContext,
  { traced }: Amounts,
  samples: Samples,
): Promise<void> {
  const { page, invitation } = await start(context, url, new Map())
  await page.locator("canvas.interactive").waitFor()
  await page.waitForTimeout(500)
  await takePen(page)
  const { changes, alone, together } = await company(browser, page, invitation, traced)
  add(samples, REKEY_TASK, Math.max(...changes.map(({ longestTaskMs }) => longestTaskMs)))
  add(samples, DRAW_TASK, together.longestTaskMs)
  add(samples, FRAME_ALONE, alone.scriptMs / alone.frames)
  add(samples, FRAME_SCRIPT, together.scriptMs / together.frames)
}

export async function start(context: BrowserContext, url: string, samples: Samples) {
  const page = await open(context, url)
  await page.waitForFunction(() => window.moments.ready !== undefined)
  add(samples, LOAD, (await momentsOf(page)).ready! - (await page.evaluate(() => performance.timeOrigin)))
  await page.getByLabel("Your name").fill("Ada")
  await page.getByRole("button", { name: "Start a conference" }).click()
  await page.getByRole("button", { name: "Copy link" }).click()
  return { page, invitation: await page.evaluate(() => navigator.clipboard.readText()) }
}

async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(watch)
  await page.goto(url)
  return page
}

export async function arrive(context: BrowserContext, invitation: string): Promise<Page> {
  const page = await open(context, invitation)
  await page.getByRole("button", { name: "Join", exact: true }).waitFor()
  return page
}

export async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel("Your name").fill(name)
  await page.getByRole("button", { name: "Join", exact: true }).click()
}

/** Shortcuts go to the board when it was clicked last; the pen stays chosen after a stroke. */
export async function takePen(page: Page): Promise<void> {
  await page.mouse.click(450, 600)
  await page.keyboard.press("p")
}

async function strokes(from: Page, to: Page, count: number, samples: Samples): Promise<void> {
  await takePen(from)
  for (let i = 0; i < count; i++) {
    await from.mouse.move(260 + (i % 10) * 40, 220 + Math.floor(i / 10) * 40)
    await to.waitForTimeout(BETWEEN_STROKES_MS)
    await to.evaluate(() => delete window.moments.drawn)
    await from.mouse.down()
    await from.mouse.move(280 + (i % 10) * 40, 240 + Math.floor(i / 10) * 40, { steps: 3 })
    await from.mouse.up()
    await to.waitForFunction(() => window.moments.drawn !== undefined)
    add(samples, STROKE, (await momentsOf(to)).drawn! - (await momentsOf(from)).pressed!)
  }
}

async function messages(from: Page, to: Page, count: number, samples: Samples): Promise<void> {
  const field = from.getByLabel("Message", { exact: true })
  for (let i = 0; i < count; i++) {
    const text = `message ${i}`
    await field.fill(text)
    await field.press("Enter")
    await to.waitForFunction((said) => window.moments.said[said] !== undefined, text)
    add(samples, CHAT, (await momentsOf(to)).said[text]! - (await momentsOf(from)).entered!)
  }
}

function add(samples: Samples, metric: string, value: number): void {
  samples.set(metric, [...(samples.get(metric) ?? []), value])
}
