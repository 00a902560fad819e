import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

const MAIN = fileURLToPath(new URL("../main.mjs", import.meta.url))

export interface ServerProcess {
  readonly child: ChildProcess
  readonly output: () => string
  readonly errors: () => string
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>
}

/**
 * The server as `npm start` runs it, in a process of its own.
 * @param within a command that runs the one that follows it
 */
export function spawnServer(
  environment: Record<string, string>,
  args: readonly string[] = [],
  nodeArgs: readonly string[] = [],
  within: readonly string[] = [],
): ServerProcess {
  const command = [...within, process.execPath, ...nodeArgs, "--conditions=keymoot-source", MAIN, ...args]
  const child = spawn(command[0]!, command.slice(1), {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  let errors = ""
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()))
  const ended = once(child, "close").then(([code, signal]) => (code ?? signal) as number | string | null)
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await ended
  })
  return { child, output: () => output, errors: () => errors, ended }
}

/** Waits for the line that says where the server is. */
export async function readyUrl(server: ServerProcess): Promise<string> {
  const url = await Promise.race([lineWithUrl(server), server.ended])
  if (typeof url !== "string" || !url.startsWith("http")) throw new Error(`the server ended: ${server.errors()}`)
  return url
}

function lineWithUrl(server: ServerProcess): Promise<string> {
  return new Promise((done) => {
    const look = () => {
      const found = /^Keymoot is ready at (http\S+)\n/mu.exec(server.output())
      if (found?.[1] !== undefined) done(found[1])
    }
    server.child.stdout?.on("data", look)
    look()
  })
}
