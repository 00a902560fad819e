import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Unavailable } from "../experiment/experiment.ts"

const ROOT = join(import.meta.dirname, "../../..")
/** Linux counts a process's time in these. */
const TICKS_PER_SECOND = 100

/** The server as `npm start` runs it, in a process of its own, with SQLite on the disk. */
export interface MeasuredServer {
  readonly url: string
  /** From the start of the process to its word that it is ready. */
  readonly startMs: number
  residentMegabytes(): number
  /** Processor time used so far. */
  processorMs(): number
  stop(): Promise<void>
}

/**
 * @param compileCache where it looks for compiled code, and leaves it: the first start with an empty directory is a cold one
 * @throws Unavailable where there is no /proc to measure with
 */
export async function startMeasuredServer(compileCache: string): Promise<MeasuredServer> {
  if (!existsSync("/proc/self/status")) throw new Unavailable("This experiment reads /proc: run it on Linux.")
  const dataDir = mkdtempSync(join(tmpdir(), "keymoot-load-"))
  const webDir = join(ROOT, "apps/web/dist")
  const sinceMs = performance.now()
  const child = spawn(process.execPath, ["--conditions=keymoot-source", "apps/signaling/src/main.ts"], {
    cwd: ROOT,
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      DATA_DIR: dataDir,
      WEB_DIR: existsSync(webDir) ? webDir : "none",
      LOG_LEVEL: "error",
      NODE_COMPILE_CACHE: compileCache,
      // All clients of this experiment share one address.
      ADDRESS_SCALE: "10000",
    },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const ended = once(child, "exit")
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Keymoot is ready at (\S+)$/u.exec(line)?.[1]
    if (url === undefined) continue
    const startMs = performance.now() - sinceMs
    child.stdout.resume()
    const of = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, "utf8")
    return {
      url,
      startMs,
      residentMegabytes: () => (Number(/^VmRSS:\s+(\d+) kB$/mu.exec(of("status"))?.[1]) * 1024) / 1e6,
      // Fields 14 and 15; the second is a name in parentheses that may hold spaces.
      processorMs: () => {
        const fields = of("stat")
          .replace(/^.*\) /su, "")
          .split(" ")
        return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
      },
      stop: async () => {
        child.kill("SIGTERM")
        await ended
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  }
  throw new Error("The server ended before it was ready: its reason stands above.")
}
