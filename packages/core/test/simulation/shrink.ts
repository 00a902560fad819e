import { check, property, subarray } from "fast-check"
import {
  judge,
  play,
  type Cast,
  type Fault,
  type Scenario,
  type TraceEvent,
  type Violation,
} from "@keymoot/transport/testing"
import { judgeMajority } from "./judge-majority.ts"

/** A run that violates something, or throws: a member that blames an honest one, or a broken invariant, is a violation too. */
export type Verdict = { readonly trace: readonly TraceEvent[]; readonly violations: readonly Violation[] }

export function playAndJudge(scenario: Scenario, cast: Cast): Verdict {
  const trace: TraceEvent[] = []
  try {
    play(scenario, { ...cast, trace })
    return { trace, violations: [...judge(trace), ...(cast.roster ? judgeMajority(trace, scenario.members) : [])] }
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const t = trace.at(-1)?.t ?? 0
    return { trace, violations: [{ property: "no member throws or blames an honest one", detail, t }] }
  }
}

/** Trials while shrinking, so that a large failure is told in time. */
const TRIALS_MAX = 400

/** With as few of its faults as still lead to a violation, and these in calmer places, as far as that is found. */
export function shrink(scenario: Scenario, cast: Cast): Scenario {
  let trials = 0
  const holds = (faults: readonly Fault[]): boolean =>
    ++trials > TRIALS_MAX || playAndJudge({ ...scenario, faults }, cast).violations.length === 0
  const subsets = subarray([...scenario.faults])
  const found = check(property(subsets, holds), { examples: [[[...scenario.faults]]], numRuns: 1 })
  const [fewest] = found.counterexample ?? [scenario.faults]
  return { ...scenario, faults: withoutEach(fewest, holds) }
}

/** fast-check drops runs of faults; one more pass drops single ones. */
function withoutEach(faults: readonly Fault[], holds: (faults: readonly Fault[]) => boolean): readonly Fault[] {
  let kept = faults
  for (const fault of faults) {
    const fewer = kept.filter((other) => other !== fault)
    if (!holds(fewer)) kept = fewer
  }
  return kept
}
