import { loadSodiumGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { judge } from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import { judgeMajority } from "./judge-majority.ts"
import { runSecure } from "./run.ts"

/** Views that came by a key, and how many keys there were for them. */
function keysOf(trace: ReturnType<typeof runSecure>["trace"]): { views: number; keys: number } {
  const keyed = trace.filter((event) => event.e === "keyed")
  return { views: new Set(keyed.map(({ id }) => id)).size, keys: new Set(keyed.map(({ key }) => key)).size }
}

test("majority: over partitions and crashes at any moment, whoever is there with more than half, or with a key, has the view's one key", () => {
  const toy = createToyGroup()
  let [views, keys] = [0, 0]
  for (let seed = 1; seed <= 25; seed++) {
    const members = 2 + (seed % 7)
    const { trace } = runSecure(seed, members, toy, "majority")
    expect([...judge(trace), ...judgeMajority(trace, members)].slice(0, 3), `seed ${seed}, ${members} members`).toEqual(
      [],
    )
    const counts = keysOf(trace)
    views += counts.views
    keys += counts.keys
  }
  // One key serves several views, and sessions go on to new ones.
  expect(keys).toBeGreaterThan(25)
  expect(views).toBeGreaterThan(2 * keys)
})

test("majority: the same over ristretto255", async () => {
  const ristretto = await loadSodiumGroup()
  for (let seed = 101; seed <= 103; seed++) {
    const { trace } = runSecure(seed, 5, ristretto, "majority")
    expect([...judge(trace), ...judgeMajority(trace, 5)].slice(0, 3), `seed ${seed}`).toEqual([])
  }
})
