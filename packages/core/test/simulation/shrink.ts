import { asyncProperty, check, subarray } from "fast-check"
import { judge, type Fault, type Scenario, type TraceEvent, type Violation } from "@keymoot/transport/testing"
import { judgeMajority } from "./judges/judge-majority.ts"
import { judgeSecure, playSecure, type SecureCast } from "./run.ts"

/** A run that violates something, or throws: a member that blames an honest one, or a broken invariant, is a violation too. */
export type Verdict = { readonly trace: readonly TraceEvent[]; readonly violations: readonly Violation[] }

export async function playAndJudge(scenario: Scenario, cast: SecureCast): Promise<Verdict> {
  const trace: TraceEvent[] = []
  try {
    await playSecure(scenario, { ...cast, trace })
    const ofKeys = cast.roster ? judgeMajority(trace, scenario.members) : cast.module ? judgeKeyless(trace) : []
    return { trace, violations: [...(cast.create ? judgeSecure(trace) : judge(trace)), ...ofKeys] }
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const t = trace.at(-1)?.t ?? 0
    return { trace, violations: [{ property: "no member throws or blames an honest one", detail, t }] }
  }
}

/** The oracle does not know what a run is about: where nobody ever has a key, it takes nobody to be meant to. */
function judgeKeyless(trace: readonly TraceEvent[]): Violation[] {
  const isSomebodyLeft = trace.some((event) => event.e === "calm" && event.D.length > 0)
  if (!isSomebodyLeft || trace.some(({ e }) => e === "keyed")) return []
  return [{ property: "keyed after calm", detail: "nobody ever has a key", t: trace.at(-1)!.t }]
}

/**
 * Bounds while shrinking: trials, and events of all trials together. So even a large failure is reported within
 * minutes, though with more faults.
 */
const TRIALS_MAX = 400
const EVENTS_MAX = 1_000_000

/**
 * With as few of its faults as still lead to a violation, and these in calmer places, as far as that is found.
 * @param events of one run
 */
export async function shrink(scenario: Scenario, cast: SecureCast, events: number): Promise<Scenario> {
  const trialsMax = Math.min(TRIALS_MAX, Math.ceil(EVENTS_MAX / events))
  let trials = 0
  const holds = async (faults: readonly Fault[]): Promise<boolean> =>
    ++trials > trialsMax || (await playAndJudge({ ...scenario, faults }, cast)).violations.length === 0
  const subsets = subarray([...scenario.faults])
  const found = await check(asyncProperty(subsets, holds), { examples: [[[...scenario.faults]]], numRuns: 1 })
  const [fewest] = found.counterexample ?? [scenario.faults]
  return { ...scenario, faults: await withoutEach(fewest, holds) }
}

/** fast-check drops runs of faults; one more pass drops single ones. */
async function withoutEach(
  faults: readonly Fault[],
  holds: (faults: readonly Fault[]) => Promise<boolean>,
): Promise<readonly Fault[]> {
  let kept = faults
  for (const fault of faults) {
    const fewer = kept.filter((other) => other !== fault)
    if (!(await holds(fewer))) kept = fewer
  }
  return kept
}
