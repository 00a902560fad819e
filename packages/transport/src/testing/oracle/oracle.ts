/**
 * Judges a trace by the properties of view synchrony: those of the survey of Chockler, Keidar and Vitenberg, and the
 * twenty that our transport promises. It does not know how the trace was made. A violation of any but the last three in
 * a prefix is one in the run, so judging the whole judges every prefix.
 */
import type { TraceEvent } from "./trace.ts"
import { judgeMovers } from "./movers.ts"
import { judgeAgreed, judgeCausality, judgeSafe } from "./order.ts"
import type { Fail, Run, Violation } from "./record.ts"
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

/**
 * Properties 18 to 20, after calm. All members are in one view, each message sent in it has been delivered by all, and
 * all hold its key.
 */
function judgeCalm({ calm, last, sent, keyed }: Run, fail: Fail): void {
  if (!calm || calm.D.length === 0) return
  const stays = calm.D.map((name) => last.get(name))
  const views = new Set(stays.map((stay) => stay?.view.id))
  const view = stays[0]?.view
  if (views.size !== 1 || !view || view.D.join() !== calm.D.join()) {
    const shown = stays.map((stay, i) => `${calm.D[i]}: {${stay?.view.D.join(" ")}} ${stay?.view.n}`).join("; ")
    return fail("18 precision", `after calm ${shown}`)
  }
  for (const { m, service, view: sentIn } of sent.values()) {
    if (sentIn !== view.id || service === "unreliable") continue
    for (const stay of stays) {
      if (stay!.position.has(m)) continue
      fail(service === "safe" ? "20 safe by all" : "19 delivered by all", `${stay!.member} lacks ${m}`)
    }
  }
  if (keyed.size === 0) return
  const without = calm.D.filter((name) => !keyed.get(view.id)?.has(name))
  if (without.length > 0) fail("keyed after calm", `${without.join(" ")} without the key of ${view.id}`)
}
