/** Trace events of a simulated conference as lines, with the names of its members. */
import { formatEntry, shortId, TraceSink, type TraceEntry } from "../../trace/trace-sink.ts"
import type { Violation } from "../oracle/record.ts"
import { play, type Cast, type Scenario } from "./scenario.ts"
import { memberNames } from "./schedule.ts"
import { simulatedId } from "./world.ts"

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
  if (first) throw violated(violations, context, eventsBefore(first.t, scenario, cast))
}

/** @param events before the first violation */
export function violated(violations: readonly Violation[], context: string, events: readonly string[]): Error {
  const lines = violations.slice(0, VIOLATIONS_MAX).map(({ property, detail, t }) => `${property}: ${detail} (${t} ms)`)
  return new Error([context, ...lines, "Last trace events:", ...events].join("\n"))
}

/** The last trace events of a scenario up to a time, as lines. */
export function eventsBefore(untilMs: number, scenario: Scenario, cast: Cast): string[] {
  const last = new LastEvents(untilMs)
  try {
    play(scenario, { ...cast, trace: [], sink: last.sink })
  } catch {
    // The failure that is being reported.
  }
  return last.lines(scenario)
}

/** Keeps the trace events up to a time. */
export class LastEvents {
  readonly #entries: TraceEntry[] = []
  readonly sink: TraceSink

  constructor(untilMs: number) {
    this.sink = new TraceSink((entry) => void (entry.atMs <= untilMs && this.#entries.push(entry))).set("debug")
  }

  lines(scenario: Scenario): string[] {
    return this.#entries.slice(-EVENTS_MAX).map(layerFormat(scenario))
  }
}
