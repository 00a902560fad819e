import { describeFault, eventsBefore, judge, membersOf, play, randomScenario } from "../../src/testing/index.ts"

/**
 * Seeds that npm test plays. Every mutant that schedules find is found within 67 of them (`npm run mutants`).
 * `test:all` plays 1,000, and `test:deep` more.
 */
export const SCHEDULES = Number(process.env["GROUP_SCHEDULES"] ?? 300)
if (!Number.isSafeInteger(SCHEDULES / 2) || SCHEDULES <= 0) throw new Error("GROUP_SCHEDULES must be an even number.")

/** Plays the seeds `from` to `from + count - 1`; null, or what was violated and how it came about. */
export function firstViolation(from: number, count: number, members = membersOf, faultCount = 8): string | null {
  for (let seed = from; seed < from + count; seed++) {
    const scenario = randomScenario(seed, members(seed), faultCount)
    const about = `seed ${seed}, ${scenario.members} members`
    try {
      const [violation] = judge(play(scenario))
      if (!violation) continue
      const { property, detail, t } = violation
      const where = `${about}, at ${t.toFixed(1)} ms`
      const faults = scenario.faults.map(describeFault)
      return [`${property}: ${detail}`, where, ...faults, ...eventsBefore(t, scenario, {})].join("\n")
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return [message, about, ...eventsBefore(Infinity, scenario, {})].join("\n")
    }
  }
  return null
}
