import { spawn } from "node:child_process"
import { once } from "node:events"
import type { Readable } from "node:stream"

export type Display = { readonly name: string; readonly end: () => void }

/** A display of memory, with a number that is free. null: this machine has no Xvfb. */
export async function startDisplay(): Promise<Display | null> {
  const xvfb = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  })
  const started = once(xvfb.stdio[3] as Readable, "data").then(([number]) => `:${String(number).trim()}`)
  const failed = once(xvfb, "error").then(() => null)
  const name = await Promise.race([started, failed, once(xvfb, "exit").then(() => null)]).catch(() => null)
  return name === null ? null : { name, end: () => void xvfb.kill() }
}
