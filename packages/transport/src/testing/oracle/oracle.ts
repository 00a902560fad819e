/**
 * Judges a trace by the properties of view synchrony: those of the survey of Chockler, Keidar and Vitenberg, and the
 * twenty that our transport promises. It does not know how the trace was made. A violation of any but the last three in
 * a prefix is one in the run, so judging the whole judges every prefix.
 */
import type { TraceEvent } from "./trace.ts"
import { judgeCalm } from "./calm.ts"
import { judgeMovers } from "./movers.ts"
import { judgeAgreed, judgeCausality, judgeSafe } from "./order.ts"
import type { Fail, Violation } from "./record.ts"
import { Recorder } from "./recorder.ts"

/** The violations with time and member, in order of time. */
export function judge(trace: readonly TraceEvent[]): Violation[] {
  const violations: Violation[] = []
  let now = 0
  const fail: Fail = (property, detail, t = now) => void violations.push({ property, detail, t })
  const recorder = new Recorder(fail)
  for (const event of trace) {
    now = event.t
    recorder.take(event)
  }
  const { run } = recorder
  for (const stays of run.stays.values()) {
    judgeMovers(stays, run.stays, fail)
    judgeCausality(stays, fail)
    judgeAgreed(stays, fail)
    judgeSafe(stays, fail)
  }
  judgeCalm(run, fail)
  return violations.sort((a, b) => a.t - b.t)
}
