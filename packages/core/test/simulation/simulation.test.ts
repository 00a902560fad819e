import { KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import { randomScenario } from "@keymoot/transport/testing"
import { expect, test, vi } from "vitest"
import { realCryptography, toyCryptography } from "./cryptography.ts"
import { MS_PER_FAULT, runSecure, type SecureRun, withKeyAgreement } from "./run.ts"
import { playAndJudge } from "./shrink.ts"

// Nothing here waits; it computes, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })

/** `npm run test:all` plays more. Each number of members has a schedule here. */
const [SCHEDULES, SIGNED_SCHEDULES] = process.env["RUNS"] === "full" ? [40, 16] : [7, 4]

function keyedViews(trace: SecureRun["trace"]): number {
  return new Set(trace.flatMap((event) => (event.e === "keyed" ? [event.id] : []))).size
}

test.each(KEY_AGREEMENT_NAMES)(
  `%s: each view has one fresh, equal key and opens all, in ${SCHEDULES} schedules`,
  async (module) => {
    const toy = toyCryptography()
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const members = 2 + (seed % 7)
      const { trace, assertHolds } = await runSecure(seed, members, toy, module)
      await assertHolds()
      expect(keyedViews(trace), `seed ${seed}`).toBeGreaterThan(0)
    }
  },
)

test.each(KEY_AGREEMENT_NAMES)(
  "%s: the same over ristretto255, every frame signed, of 3 to 6 members",
  async (module) => {
    const real = await realCryptography()
    for (let seed = 101; seed <= 100 + SIGNED_SCHEDULES; seed++) {
      const members = 3 + (seed % 4)
      const { trace, assertHolds } = await runSecure(seed, members, real, module)
      await assertHolds()
      expect(keyedViews(trace), `seed ${seed}`).toBeGreaterThan(0)
    }
  },
)

test("a proof made while the last messages of a view come up is not sent in the next", async () => {
  const scenario = randomScenario(491086865, 6, 60, MS_PER_FAULT)
  expect((await playAndJudge(scenario, withKeyAgreement("tgdh", toyCryptography(), scenario.seed))).violations).toEqual(
    [],
  )
})
