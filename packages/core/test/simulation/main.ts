/** npm run sim: one run from one seed; exits 1 and tells the story on a violation, 2 on wrong arguments. See `options.ts`. */
import { appendFileSync, closeSync, openSync } from "node:fs"
import { TraceSink } from "@keymoot/transport"
import {
  layerFormat,
  manyMembersScenario,
  randomScenario,
  type Scenario,
  type TraceEvent,
} from "@keymoot/transport/testing"
import { realCryptography, toyCryptography } from "./cryptography.ts"
import { parseOptions, USAGE, UsageError, type SimOptions } from "./options.ts"
import { MS_PER_FAULT, signedBy, withKeyAgreement, type SecureCast } from "./run.ts"
import { playAndJudge, shrink } from "./shrink.ts"
import { tell } from "./story.ts"
import { writeTrace } from "./write-trace.ts"

async function main(options: SimOptions): Promise<void> {
  const { seed, members, events, module, overlay, real, json, trace: file, log } = options
  const traceFile = file === null ? null : openForWriting("--trace", file)
  const logFile = log === null ? null : openForWriting("--log", log)
  const cryptography = real ? await realCryptography() : toyCryptography()
  const cast = module === "none" ? signedBy(cryptography) : withKeyAgreement(module, cryptography, seed)
  const scenario = overlay
    ? manyMembersScenario(seed, members, events)
    : randomScenario(seed, members, events, MS_PER_FAULT)
  const { trace, violations } = await playAndJudge(scenario, {
    ...cast,
    ...progressOf(scenario.calmMs),
    ...(logFile === null ? {} : { sink: logTo(logFile, scenario) }),
  })
  if (logFile !== null) closeSync(logFile)
  if (traceFile !== null) {
    writeTrace(traceFile, trace)
    closeSync(traceFile)
  }
  const figures = {
    seed,
    members,
    module,
    real,
    faults: scenario.faults.length,
    events: trace.length,
    ...counts(trace),
  }
  const verdict = violations.length > 0 ? `${violations.length} VIOLATIONS` : "all properties hold"
  if (!json) {
    console.log(
      `seed ${seed}: ${members} members, ${figures.faults} faults, ${figures.events} events, ${figures.views} views of ` +
        `which ${figures.keyed} keyed, ${figures.delivered} deliveries in ${figures.seconds} virtual seconds: ${verdict}`,
    )
  }
  // Said before: to find the faults that it takes, it is played again and again.
  const shrunk = violations.length > 0 ? await shrink(scenario, cast, trace.length) : null
  if (json) console.log(JSON.stringify({ ...figures, violations, ...(shrunk ? { shrunk: shrunk.faults } : {}) }))
  else {
    if (shrunk) {
      const again = await playAndJudge(shrunk, cast)
      console.log(await tell(shrunk, cast, again.trace, again.violations))
    }
    tellCosts(figures.seconds)
  }
  if (shrunk) process.exitCode = 1
}

/** Before anything is played: who mistypes a path should not learn it after minutes. */
function openForWriting(option: string, file: string): number {
  try {
    return openSync(file, "w")
  } catch (error) {
    throw new UsageError(`${option} cannot be written: ${(error as Error).message}`, { cause: error })
  }
}

function logTo(file: number, scenario: Scenario): TraceSink {
  const format = layerFormat(scenario)
  return new TraceSink((entry) => appendFileSync(file, `${format(entry)}\n`)).set("debug")
}

/** Progress for a person at a terminal. */
function progressOf(calmMs: number): SecureCast {
  if (!process.stderr.isTTY) return {}
  return { onProgress: (nowMs) => void process.stderr.write(`\r${nowMs / 1000} of ${calmMs / 1000} virtual seconds\r`) }
}

/** Duration of the run, played and judged. It is last, because it depends on the machine and never repeats. */
function tellCosts(virtualSeconds: number): void {
  const { user, system } = process.cpuUsage()
  const seconds = (user + system) / 1e6
  const gigabytes = process.resourceUsage().maxRSS / 2 ** 20
  console.log(
    `${seconds.toFixed(1)} seconds of processor time, ${(virtualSeconds / seconds).toFixed(1)} times as fast as what is played; ` +
      `${gigabytes.toFixed(2)} GB of memory at most`,
  )
}

function counts(trace: readonly TraceEvent[]) {
  const ids = (kind: "view" | "keyed"): number =>
    new Set(trace.flatMap((event) => (event.e === kind ? [event.id] : []))).size
  return {
    views: ids("view"),
    keyed: ids("keyed"),
    delivered: trace.filter(({ e }) => e === "deliver").length,
    seconds: (trace.at(-1)?.t ?? 0) / 1000,
  }
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options) await main(options)
  else console.log(USAGE)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${USAGE}`)
  process.exitCode = 2
}
