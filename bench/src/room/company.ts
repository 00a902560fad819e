/** One page, traced, and five members in Node who come, draw with it and go. */
import { fork, type ChildProcess } from "node:child_process"
import { join } from "node:path"
import type { Browser, Page } from "@playwright/test"
import type { Command } from "./drawers.ts"
import { mainThreadOf, TRACE_CATEGORIES, type MainThread, type TraceEvent } from "./trace.ts"
import { securedAt } from "./watch.ts"

const OTHERS = 5

export type Company = {
  /** While the five came, one by one, and while they went: a new key each time. */
  readonly changes: readonly MainThread[]
  readonly alone: MainThread
  readonly together: MainThread
}

export class Drawers {
  readonly #child: ChildProcess
  readonly #url: string

  constructor(url: string) {
    this.#url = url
    this.#child = fork(join(import.meta.dirname, "drawers.ts"), {
      execPath: process.execPath,
      execArgv: ["--conditions=keymoot-source"],
    })
  }

  /** `count`: of those that draw, all unless given. */
  async tell(act: Command["act"], count?: number): Promise<void> {
    this.#child.send({ act, url: this.#url, ...(count !== undefined && { count }) } satisfies Command)
    const answer = await new Promise<string>((done) => {
      this.#child.once("message", (message) => done(message as string))
      this.#child.once("exit", (code, signal) => done(`they ended (${signal ?? code})`))
    })
    this.#child.removeAllListeners("exit")
    if (answer !== "done") throw new Error(`The members in Node could not ${act}: ${answer}`)
  }

  async close(): Promise<void> {
    if (!this.#child.connected) return
    const ended = new Promise<void>((done) => void this.#child.once("exit", () => done()))
    this.#child.disconnect()
    await ended
  }
}

/** @param page alone in its conference, and in its browser; the pen is chosen */
export async function company(browser: Browser, page: Page, url: string, strokes: number): Promise<Company> {
  const { origin } = new URL(url)
  const traced = async (act: () => Promise<void>): Promise<MainThread> => {
    await browser.startTracing(page, { categories: TRACE_CATEGORIES })
    await act()
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
    return mainThreadOf(traceEvents, origin)
  }
  const drawers = new Drawers(url)
  try {
    const alone = await traced(() => draw(page, strokes))
    const coming = await traced(async () => {
      for (let others = 1; others <= OTHERS; others++) {
        await drawers.tell("come")
        await securedAt(page, others + 1)
      }
    })
    const together = await traced(async () => {
      await drawers.tell("draw")
      await draw(page, strokes)
      await drawers.tell("rest")
    })
    const going = await traced(async () => {
      for (let others = OTHERS; others > 0; others--) {
        await drawers.tell("go")
        await securedAt(page, others)
      }
    })
    return { changes: [coming, going], alone, together }
  } finally {
    await drawers.close()
  }
}

export async function draw(page: Page, strokes: number): Promise<void> {
  for (let stroke = 0; stroke < strokes; stroke++) {
    await page.mouse.move(300, 650 - 8 * (stroke % 50))
    await page.mouse.down()
    await page.mouse.move(800, 650 - 8 * (stroke % 50), { steps: 60 })
    await page.mouse.up()
  }
}
