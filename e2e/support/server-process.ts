import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
/** Each test starts a server: only the first one has to strip its types and compile it. Node keys entries by content. */
const COMPILE_CACHE = join(tmpdir(), "keymoot-compile-cache")
const READY = /^Keymoot is ready at (http:\/\/\S+)$/u

/** The real server, started as `npm start` starts it, with data of its own. */
export class ServerProcess {
  readonly #dataDir: string
  readonly #settings: Readonly<Record<string, string>>
  readonly #before: readonly string[]
  #process: ChildProcess | null = null
  #origin = ""

  private constructor(dataDir: string, settings: Readonly<Record<string, string>>, before: readonly string[]) {
    this.#dataDir = dataDir
    this.#settings = settings
    this.#before = before
  }

  /** `settings`: environment variables besides those that every test needs. `before`: what its command line begins with. */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    before: readonly string[] = [],
  ): Promise<ServerProcess> {
    const server = new ServerProcess(await mkdtemp(join(tmpdir(), "keymoot-e2e-")), settings, before)
    await server.#run("0")
    return server
  }

  get origin(): string {
    return this.#origin
  }

  /** On the same port and with the same data as before. */
  startAgain(): Promise<void> {
    return this.#run(new URL(this.#origin).port)
  }

  async stop(): Promise<void> {
    const running = this.#process
    this.#process = null
    if (running === null || running.exitCode !== null) return
    const exit = once(running, "exit")
    running.kill("SIGTERM")
    await exit
  }

  async dispose(): Promise<void> {
    await this.stop()
    await rm(this.#dataDir, { recursive: true })
  }

  async #run(port: string): Promise<void> {
    const own = {
      PORT: port,
      HOST: "127.0.0.1",
      DATA_DIR: this.#dataDir,
      LOG_LEVEL: "error",
      NODE_COMPILE_CACHE: COMPILE_CACHE,
    }
    const command = [...this.#before, process.execPath, "--conditions=keymoot-source", "apps/signaling/src/main.ts"]
    const child = spawn(command[0]!, command.slice(1), {
      cwd: ROOT,
      env: { ...process.env, ...own, ...this.#settings },
      stdio: ["ignore", "pipe", "inherit"],
    })
    this.#process = child
    for await (const line of createInterface({ input: child.stdout })) {
      const origin = READY.exec(line)?.[1]
      if (origin === undefined) continue
      this.#origin = origin
      child.stdout.resume()
      return
    }
    throw new Error("The server ended before it was ready: its reason stands above.")
  }
}
