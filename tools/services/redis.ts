import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { freePort } from "./processes.ts"
import { findService, howToInstall } from "./services.ts"

const READY = "Ready to accept connections"

/** A Redis of its own, on 127.0.0.1, in memory. */
export interface Redis {
  readonly url: string
  /** As an outage would: at once. Everything in it is lost. */
  kill(): Promise<void>
  /** Again after `kill`, on the same port. */
  start(): Promise<void>
  /** Answers nothing from now on, and keeps its connections. */
  hang(): void
  resume(): void
}

/** @throws Error when it is not installed or does not start */
export async function startRedis(): Promise<Redis> {
  const program = findService("redis-server")
  if (program === null) throw new Error(howToInstall("redis-server"))
  const port = await freePort()
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
  let child: ChildProcess
  const start = async () => {
    child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] })
    await saying(child, READY)
  }
  await start()
  // Kills it when this process ends without doing so.
  const killAtExit = () => void child.kill("SIGKILL")
  process.once("exit", killAtExit)
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    hang: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, "exit")
      child.kill("SIGKILL")
      await exit
    },
  }
}

/** Waits until the process says so on its standard output. */
function saying(child: ChildProcess, expected: string): Promise<void> {
  return new Promise((done, fail) => {
    let said = ""
    child.stdout?.on("data", (chunk: Buffer) => {
      if (said.includes(expected)) return
      said += chunk.toString()
      if (said.includes(expected)) done()
    })
    child.once("error", fail)
    child.once("exit", () => fail(new Error(`it ended: ${said}`)))
  })
}
