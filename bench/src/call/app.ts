/** Two people in the app: from the click on "Camera" to the frame that the other one sees. */
import { setTimeout as pause } from "node:timers/promises"
import { launch } from "@keymoot/e2e"
import { startServer } from "@keymoot/signaling"
import type { Page } from "@playwright/test"
import { WEB_APP } from "../browsers/browser-needed.ts"
import { arrive, enter, start } from "../room/room.ts"
import { securedAt } from "../room/watch.ts"
import { DEVICES } from "./caller.ts"

type Shown = { readonly atMs: number; readonly receivedAtMs: number }
type Watched = Window & { clickedAtMs: number; shown: Shown | null }
type TimedFrame = VideoFrameCallbackMetadata & { readonly receiveTime?: number }

/** A camera that is off for so long is off at the other too. */
const OFF_MS = 1000

/** Runs in a page before the app. Times are milliseconds since 1970: pages of one machine share a clock. */
function watchClicks(): void {
  addEventListener(
    "click",
    ({ target }) => {
      const label = (target as Element).closest("button")?.getAttribute("aria-label")
      const self = globalThis as unknown as Watched
      if (label === "Camera") self.clickedAtMs = performance.timeOrigin + performance.now()
    },
    true,
  )
}

/** Notes the next frame that any tile shows. */
function watchTiles(): void {
  const self = globalThis as unknown as Watched
  self.shown = null
  for (const video of document.querySelectorAll("video"))
    video.requestVideoFrameCallback((_, { receiveTime = 0 }: TimedFrame) => {
      const { timeOrigin } = performance
      self.shown ??= { atMs: timeOrigin + performance.now(), receivedAtMs: timeOrigin + receiveTime }
    })
}

async function enterCall(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Call/u }).click()
  await page.getByRole("button", { name: "Join call", exact: true }).click()
  await page.getByRole("region", { name: "Call" }).waitFor()
}

/** @returns milliseconds from each press to the first frame at the other */
export async function clicksInApp(presses: number): Promise<number[]> {
  const server = await startServer({ webDir: WEB_APP })
  const browser = await launch("chromium", DEVICES)
  try {
    const [one, other] = [await browser.newContext(), await browser.newContext()]
    for (const context of [one, other]) await context.addInitScript(watchClicks)
    await one.grantPermissions(["clipboard-read", "clipboard-write", "camera", "microphone"])
    const { page: ada, invitation } = await start(one, server.url, new Map())
    const bob = await arrive(other, invitation)
    await enter(bob, "Bob")
    for (const page of [ada, bob]) await securedAt(page, 2)
    for (const page of [ada, bob]) await enterCall(page)
    const camera = ada.getByRole("button", { name: "Camera", exact: true })
    const waits: number[] = []
    // The first press loads what later ones have.
    for (let i = -1; i < presses; i++) {
      await bob.evaluate(watchTiles)
      await camera.click()
      const handle = await bob.waitForFunction(() => (globalThis as unknown as Watched).shown)
      const { atMs, receivedAtMs } = (await handle.jsonValue())!
      const clickedAtMs = await ada.evaluate(() => (globalThis as unknown as Watched).clickedAtMs)
      if (receivedAtMs < clickedAtMs) throw new Error("the other one was shown a frame from before the click")
      if (i >= 0) waits.push(atMs - clickedAtMs)
      await pause(OFF_MS)
      await camera.click()
      await pause(OFF_MS)
    }
    return waits
  } finally {
    await browser.close()
    await server.close()
  }
}
