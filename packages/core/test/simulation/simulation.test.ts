import { loadSodiumGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { judge } from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import { runSecure } from "./run.ts"

function keyedViews(trace: ReturnType<typeof runSecure>["trace"]): number {
  return new Set(trace.flatMap((event) => (event.e === "keyed" ? [event.id] : []))).size
}

test("one fresh key a view, equal at all, and nothing delivered that cannot be opened: 60 random schedules", () => {
  const toy = createToyGroup()
  for (let seed = 1; seed <= 60; seed++) {
    const members = 2 + (seed % 7)
    const { trace } = runSecure(seed, members, toy)
    expect(judge(trace).slice(0, 3), `seed ${seed}, ${members} members`).toEqual([])
    expect(keyedViews(trace), `seed ${seed}`).toBeGreaterThan(0)
  }
})

test("the same over ristretto255", async () => {
  const ristretto = await loadSodiumGroup()
  for (let seed = 101; seed <= 104; seed++) {
    expect(judge(runSecure(seed, 5, ristretto).trace).slice(0, 3), `seed ${seed}`).toEqual([])
  }
})
