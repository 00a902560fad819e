import { describeFault, judge, membersOf, play, randomScenario } from "../../src/testing/index.ts"

/** Seeds that npm test plays. */
export const SCHEDULES = 3000

/** Plays the seeds `from` to `from + count - 1`; null, or what was violated and how it came about. */
export function firstViolation(from: number, count: number, members = membersOf, faultCount = 8): string | null {
  for (let seed = from; seed < from + count; seed++) {
    const scenario = randomScenario(seed, members(seed), faultCount)
    const about = `seed ${seed}, ${scenario.members} members`
    try {
      const [violation] = judge(play(scenario))
      if (!violation) continue
      const { property, detail, t } = violation
      return [`${property}: ${detail}`, `${about}, at ${t.toFixed(1)} ms`, ...scenario.faults.map(describeFault)].join(
        "\n",
      )
    } catch (error) {
      return [error instanceof Error ? error.message : String(error), about].join("\n")
    }
  }
  return null
}
