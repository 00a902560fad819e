/** Asks a host from another one, with a process on each. */
import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Hosts } from "./hosts.ts"

const ASK_AGAIN_MS = 1000
const PROGRAM = join(import.meta.dirname, "probe.ts")

export class Probe {
  /** The echoes, in order of arrival: number, and round-trip time in milliseconds. */
  readonly answers: { readonly number: number; readonly roundTripMs: number }[] = []
  readonly #children: readonly ChildProcess[]
  #asked = 0
  #sent = 0
  #onLine: () => void = () => {}

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children
    createInterface({ input: children[1]!.stdout! }).on("line", (line) => {
      const [what, number, roundTripMs] = line.split(" ")
      if (what === "sent") this.#sent = Number(number)
      else this.answers.push({ number: Number(number), roundTripMs: Number(roundTripMs) })
      this.#onLine()
    })
  }

  static async start(hosts: Hosts, from: string, to: string): Promise<Probe> {
    const children: ChildProcess[] = []
    for (const [host, role] of [
      [to, "answer"],
      [from, "ask"],
    ] as const) {
      const [command, ...before] = hosts.on(host)
      const args = [...before, process.execPath, PROGRAM, role, hosts.address(to)]
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })
      children.push(child)
      await once(child.stdout, "data")
    }
    return new Probe(children)
  }

  /** Sends so many, and gives their numbers when they are on their way. */
  async ask(count = 1): Promise<readonly number[]> {
    const numbers = Array.from({ length: count }, () => ++this.#asked)
    this.#children[1]!.stdin!.write(numbers.map((number) => `${number}\n`).join(""))
    while (this.#sent < this.#asked) await this.#line()
    return numbers
  }

  /** Asks again until there is an answer to something that was asked from now on, and gives its milliseconds. */
  async roundTripMs(): Promise<number> {
    const since = this.#asked
    const answer = () => this.answers.find(({ number }) => number > since)?.roundTripMs
    for (let tries = 0; answer() === undefined; tries++) {
      if (tries === 0 || !(await this.#line(ASK_AGAIN_MS))) await this.ask()
    }
    return answer()!
  }

  /** Resolves at the next line, with false if there is none for so long. */
  #line(patienceMs?: number): Promise<boolean> {
    return new Promise((done) => {
      const timer = patienceMs === undefined ? undefined : setTimeout(() => done(false), patienceMs)
      this.#onLine = () => {
        clearTimeout(timer)
        done(true)
      }
    })
  }

  async close(): Promise<void> {
    for (const child of this.#children) {
      const ended = once(child, "exit")
      child.stdin!.end()
      await ended
    }
  }
}
