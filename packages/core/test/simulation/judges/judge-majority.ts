import type { TraceEvent, Violation } from "@keymoot/transport/testing"

/**
 * A rule that the general oracle cannot judge, because it knows no roster. If more than half of the roster is
 * connected in the end, they all hold the key of their view, with all confirmations.
 */
export function judgeMajority(trace: readonly TraceEvent[], rosterSize: number): Violation[] {
  const calm = trace.find((event) => event.e === "calm")
  if (!calm || calm.D.length <= rosterSize / 2) return []
  const last = trace.findLast((event) => event.e === "view" && event.p === calm.D[0])
  if (last?.e !== "view") return []
  const keyed = new Set(trace.flatMap((event) => (event.e === "keyed" && event.id === last.id ? [event.p] : [])))
  const without = calm.D.filter((name) => !keyed.has(name))
  // Nothing of this agreement but the proofs is said within a view, one by each member.
  const proofs = (name: string): number =>
    trace.filter((event) => event.e === "deliver" && event.p === name && event.v === last.id && event.a === 1).length
  const unsure = calm.D.filter((name) => proofs(name) < calm.D.length)
  const fail = (detail: string): Violation => ({ property: "majority", detail, t: last.t })
  if (without.length > 0) return [fail(`${without.join()} have no key in ${last.id}`)]
  return unsure.length > 0 ? [fail(`${unsure.join()} lack proofs in ${last.id}`)] : []
}
