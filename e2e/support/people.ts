import type { Browser, BrowserContextOptions, TestInfo } from "@playwright/test"
import { type BrowserKind, FEWER_PROCESSES, launch, launchMortalChromium } from "../browsers.ts"
import { killTabs } from "./kill-tabs.ts"
import { Person } from "./person.ts"

/** A screen that is held in one hand. */
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Browser processes that outlive a test: starting one takes seconds. */
export class BrowserPool {
  readonly #browsers = new Map<string, Browser>()

  /** The `index`-th process of its kind: two people never share one. */
  async take(kind: BrowserKind, index: number): Promise<Browser> {
    const key = `${kind} ${index}`
    const known = this.#browsers.get(key)
    if (known?.isConnected()) return known
    const browser = await launch(kind, FEWER_PROCESSES)
    this.#browsers.set(key, browser)
    return browser
  }

  async close(): Promise<void> {
    await Promise.all([...this.#browsers.values()].map((browser) => browser.close()))
  }
}

export type Mortal = { readonly person: Person; readonly kill: () => Promise<void>; readonly killTabs: () => void }

/** The people of one test. Each has a browser process and a fresh profile. */
export class People {
  readonly #pool: BrowserPool
  readonly #here: Person[] = []
  readonly #taken = { chromium: 0, firefox: 0 }
  readonly #farewells: (() => Promise<void>)[] = []

  constructor(pool: BrowserPool) {
    this.#pool = pool
  }

  async arrive(name: string, kind: BrowserKind = "chromium", options: BrowserContextOptions = {}): Promise<Person> {
    return this.#sitDown(name, await this.#pool.take(kind, this.#taken[kind]++), options)
  }

  /** Somebody whose whole browser can be killed, or only its tabs. */
  async arriveMortal(name: string): Promise<Mortal> {
    const server = await launchMortalChromium()
    this.#farewells.push(() => server.kill())
    const { chromium } = await import("@playwright/test")
    const person = await this.#sitDown(name, await chromium.connect(server.wsEndpoint()), {})
    return { person, kill: () => server.kill(), killTabs: () => killTabs(server.process().pid!) }
  }

  /** In a browser that the test has started. */
  arriveIn(browser: Browser, name: string, options: BrowserContextOptions = {}): Promise<Person> {
    this.#farewells.push(() => browser.close())
    return this.#sitDown(name, browser, options)
  }

  /** Another tab of the same profile. */
  async openTab(person: Person): Promise<Person> {
    const other = new Person(person.name, await person.page.context().newPage())
    this.#here.push(other)
    return other
  }

  get complaints(): string[] {
    return this.#here.flatMap((person) => person.complaints.map((complaint) => `${person.name}: ${complaint}`))
  }

  /** Attaches what each person sees, and the trace of its engine. */
  async saveEvidence(testInfo: TestInfo): Promise<void> {
    for (const [index, { name, page, trace }] of this.#here.entries()) {
      await testInfo.attach(`${index}-${name}-trace.txt`, { body: trace.join("\n"), contentType: "text/plain" })
      if (page.isClosed()) continue
      const path = testInfo.outputPath(`${index}-${name}.png`)
      await page.screenshot({ path }).catch(() => undefined) // A killed browser shows nothing.
    }
  }

  async goHome(): Promise<void> {
    for (const { page } of this.#here)
      await page
        .context()
        .close()
        .catch(() => undefined) // Killed ones are gone already.
    for (const farewell of this.#farewells) await farewell()
  }

  async #sitDown(name: string, browser: Browser, options: BrowserContextOptions): Promise<Person> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en-GB",
      // Each fresh profile would load the page twice, and what a test stands in the way of would be kept: one test has it.
      serviceWorkers: "block",
      ...options,
    })
    await context.addInitScript(() => {
      try {
        localStorage.setItem("keymoot.trace", "debug")
      } catch {
        // A page without storage has no trace.
      }
      document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) =>
        console.error(`Content Security Policy: ${effectiveDirective} forbids ${blockedURI}`),
      )
    })
    const person = new Person(name, await context.newPage())
    this.#here.push(person)
    return person
  }
}
