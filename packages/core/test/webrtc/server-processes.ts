import { spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const MAIN = fileURLToPath(new URL("../../../../apps/signaling/src/main.ts", import.meta.url))

/** A process of the server that can be stopped, killed, and started again on its port. */
export class ServerProcess {
  readonly #environment: Readonly<Record<string, string>>
  #child: ChildProcess | null = null

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = { WEB_DIR: "none", LOG_LEVEL: "error", ...environment }
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ["--conditions=keymoot-source", MAIN], {
      env: { PATH: process.env["PATH"], ...this.#environment },
      stdio: ["ignore", "pipe", "inherit"],
    })
    this.#child = child
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith("Keymoot is ready")) continue
      child.stdout.resume()
      return
    }
    throw new Error("The server ended before it was ready: its reason stands above.")
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, "exit")
    child.kill(signal)
    await exit
  }
}
