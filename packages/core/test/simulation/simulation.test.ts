import { KEY_AGREEMENT_NAMES, loadSodiumGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { judge } from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import { createRealSigner } from "./real-signer.ts"
import { runSecure } from "./run.ts"

function keyedViews(trace: ReturnType<typeof runSecure>["trace"]): number {
  return new Set(trace.flatMap((event) => (event.e === "keyed" ? [event.id] : []))).size
}

test.each(KEY_AGREEMENT_NAMES)(
  "%s: one fresh key a view, equal at all, nothing delivered that cannot be opened, in 40 random schedules",
  (module) => {
    const toy = createToyGroup()
    for (let seed = 1; seed <= 40; seed++) {
      const members = 2 + (seed % 7)
      const { trace } = runSecure(seed, members, toy, module)
      expect(judge(trace).slice(0, 3), `seed ${seed}, ${members} members`).toEqual([])
      expect(keyedViews(trace), `seed ${seed}`).toBeGreaterThan(0)
    }
  },
)

test.each(KEY_AGREEMENT_NAMES)("%s: the same over ristretto255, every frame signed", async (module) => {
  const ristretto = await loadSodiumGroup()
  const signer = createRealSigner()
  for (let seed = 101; seed <= 102; seed++) {
    const { trace } = runSecure(seed, 4, ristretto, module, { signer })
    expect(judge(trace).slice(0, 3), `seed ${seed}`).toEqual([])
  }
})
