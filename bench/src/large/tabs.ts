/** One conference over several Chromiums, with several members in the tab of each. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { launchMortalChromium } from "@keymoot/e2e"
import { startServer, type RunningServer } from "@keymoot/signaling"
import { chromium, type Browser, type BrowserServer, type Page } from "@playwright/test"
import { rolldown } from "rolldown"
import { openPage } from "../browsers/page-package.ts"
import { processorSeconds } from "../browsers/processor.ts"
import type { Seen } from "./page.ts"

const LOOSE = { addressScale: 1000 }

type OpenTab = { readonly process: BrowserServer; readonly browser: Browser; readonly page: Page; members: number }

export class Tabs {
  readonly #scripts: string
  readonly #server: RunningServer
  readonly #open: OpenTab[] = []
  #url: string | null = null

  private constructor(scripts: string, server: RunningServer) {
    this.#scripts = scripts
    this.#server = server
  }

  /** `meshMax`: the largest full mesh, 0 for the default. */
  static async open(count: number, meshMax: number): Promise<Tabs> {
    const scripts = await bundle()
    const tabs = new Tabs(scripts, await startServer(LOOSE))
    try {
      for (let i = 0; i < count; i++) await tabs.#openTab(meshMax)
      return tabs
    } catch (error) {
      await tabs.close()
      throw error
    }
  }

  get members(): number {
    return this.#open.reduce((sum, tab) => sum + tab.members, 0)
  }

  get pages(): readonly Page[] {
    return this.#open.map(({ page }) => page)
  }

  /** One more member, in the tab whose turn it is. */
  async add(): Promise<void> {
    const tab = this.#open[this.members % this.#open.length]!
    if (this.#url === null) this.#url = await tab.page.evaluate(() => window.tab.create())
    else await tab.page.evaluate(([url, name]) => window.tab.join(url!, name!), [this.#url, `member ${this.members}`])
    tab.members++
  }

  look(): Promise<Seen[]> {
    return Promise.all(this.pages.map((page) => page.evaluate(() => window.tab.look())))
  }

  /** The state of all tabs, or null until all members are in one secured view. */
  async together(): Promise<Seen[] | null> {
    const seen = await this.look()
    const views = new Set(seen.flatMap((each) => each.views))
    return views.size === 1 && [...views][0]!.endsWith(` secured ${this.members}`) ? seen : null
  }

  async killLast(): Promise<void> {
    await this.#open.pop()!.process.kill()
  }

  /** Processor time of all browsers so far, in ms. */
  async processorMs(): Promise<number> {
    const times = await Promise.all(this.#open.map(({ browser }) => processorSeconds(browser)))
    return 1000 * times.reduce((sum, seconds) => sum + seconds, 0)
  }

  async close(): Promise<void> {
    for (const { process } of this.#open) process.kill().catch(() => undefined)
    await this.#server.close()
    await rm(this.#scripts, { recursive: true })
  }

  async #openTab(meshMax: number): Promise<void> {
    const process = await launchMortalChromium()
    const browser = await chromium.connect(process.wsEndpoint())
    const page = await openPage(browser, this.#server.url, { directory: this.#scripts })
    this.#open.push({ process, browser, page, members: 0 })
    await page.waitForFunction(() => window.Tab !== undefined)
    await page.evaluate((mesh) => void (window.tab = new window.Tab(mesh)), meshMax)
  }
}

async function bundle(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-large-"))
  for (const name of ["page", "member-worker"]) {
    const bundled = await rolldown({
      input: { [name]: join(import.meta.dirname, `${name}.ts`) },
      platform: "browser",
      tsconfig: false,
      resolve: { conditionNames: ["keymoot-source", "browser", "import", "default"] },
      transform: { target: "es2023" },
    })
    await bundled.write({ dir: directory, format: "es", entryFileNames: "[name].js", codeSplitting: false })
    await bundled.close()
  }
  await writeFile(join(directory, "index.html"), `<!doctype html><script type="module" src="page.js"></script>`)
  return directory
}
