/** What a person waits for: real browsers, the production build and the real server on this machine. */
import { join } from "node:path"
import { startServer } from "@keymoot/signaling"
import type { BrowserContext, Page } from "@playwright/test"
import { launch } from "@keymoot/e2e"
import type { Progress } from "./experiment.ts"
import { figureOf, type Figure } from "./figure.ts"
import { JOIN, LOAD, STROKE } from "./room/metrics.ts"

declare global {
  interface Window {
    /** Moments in milliseconds since 1970, comparable between the browsers of one machine. */
    moments: { ready?: number; join?: number; secured?: number; drawn?: number; pressed?: number }
  }
}

/** Runs in the page before its own scripts. */
function watch(): void {
  const now = (): number => performance.timeOrigin + performance.now()
  window.moments = {}
  const look = (): void => {
    const button = [...document.querySelectorAll("button")].find(
      ({ textContent }) => textContent === "Start a conference",
    )
    if (button && !button.disabled) window.moments.ready ??= now()
    if (/\b2 people/.test(document.querySelector(".lock-text")?.textContent ?? "")) window.moments.secured ??= now()
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  addEventListener(
    "click",
    ({ target }) => {
      if ((target as Element).closest("button")?.textContent === "Join") window.moments.join = now()
    },
    true,
  )
  addEventListener("pointerdown", () => (window.moments.pressed = now()), true)
  const draw = CanvasRenderingContext2D.prototype.drawImage
  CanvasRenderingContext2D.prototype.drawImage = function (...args: unknown[]) {
    if (this.canvas.classList.contains("static")) window.moments.drawn ??= now()
    return draw.apply(this, args as never)
  }
}

const momentsOf = (page: Page): Promise<Window["moments"]> => page.evaluate(() => window.moments)

async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(watch)
  await page.goto(url)
  return page
}

async function secured(page: Page): Promise<number> {
  await page.waitForFunction(() => window.moments.secured !== undefined, undefined, { timeout: 60_000 })
  return (await momentsOf(page)).secured!
}

async function strokes(from: Page, to: Page, count: number): Promise<number[]> {
  const delays: number[] = []
  // Shortcuts go to the board when it was clicked last; the pen stays chosen after a stroke.
  await from.mouse.click(450, 600)
  await from.keyboard.press("p")
  for (let i = 0; i < count; i++) {
    await from.mouse.move(260 + (i % 10) * 40, 220 + Math.floor(i / 10) * 40)
    // The end of the former stroke is still being drawn.
    await to.waitForTimeout(200)
    await to.evaluate(() => delete window.moments.drawn)
    await from.mouse.down()
    await from.mouse.move(280 + (i % 10) * 40, 240 + Math.floor(i / 10) * 40, { steps: 3 })
    await from.mouse.up()
    await to.waitForFunction(() => window.moments.drawn !== undefined)
    delays.push((await momentsOf(to)).drawn! - (await momentsOf(from)).pressed!)
  }
  return delays
}

/** @param runs conferences made, each with fresh browser profiles */
export async function* room(runs: number, progress: Progress): AsyncGenerator<Figure> {
  const server = await startServer({ webDir: join(import.meta.dirname, "../../apps/web/dist") })
  const [one, two] = [await launch("chromium"), await launch("chromium")]
  const [loads, joins, delays]: [number[], number[], number[]] = [[], [], []]
  try {
    for (let run = 0; run <= runs; run++) {
      progress(run, runs + 1)
      const viewport = { width: 1280, height: 800 }
      const [first, second] = [await one.newContext({ viewport }), await two.newContext({ viewport })]
      await first.grantPermissions(["clipboard-read", "clipboard-write"])
      const ada = await openPage(first, server.url)
      await ada.waitForFunction(() => window.moments.ready !== undefined)
      const load = (await momentsOf(ada)).ready! - (await ada.evaluate(() => performance.timeOrigin))
      await ada.getByLabel("Your name").fill("Ada")
      await ada.getByRole("button", { name: "Start a conference" }).click()
      await ada.getByRole("button", { name: "Copy link" }).click()
      const bob = await openPage(second, await ada.evaluate(() => navigator.clipboard.readText()))
      await bob.getByLabel("Your name").fill("Bob")
      await bob.getByRole("button", { name: "Join" }).click()
      const join = (await secured(bob)) - (await momentsOf(bob)).join!
      await Promise.all([ada, bob].map((page) => page.locator("canvas.interactive").waitFor()))
      await ada.waitForTimeout(500)
      const stroke = await strokes(ada, bob, 20)
      // The first run warms the machine.
      if (run > 0) {
        loads.push(load)
        joins.push(join)
        delays.push(...stroke)
      }
      await Promise.all([first.close(), second.close()])
    }
  } finally {
    await Promise.all([one.close(), two.close()])
    await server.close()
  }
  yield figureOf({ experiment: "room", metric: LOAD, unit: "ms" }, loads)
  yield figureOf({ experiment: "room", metric: JOIN, unit: "ms" }, joins)
  yield figureOf({ experiment: "room", metric: STROKE, unit: "ms" }, delays)
}
