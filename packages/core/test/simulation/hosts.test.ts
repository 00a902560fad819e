import { memberNames, randomScenario } from "@keymoot/transport/testing"
import { expect, test, vi } from "vitest"
import type { SignedStatement } from "../../src/admission/statements/statement.ts"
import { readStatements } from "../../src/admission/statements/standing.ts"
import { CREATOR, GROUND, HostsMember, LIAR, NEWCOMER, writeStory } from "./hosts.ts"
import { judgeSecure, MS_PER_FAULT, playSecure } from "./run.ts"
import { type Merge, refusedBy } from "./judges/statement-model.ts"

// Nothing here waits; it computes, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })

/** `npm run test:all` plays more. */
const SEEDS = process.env["RUNS"] === "full" ? 30 : 10

test("agrees on one view, key and digest when a host tells members different things", async () => {
  let convictions = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    const names = memberNames(3 + (seed % 4))
    const [creator, liar] = [names[seed % names.length]!, names[(seed + 1) % names.length]!]
    const story = await writeStory(seed)
    const kept = new Map<string, readonly SignedStatement[]>()
    const convicting = new Set<string>()
    const merges: Merge[] = []
    const { faults, calmMs: untilMs, ...scenario } = randomScenario(seed, names.length, 8, MS_PER_FAULT)
    // The creator and everybody else are there in the end.
    const back = names.map((member) => ({ atMs: untilMs - 200, type: "recover", member }) as const)
    const config = { story, kept, merges, convicting, creator, liar, untilMs }
    const trace = await playSecure(
      { ...scenario, calmMs: untilMs, faults: [...faults, ...back] },
      { create: (sends) => (world, name, id, group) => new HostsMember(world, name, id, group, sends, config) },
    )
    const context = `seed ${seed}, ${names.length} members`
    // Among its rules: all end in one view, with one key.
    expect(judgeSecure(trace).slice(0, 3), context).toEqual([])
    // Members keep what the model of statements says.
    expect(refusedBy(CREATOR, merges), context).toBeNull()
    const standings = [...kept.values()].map((statements) => {
      return readStatements(GROUND, statements).standing
    })
    for (const standing of standings) {
      expect(standing, context).toEqual(standings[0])
      expect(standing.removed, context).toContain(LIAR)
      expect(standing.hosts, context).toEqual([CREATOR])
      expect(
        standing.tickets.map(({ subject }) => subject),
        context,
      ).toEqual([NEWCOMER])
    }
    if (convicting.size === names.length) convictions++
  }
  // If it has lied enough, all members had convicted it before the creator removed it.
  expect(convictions).toBeGreaterThan(SEEDS / 3)
})
