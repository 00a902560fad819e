/** Pages with nothing but the package, that do nothing in a conference. */
import { launch } from "@keymoot/e2e"
import type { PagePackage } from "@keymoot/e2e/package-page"
import type { Browser, CDPSession, Page } from "@playwright/test"
import type { Conference } from "@keymoot/core"
import { openPage } from "../browsers/page-package.ts"

type IdleWindow = Window & { conference: Conference }

/** Processor time so far, in ms: of each page's process by its id, and of all processes of the browser. */
export type PageTimes = { readonly renderers: ReadonlyMap<number, number>; readonly browser: number }

export class Pages {
  readonly #browser: Browser
  readonly #session: CDPSession
  readonly #pages: Page[] = []

  private constructor(browser: Browser, session: CDPSession) {
    this.#browser = browser
    this.#session = session
  }

  /** So many in one secured view, in a Chromium of their own. */
  static async of(count: number, server: string, built: PagePackage): Promise<Pages> {
    const browser = await launch("chromium")
    try {
      const pages = new Pages(browser, await browser.newBrowserCDPSession())
      let url: string | null = null
      for (let i = 0; i < count; i++) url = await pages.#enter(server, built, url)
      return pages
    } catch (error) {
      await browser.close()
      throw error
    }
  }

  async processorMs(): Promise<PageTimes> {
    const { processInfo } = await this.#session.send("SystemInfo.getProcessInfo")
    // The others are spare ones, without a page. They have loaded nothing.
    const renderers = processInfo
      .filter(({ type }) => type === "renderer")
      .toSorted((a, b) => b.cpuTime - a.cpuTime)
      .slice(0, this.#pages.length)
    return {
      renderers: new Map(renderers.map(({ id, cpuTime }) => [id, cpuTime * 1000])),
      browser: processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0) * 1000,
    }
  }

  close(): Promise<void> {
    return this.#browser.close()
  }

  /** The page enters, and all others are secured with it. */
  async #enter(server: string, built: PagePackage, url: string | null): Promise<string> {
    const page = await openPage(this.#browser, server, built)
    this.#pages.push(page)
    await page.waitForFunction(() => "keymoot" in globalThis)
    const link = await page.evaluate(
      async ([name, server, url]) => {
        const self = globalThis as unknown as IdleWindow
        const { Identity, Conference } = self.keymoot
        const identity = await Identity.open({ name })
        self.conference = url
          ? await Conference.join({ url, identity, localCopy: false })
          : await Conference.create({ server, identity, localCopy: false })
        return self.conference.invitation.url
      },
      [`Page ${this.#pages.length}`, server, url] as const,
    )
    const isMet = (count: number): boolean => {
      const { status, members } = (globalThis as unknown as IdleWindow).conference.view
      return status === "secured" && members.length === count
    }
    await Promise.all(this.#pages.map((each) => each.waitForFunction(isMet, this.#pages.length)))
    // Playwright polls with each frame, which would count as the page's own work: nothing waits from here on.
    return link
  }
}
