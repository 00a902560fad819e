import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { VisitorCommand } from "./visitors.ts"

/** Members in a process of their own, which take part in no call. They join a conference and leave it, one by one. */
export class ComingAndGoing {
  readonly #child: ChildProcess
  readonly #url: string
  readonly #ended: Promise<unknown>

  constructor(url: string) {
    this.#url = url
    this.#child = fork(join(import.meta.dirname, "visitors.ts"), {
      execPath: process.execPath,
      execArgv: ["--conditions=keymoot-source"],
    })
    this.#ended = once(this.#child, "exit")
  }

  /** @throws Error with the reason if the visitor could not */
  async change(act: VisitorCommand["act"]): Promise<void> {
    this.#child.send({ act, url: this.#url } satisfies VisitorCommand)
    const ended = this.#ended.then(() => ["it has ended"])
    const [answer] = (await Promise.race([once(this.#child, "message"), ended])) as [string]
    if (answer !== "done") throw new Error(`A visitor could not ${act}: ${answer}`)
  }

  async close(): Promise<void> {
    if (!this.#child.connected) return
    this.#child.disconnect()
    await this.#ended
  }
}
