/** Every experiment, each in a process of its own: one that warms up, leaks, hangs or fails does not touch the next. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import type { Experiment, Options } from "../experiment/experiment.ts"
import { UNAVAILABLE } from "./exit-codes.ts"

/** As `npm run bench` has them. */
const AS_TYPED = ["--disable-warning=ExperimentalWarning", "--conditions=keymoot-source"]
const TIME_MAX_MS = { quick: 120_000, full: 900_000 }
const MINUTE_MS = 60_000

/** How one of them went; with the reason where it could not be had here, which is no failure. */
type Outcome = { readonly kind: "done" | "skipped" | "FAILED"; readonly reason: string }

/** Returns whether all succeeded. Reports skipped experiments at the end, with the reason. */
export async function runAll(
  experiments: readonly Experiment[],
  { runs, quick = false }: Options,
  { json, out }: { readonly json: boolean; readonly out?: string },
): Promise<boolean> {
  const args = [
    ...(runs === undefined ? [] : ["--runs", `${runs}`]),
    ...(quick ? ["--quick"] : []),
    ...(json ? ["--json"] : []),
    ...(out === undefined ? [] : ["--out", out]),
  ]
  const outcomes = new Map<string, Outcome>()
  const sinceMs = performance.now()
  for (const { name, minutesMax } of experiments) {
    console.error(`${name} …`)
    const beganMs = performance.now()
    const fullMs = minutesMax === undefined ? TIME_MAX_MS.full : minutesMax * MINUTE_MS
    const outcome = await runAlone([name, ...args], quick ? TIME_MAX_MS.quick : fullMs)
    outcomes.set(name, outcome)
    console.error(`${name}: ${outcome.kind} after ${secondsSince(beganMs)} s`)
  }
  console.error(`\n${summary(outcomes)} ${secondsSince(sinceMs)} s in all.`)
  return [...outcomes.values()].every(({ kind }) => kind !== "FAILED")
}

const secondsSince = (beganMs: number): string => ((performance.now() - beganMs) / 1000).toFixed(1)

function summary(outcomes: ReadonlyMap<string, Outcome>): string {
  const of = (wanted: Outcome["kind"]) => [...outcomes].filter(([, { kind }]) => kind === wanted)
  const names = (some: readonly (readonly [string, Outcome])[]) => some.map(([name]) => name).join(", ")
  const [done, skipped, failed] = [of("done"), of("skipped"), of("FAILED")]
  return [
    `Done: ${names(done) || "none"}.`,
    ...skipped.map(([name, { reason }]) => `Skipped: ${name}. ${reason}`),
    ...(failed.length > 0 ? [`Failed: ${names(failed)}.`] : []),
  ].join("\n")
}

async function runAlone(args: readonly string[], timeMaxMs: number): Promise<Outcome> {
  const child = spawn(process.execPath, [...AS_TYPED, join(import.meta.dirname, "../main.ts"), ...args], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  })
  let reason = ""
  child.on("message", (said) => (reason = String(said)))
  const timer = setTimeout(() => {
    console.error(`Stopped: it took more than ${timeMaxMs / 1000} s.`)
    child.kill("SIGKILL")
  }, timeMaxMs)
  const [code] = (await once(child, "close")) as [number | null]
  clearTimeout(timer)
  return { kind: code === 0 ? "done" : code === UNAVAILABLE ? "skipped" : "FAILED", reason }
}
