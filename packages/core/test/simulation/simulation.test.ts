import { KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import { judge } from "@keymoot/transport/testing"
import { expect, test, vi } from "vitest"
import { realCryptography, toyCryptography } from "./cryptography.ts"
import { runSecure } from "./run.ts"

// Nothing here waits; it computes, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })

function keyedViews(trace: ReturnType<typeof runSecure>["trace"]): number {
  return new Set(trace.flatMap((event) => (event.e === "keyed" ? [event.id] : []))).size
}

test.each(KEY_AGREEMENT_NAMES)(
  "%s: one fresh key a view, equal at all, nothing delivered that cannot be opened, in 40 random schedules",
  (module) => {
    const toy = toyCryptography()
    for (let seed = 1; seed <= 40; seed++) {
      const members = 2 + (seed % 7)
      const { trace } = runSecure(seed, members, toy, module)
      expect(judge(trace).slice(0, 3), `seed ${seed}, ${members} members`).toEqual([])
      expect(keyedViews(trace), `seed ${seed}`).toBeGreaterThan(0)
    }
  },
)

test.each(KEY_AGREEMENT_NAMES)(
  "%s: the same over ristretto255, every frame signed, of 3 to 6 members",
  async (module) => {
    const real = await realCryptography()
    for (let seed = 101; seed <= 116; seed++) {
      const members = 3 + (seed % 4)
      const { trace } = runSecure(seed, members, real, module)
      expect(judge(trace).slice(0, 3), `seed ${seed}, ${members} members`).toEqual([])
      expect(keyedViews(trace), `seed ${seed}`).toBeGreaterThan(0)
    }
  },
)
