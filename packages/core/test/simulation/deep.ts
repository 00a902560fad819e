/**
 * npm run test:deep: random runs until stopped (Ctrl-C), with and without key agreement. The endless schedules of the
 * key agreement alone run beside them. Exits with 1, and the story, at the first violation.
 */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { manyMembersScenario, membersOf, randomScenario, type Scenario } from "@keymoot/transport/testing"
import { realCryptography, toyCryptography } from "./cryptography.ts"
import { MODULES } from "./options.ts"
import { MS_PER_FAULT, withKeyAgreement, type SecureCast } from "./run.ts"
import { playAndJudge, shrink } from "./shrink.ts"
import { tell } from "./story.ts"

const REPORT_MS = 60_000
/** One run in so many has key agreement: these take several times as long. */
const REAL_EVERY = 8
const HOUR_MS = 3_600_000
/** Minimum for a run of an hour on an otherwise idle machine. */
const EVENTS_AN_HOUR = 1_000_000

const first = Math.floor(Number(process.env["SIM_FROM"] ?? Date.now() % 2 ** 31))
const toy = toyCryptography()
const real = await realCryptography()
const startedMs = performance.now()
let [runs, events, toldMs] = [0, 0, startedMs]

/**
 * Most runs are without key agreement, because they are faster. Some have many members, some are long, some use the
 * overlay. Some of those with key agreement use the primitives of real conferences.
 */
function randomRun(seed: number): { scenario: Scenario; cast: SecureCast } {
  if (seed % 60 === 31) return { scenario: manyMembersScenario(seed, 25 + (seed % 16), 4), cast: {} }
  const module = MODULES[seed % 20]
  const members = seed % 50 === 0 ? 40 : membersOf(seed)
  const faults = seed % 7 === 0 ? 60 : 8
  if (!module) return { scenario: randomScenario(seed, members, faults), cast: {} }
  const isReal = members < 40 && Math.floor(seed / 20) % REAL_EVERY === 0
  const cast = withKeyAgreement(module, isReal ? real : toy, seed)
  return { scenario: randomScenario(seed, members, faults, MS_PER_FAULT), cast }
}

const environment = { ...process.env, GKE_SCHEDULES: "endless" }
// Not through npx, which would outlive its end.
const vitest = fileURLToPath(new URL("../../../../node_modules/vitest/vitest.mjs", import.meta.url))
const keyAgreement = spawn(process.execPath, [vitest, "run", "packages/gke/test/events/schedules.test.ts"], {
  cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
  env: environment,
  stdio: ["ignore", "ignore", "inherit"],
})
let keyAgreementFailed = false
keyAgreement.once("exit", (code) => (keyAgreementFailed = code !== 0))
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    keyAgreement.kill()
    report()
    process.exit(0)
  })
}

function report(): void {
  const hours = (performance.now() - startedMs) / HOUR_MS
  const { user, system } = process.cpuUsage()
  const perSecond = Math.round(events / ((user + system) / 1e6))
  console.log(
    `${runs} runs from seed ${first}, ${events} events: all hold. ${Math.round(events / hours)} an hour, ` +
      `${perSecond} a second of processor time; ${EVENTS_AN_HOUR} an hour are ${Math.ceil(EVENTS_AN_HOUR / 3600)} a second`,
  )
}

for (let seed = first; ; seed++) {
  const { scenario, cast } = randomRun(seed)
  const { trace, violations } = await playAndJudge(scenario, cast)
  if (violations.length > 0) {
    console.log(`seed ${seed}, ${scenario.members} members (SIM_FROM=${seed} npm run test:deep)`)
    const shrunk = await shrink(scenario, cast, trace.length)
    const again = await playAndJudge(shrunk, cast)
    console.log(await tell(shrunk, cast, again.trace, again.violations))
    keyAgreement.kill()
    process.exit(1)
  }
  runs++
  events += trace.length
  // Lets signals and the other process be heard.
  if (runs % 10 === 0) await new Promise((done) => setTimeout(done, 0))
  if (keyAgreementFailed) process.exit(1)
  if (performance.now() - toldMs < REPORT_MS) continue
  toldMs = performance.now()
  report()
}
