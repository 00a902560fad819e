/** Members on the hosts of a lab: one in each page of a browser, many in a process of Node. */
import { fork, type ChildProcess } from "node:child_process"
import { join } from "node:path"
import { openChromium, type Hosts } from "@keymoot/e2e/hosts"
import type { Browser } from "@playwright/test"
import type { PagePackage } from "@keymoot/e2e/package-page"
import { createAgent, type Agent } from "./agent.ts"
import type { Answer, Call } from "./calls.ts"

export type Member = Agent & { close(): Promise<void> }
/** Opens members on one host. `open` performs a person's steps before "Join". */
export type Opener = { open(): Promise<Member>; close(): Promise<void> }

const PATH = "/bench-wan"
const METHODS: readonly (keyof Agent)[] = ["card", "enter", "reached", "view", "direct", "say", "arrived", "leave"]

declare global {
  interface Window {
    startAgent: typeof createAgent
    agent: Agent
  }
}

function agentOf(call: (method: keyof Agent, args: readonly unknown[]) => Promise<unknown>): Agent {
  return Object.fromEntries(
    METHODS.map((method) => [method, (...args: readonly unknown[]) => call(method, args)]),
  ) as unknown as Agent
}

/** In the pages of a Chromium on that host. */
export async function openBrowser(lab: Hosts, host: string, origin: string, built: PagePackage): Promise<Opener> {
  const browser = await openChromium(lab, host, origin)
  return { open: () => openPage(browser, origin, built), close: () => browser.close() }
}

async function openPage(browser: Browser, origin: string, { directory }: PagePackage): Promise<Member> {
  const context = await browser.newContext()
  await context.route(`${origin}${PATH}/**`, (route) => {
    const file = new URL(route.request().url()).pathname.slice(PATH.length + 1)
    return file
      ? route.fulfill({ path: join(directory, file) })
      : route.fulfill({ contentType: "text/html", body: "<!doctype html>" })
  })
  const page = await context.newPage()
  await page.goto(`${origin}${PATH}/`)
  await page.evaluate(`void (window.startAgent = ${createAgent})`)
  await page.evaluate(async (module) => {
    const { Conference, Identity } = (await import(module)) as typeof import("@keymoot/core")
    window.agent = window.startAgent(Conference, await Identity.open({ name: "Member" }))
  }, `${PATH}/keymoot.js`)
  const agent = agentOf((method, args) =>
    page.evaluate(
      ([method, args]) => (window.agent[method] as (...args: readonly unknown[]) => Promise<unknown>)(...args),
      [method, args] as const,
    ),
  )
  return { ...agent, close: () => context.close() }
}

export function openNode(lab: Hosts, host: string): Opener {
  const [command, ...before] = lab.on(host)
  const child = fork(join(import.meta.dirname, "node-agents.ts"), {
    execPath: command,
    execArgv: [...before, process.execPath, "--conditions=keymoot-source"],
  })
  const calls = new Calls(child)
  let opened = 0
  return {
    async open() {
      const member = opened++
      await calls.call(member, "open", [])
      return { ...agentOf((method, args) => calls.call(member, method, args)), close: () => Promise.resolve() }
    },
    async close() {
      const ended = new Promise<void>((done) => void child.once("exit", () => done()))
      child.disconnect()
      await ended
    },
  }
}

/** Called, and not answered yet. */
class Calls {
  readonly #child: ChildProcess
  readonly #open = new Map<number, (answer: Answer) => void>()
  #count = 0

  constructor(child: ChildProcess) {
    this.#child = child
    child.on("message", (answer: Answer) => {
      this.#open.get(answer.call)!(answer)
      this.#open.delete(answer.call)
    })
    child.on("exit", () => {
      for (const [call, done] of this.#open) done({ call, error: "The process of members ended." })
    })
  }

  async call(member: number, method: Call["method"], args: readonly unknown[]): Promise<unknown> {
    const call = ++this.#count
    this.#child.send({ call, member, method, args } satisfies Call)
    const answer = await new Promise<Answer>((done) => void this.#open.set(call, done))
    if ("error" in answer) throw new Error(`Member ${member} could not ${method}: ${answer.error}`)
    return answer.value
  }
}
