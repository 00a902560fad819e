/**
 * Messages of 1 KB between two real Chromium: one contestant after another in each run, all measured by the same
 * script.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { launch } from "@keymoot/e2e"
import { startServer } from "@keymoot/signaling"
import type { Browser, Page, WebSocketRoute } from "@playwright/test"
import { rolldown } from "rolldown"
import type { Figure } from "../experiment/figure.ts"
import { pagePackage, type PagePackage } from "@keymoot/e2e/package-page"
import { openPage } from "../browsers/page-package.ts"
import { CONTESTANTS, type Contestant } from "./contestants.ts"
import { Samples, type MessagesSize } from "./message-figures.ts"
import type { Role } from "./page/contestant.ts"
import { udpDrops } from "./udp-drops.ts"

const NETWORK = "two Chromium on one machine"
/** From two open pages to a connection between them, on a machine with much else to do. */
const CONNECTED_MS_MAX = 60_000
const ATTEMPTS_MAX = 3
/** No server has it: Playwright answers. */
const RELAY = "ws://relay.invalid/"

export async function* messages(
  { runs, roundTrips, forMs }: MessagesSize,
  progress: (done: number, of: number) => void,
  contestants: readonly Contestant[] = CONTESTANTS,
): AsyncGenerator<Figure> {
  const built = await pagePackage()
  const script = await pageScript()
  const server = await startServer()
  const browsers = [await launch("chromium"), await launch("chromium")] as const
  const samples = new Samples(contestants)
  try {
    for (let run = 0; run < runs; run++) {
      for (const [i, { name }] of contestants.entries()) {
        progress(run * contestants.length + i, runs * contestants.length)
        const pair = await Pair.connected(name, () => Pair.of(browsers, server.url, built, script))
        try {
          const before = udpDrops()
          await samples.take(name, pair, { roundTrips, forMs })
          if (before !== null) samples.dropped(name, udpDrops()! - before)
        } finally {
          await pair.close()
        }
      }
    }
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()))
    await server.close()
    await built.dispose()
  }
  yield* samples.figures(NETWORK)
}

/** Two pages, in a browser each, without state of an earlier measurement. */
class Pair {
  readonly #server: string
  readonly #pages: readonly [Page, Page]

  private constructor(server: string, pages: readonly [Page, Page]) {
    this.#server = server
    this.#pages = pages
  }

  static async of(
    browsers: readonly [Browser, Browser],
    server: string,
    built: PagePackage,
    script: string,
  ): Promise<Pair> {
    const relay = relayBetween()
    const open = async (browser: Browser): Promise<Page> => {
      const page = await openPage(browser, server, built, (context) => context.routeWebSocket(RELAY, relay))
      await page.addScriptTag({ type: "module", content: script })
      await page.waitForFunction(() => window.contest !== undefined)
      return page
    }
    return new Pair(server, [await open(browsers[0]), await open(browsers[1])])
  }

  /**
   * Trystero's two ends now and then come to one of them only: how they meet is not measured, so they meet again, in new pages.
   * Ours have to meet the first time.
   */
  static async connected(name: Contestant["name"], open: () => Promise<Pair>): Promise<Pair> {
    for (let attempt = 1; ; attempt++) {
      const pair = await open()
      const isThere = await Promise.race([
        pair.#connect(name).then(() => true),
        sleep(CONNECTED_MS_MAX, false, { ref: false }),
      ])
      if (isThere) return pair
      await pair.close()
      if (name.startsWith("keymoot") || attempt === ATTEMPTS_MAX)
        throw new Error(`${name}: the two pages had no connection after ${CONNECTED_MS_MAX / 1000} s`)
    }
  }

  async #connect(name: Contestant["name"]): Promise<void> {
    const [first, second] = this.#pages
    const begin = (page: Page, role: Role, invitation: string): Promise<string> =>
      page.evaluate(([name, connection]) => window.contest.begin(name, connection), [
        name,
        { role, relay: RELAY, keymoot: { server: this.#server, invitation } },
      ] as const)
    const invitation = await begin(first, "first", "")
    await begin(second, "second", invitation)
    for (const page of this.#pages) await page.evaluate(async () => void (await window.contest.connected()))
  }

  latencies(count: number): Promise<number[]> {
    return this.#pages[0].evaluate(async (count) => (await window.contest.connected()).latencies(count), count)
  }

  rate(forMs: number): Promise<number> {
    return this.#pages[0].evaluate(async (forMs) => (await window.contest.connected()).rate(forMs), forMs)
  }

  async close(): Promise<void> {
    await Promise.all(this.#pages.map((page) => page.context().close()))
  }
}

/** Sends each publication to all subscribers of its topic. */
function relayBetween(): (socket: WebSocketRoute) => void {
  const topics = new Map<string, Set<WebSocketRoute>>()
  return (socket) => {
    socket.onMessage((text) => {
      const {
        type,
        topic = "",
        topics: subscribed = [],
      } = JSON.parse(String(text)) as {
        type: string
        topic?: string
        topics?: readonly string[]
      }
      for (const each of subscribed) topics.set(each, (topics.get(each) ?? new Set()).add(socket))
      if (type === "ping") socket.send(JSON.stringify({ type: "pong" }))
      if (type === "publish") for (const to of topics.get(topic) ?? []) to.send(text)
    })
    socket.onClose(() => {
      for (const subscribers of topics.values()) subscribers.delete(socket)
    })
  }
}

async function pageScript(): Promise<string> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "page/index.ts"),
    platform: "browser",
    tsconfig: false,
    transform: { target: "es2023" },
  })
  const { output } = await bundle.generate({ format: "es", minify: true })
  await bundle.close()
  return output[0].code
}
