/** Members in Node, each in a process of its own, that do nothing in a conference. */
import { fork, type ChildProcess } from "node:child_process"
import { join } from "node:path"
import type { Answer, Command } from "./member.ts"

export class Members {
  readonly #processes: ChildProcess[] = []

  /** So many in one secured view. */
  static async of(count: number, server: string): Promise<Members> {
    const members = new Members()
    try {
      let url: string | null = null
      for (let i = 0; i < count; i++) {
        const child = members.#start()
        url = (await send(child, { act: "enter", server, url })) as string
        await members.#commandAll({ act: "meet", members: i + 1 })
      }
      return members
    } catch (error) {
      await members.close()
      throw error
    }
  }

  /** Processor time of each member so far, in ms. */
  async processorMs(): Promise<readonly number[]> {
    return (await this.#commandAll({ act: "count" })) as number[]
  }

  async close(): Promise<void> {
    const ended = this.#processes
      .filter(({ connected }) => connected)
      .map((child) => {
        const exit = new Promise<void>((done) => void child.once("exit", () => done()))
        child.disconnect()
        return exit
      })
    await Promise.all(ended)
  }

  #start(): ChildProcess {
    const child = fork(join(import.meta.dirname, "member.ts"), {
      execPath: process.execPath,
      execArgv: ["--disable-warning=ExperimentalWarning", "--conditions=keymoot-source"],
    })
    this.#processes.push(child)
    return child
  }

  #commandAll(command: Command): Promise<(string | number)[]> {
    return Promise.all(this.#processes.map((child) => send(child, command)))
  }
}

function send(child: ChildProcess, command: Command): Promise<string | number> {
  return new Promise((done, fail) => {
    const ended = (code: number | null, signal: string | null): void => {
      fail(new Error(`a member in Node ended (${signal ?? code}) when asked to ${command.act}`))
    }
    child.once("exit", ended)
    child.once("message", (answer: Answer) => {
      child.off("exit", ended)
      if (answer.ok) done(answer.value)
      else fail(new Error(`a member in Node could not ${command.act}: ${answer.why}`))
    })
    child.send(command)
  })
}
