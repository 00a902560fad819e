/**
 * Measurements inside a page, from before its own scripts. Times are milliseconds since 1970: pages of one machine
 * share a clock.
 */
import type { Page } from "@playwright/test"

export type Moments = {
  ready?: number
  /** When the name field and the facts of an invitation were drawn. */
  named?: number
  facts?: number
  join?: number
  drawn?: number
  pressed?: number
  entered?: number
  /** By what the lock says: how many people, and when it came to say so. */
  secured: { readonly people: number; readonly at: number }[]
  /** Times of chat messages, by their text. */
  said: Record<string, number>
}

declare global {
  interface Window {
    moments: Moments
  }
}

/** A page gets it as text. */
export function watch(): void {
  const now = (): number => performance.timeOrigin + performance.now()
  const moments: Moments = { secured: [], said: {} }
  window.moments = moments
  /** The callback of a frame is called only when the page can be drawn, so not before its style is there. */
  const drawn = (moment: "named" | "facts", selector: string): void => {
    if (moments[moment] === undefined && document.querySelector(selector))
      requestAnimationFrame(() => (moments[moment] ??= now()))
  }
  const look = (): void => {
    drawn("named", "input[autocomplete=nickname]")
    drawn("facts", ".invitation > .invitation-facts")
    if (moments.ready === undefined) {
      const buttons = [...document.querySelectorAll("button")]
      const start = buttons.find(({ textContent }) => textContent === "Start a conference")
      if (start && !start.disabled) moments.ready = now()
    }
    const lock = document.querySelector(".lock-text")?.textContent ?? ""
    const people = lock === "Only you are here." ? 1 : Number(/^Encrypted\. (\d+) people/u.exec(lock)?.[1])
    if (people > 0 && moments.secured.at(-1)?.people !== people) moments.secured.push({ people, at: now() })
    for (const { textContent } of document.querySelectorAll("[role=log] article:not([data-pending]) p"))
      moments.said[textContent] ??= now()
  }
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  addEventListener(
    "click",
    ({ target }) => {
      if ((target as Element).closest("button")?.textContent === "Join") moments.join = now()
    },
    true,
  )
  addEventListener("pointerdown", () => (moments.pressed = now()), true)
  addEventListener("keydown", ({ key }) => void (key === "Enter" && (moments.entered = now())), true)
  const draw = CanvasRenderingContext2D.prototype.drawImage
  CanvasRenderingContext2D.prototype.drawImage = function (...args: unknown[]) {
    if (this.canvas.classList.contains("static")) moments.drawn ??= now()
    return draw.apply(this, args as never)
  }
}

export const momentsOf = (page: Page): Promise<Moments> => page.evaluate(() => window.moments)

/** When it came to be secured with so many people; waits for it. */
export async function securedAt(page: Page, people: number): Promise<number> {
  await page.waitForFunction((count) => window.moments.secured.at(-1)?.people === count, people, { timeout: 60_000 })
  return (await momentsOf(page)).secured.at(-1)!.at
}
