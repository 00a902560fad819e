/** Every experiment, each in a process of its own: one that warms up, leaks, hangs or fails does not touch the next. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Experiment, Options } from "./experiment.ts"
import { UNAVAILABLE } from "./exit-codes.ts"

const TIME_MAX_MS = { quick: 120_000, full: 900_000 }

/** Gives the names of those that failed. What an experiment cannot have here is no failure; its reason is printed. */
export async function runAll(
  experiments: readonly Experiment[],
  { runs, quick = false }: Options,
  { json, out }: { readonly json: boolean; readonly out?: string },
): Promise<readonly string[]> {
  const args = [
    ...(runs === undefined ? [] : ["--runs", `${runs}`]),
    ...(quick ? ["--quick"] : []),
    ...(json ? ["--json"] : []),
    ...(out === undefined ? [] : ["--out", out]),
  ]
  const failed: string[] = []
  for (const { name } of experiments) {
    console.error(`${name} …`)
    const sinceMs = performance.now()
    const code = await runAlone([name, ...args], quick ? TIME_MAX_MS.quick : TIME_MAX_MS.full)
    const seconds = ((performance.now() - sinceMs) / 1000).toFixed(1)
    if (code === UNAVAILABLE) console.error(`${name}: skipped, for the reason above`)
    else if (code !== 0) failed.push(name)
    if (code !== UNAVAILABLE) console.error(`${name}: ${code === 0 ? "done" : "FAILED"} after ${seconds} s`)
  }
  return failed
}

async function runAlone(args: readonly string[], timeMaxMs: number): Promise<number> {
  const main = join(import.meta.dirname, "main.ts")
  const child = spawn(process.execPath, ["--conditions=keymoot-source", main, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  const timer = setTimeout(() => {
    console.error(`Stopped: it took more than ${timeMaxMs / 1000} s.`)
    child.kill("SIGKILL")
  }, timeMaxMs)
  const [code] = (await once(child, "exit")) as [number | null]
  clearTimeout(timer)
  return code ?? 1
}
