/** Trace events of a simulated conference as lines, with the names of its members. */
import { formatEntry, shortId, TraceSink, type TraceEntry } from "../../trace/trace-sink.ts"
import type { Violation } from "../oracle/record.ts"
import { play, type Cast, type Scenario } from "./scenario.ts"
import { memberNames } from "./schedule.ts"
import { simulatedId } from "./simulated-member.ts"

/** Violations and trace events attached to a failure. */
const VIOLATIONS_MAX = 3
const EVENTS_MAX = 60

/** Formats entries of a run of this scenario. */
export function layerFormat({ seed, members }: Scenario): (entry: TraceEntry) => string {
  const names = new Map<string, string>(memberNames(members).map((name) => [simulatedId(name, seed), name]))
  return (entry) => formatEntry(entry, (id) => names.get(id) ?? shortId(id))
}

/**
 * Throws an error with the violations and the trace events before the first of them. It plays the scenario again for
 * these, so that runs that hold do not pay for them.
 */
export function assertHolds(violations: readonly Violation[], scenario: Scenario, cast: Cast, context: string): void {
  const [first] = violations
  if (!first) return
  const told = violations.slice(0, VIOLATIONS_MAX).map(({ property, detail, t }) => `${property}: ${detail} (${t} ms)`)
  throw new Error([context, ...told, "Last trace events:", ...eventsBefore(first.t, scenario, cast)].join("\n"))
}

/** The last trace events of a scenario up to a time, as lines. */
export function eventsBefore(untilMs: number, scenario: Scenario, cast: Cast): string[] {
  const entries: TraceEntry[] = []
  const sink = new TraceSink((entry) => void (entry.atMs <= untilMs && entries.push(entry))).set("debug")
  try {
    play(scenario, { ...cast, trace: [], sink })
  } catch {
    // The failure that is being reported.
  }
  return entries.slice(-EVENTS_MAX).map(layerFormat(scenario))
}
