import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, globSync } from "node:fs"
import type { Readable } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"
import { findService, freePort, howToInstall } from "@keymoot/tools"

/** Debian's place of the browser that the driver starts. */
const BROWSERS = "/usr/lib/*/webkit2gtk-4*/MiniBrowser"
const START_MS = 20_000
const POLL_MS = 50
/** Key of an element's reference, WebDriver section 12. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

/** Why WebKit cannot be tested on this machine, or null if it can. */
export function webkitMissing(): string | null {
  for (const service of ["WebKitWebDriver", "Xvfb"] as const)
    if (findService(service) === null) return howToInstall(service)
  return findBrowser() === undefined ? "WebKitGTK's MiniBrowser is not installed beside its driver" : null
}

function findBrowser(): string | undefined {
  return globSync(BROWSERS).find((path) => existsSync(path))
}

/** One page of WebKit, driven by W3C WebDriver. It has a screen and a profile of its own. */
export class WebDriverPage {
  readonly #base: string
  readonly #stop: () => void
  #session = ""

  private constructor(base: string, stop: () => void) {
    this.#base = base
    this.#stop = stop
  }

  /** @throws Error if `webkitMissing` names a reason */
  static async open(): Promise<WebDriverPage> {
    const reason = webkitMissing()
    if (reason !== null) throw new Error(reason)
    const port = await freePort()
    const screen = spawn(findService("Xvfb")!, ["-displayfd", "3", "-screen", "0", "1400x1000x24"], {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    })
    const [display] = (await once(screen.stdio[3] as Readable, "data")) as [Buffer]
    const driver = spawn(findService("WebKitWebDriver")!, [`--port=${port}`], {
      env: { ...process.env, DISPLAY: `:${display.toString().trim()}` },
      stdio: "ignore",
    })
    const page = new WebDriverPage(`http://127.0.0.1:${port}`, () => {
      driver.kill()
      screen.kill()
    })
    try {
      await page.#start()
    } catch (error) {
      page.#stop()
      throw error
    }
    return page
  }

  async #start(): Promise<void> {
    const untilMs = Date.now() + START_MS
    while (
      !(await fetch(`${this.#base}/status`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      // prettier-ignore
      if (Date.now() > untilMs) throw new Error("WebKitWebDriver did not start.")
      await pause(POLL_MS)
    }
    const options = { binary: findBrowser(), args: ["--automation"] }
    const asked = { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } } }
    const { sessionId } = (await this.#call("POST", "/session", asked)) as { sessionId: string }
    this.#session = `/session/${sessionId}`
  }

  async goto(url: string): Promise<void> {
    await this.#command("POST", "/url", { url })
  }

  /** The function runs in the page: it sees its arguments only, and they and its result are JSON. */
  async evaluate<A extends readonly unknown[], R>(task: (...args: A) => R, ...args: A): Promise<R> {
    return (await this.#command("POST", "/execute/sync", { script: `return (${task})(...arguments)`, args })) as R
  }

  async click(selector: string): Promise<void> {
    await this.#command("POST", `/element/${await this.#find(selector)}/click`, {})
  }

  async type(selector: string, text: string): Promise<void> {
    await this.#command("POST", `/element/${await this.#find(selector)}/value`, { text })
  }

  /** Presses the mouse at the first place, and releases it at the last. CSS pixels of the page. */
  async drag(places: readonly { readonly x: number; readonly y: number }[]): Promise<void> {
    const moves = places.map(({ x, y }) => ({ type: "pointerMove", duration: 20, x: Math.round(x), y: Math.round(y) }))
    const [down, up] = [
      { type: "pointerDown", button: 0 },
      { type: "pointerUp", button: 0 },
    ]
    const actions = [moves[0], down, ...moves.slice(1), up]
    const mouse = { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }
    await this.#command("POST", "/actions", { actions: [mouse] })
  }

  async close(): Promise<void> {
    await this.#call("DELETE", this.#session).catch(() => undefined)
    this.#stop()
  }

  /** `selector`: XPath. */
  async #find(selector: string): Promise<string> {
    const found = await this.#command("POST", "/element", { using: "xpath", value: selector })
    return (found as Record<string, string>)[ELEMENT]!
  }

  #command(method: string, path: string, body: unknown): Promise<unknown> {
    return this.#call(method, this.#session + path, body)
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(this.#base + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    const { value } = (await response.json()) as { value: unknown }
    if (!response.ok) throw new Error(`WebDriver ${method} ${path}: ${JSON.stringify(value)}`)
    return value
  }
}
