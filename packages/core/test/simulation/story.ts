import { describeFault, type Scenario, type TraceEvent, type Violation } from "@keymoot/transport/testing"
import { secureEventsBefore, type SecureCast } from "./run.ts"

const VIOLATIONS_PRINTED = 5
const LINES_MAX = 120

/** A readable story: the faults, the views, and the fate of the messages that a violation names. */
export async function tell(
  scenario: Scenario,
  cast: SecureCast,
  trace: readonly TraceEvent[],
  violations: readonly Violation[],
): Promise<string> {
  const { faults, calmMs } = scenario
  const told = violations.slice(0, VIOLATIONS_PRINTED)
  const about = told.map(({ detail }) => detail).join("\n")
  const events = trace.flatMap((event) => {
    const sentence = inWords(event, about)
    return sentence === null ? [] : [{ t: event.t, line: `${at(event.t)}  ${sentence}` }]
  })
  const lines = [...events, ...faults.map((fault) => ({ t: fault.atMs, line: `${describeFault(fault)}  <- fault` }))]
    .sort((a, b) => a.t - b.t)
    .map(({ line }) => line)
  const shown =
    lines.length > LINES_MAX
      ? [`(${lines.length - LINES_MAX} earlier lines left out)`, ...lines.slice(-LINES_MAX)]
      : lines
  const verdicts = told.map(({ property, detail, t }) => `VIOLATED at ${t.toFixed(1)} ms: ${property}: ${detail}`)
  const more = violations.length > told.length ? [`and ${violations.length - told.length} more`] : []
  const steps = await secureEventsBefore(told[0]?.t ?? Infinity, scenario, cast)
  const story = [`${faults.length} faults, calm from ${calmMs} ms on:`, ...shown, ...verdicts, ...more]
  return [...story, "", "Last trace events before the first violation:", ...steps].join("\n")
}

function inWords(event: TraceEvent, about: string): string | null {
  switch (event.e) {
    case "view":
      return `${event.p} installs view ${event.n} (${event.id.slice(0, 8)}) of {${event.D.join(" ")}}, along with {${event.T.join(" ")}}`
    case "crash":
      return `${event.p} is gone`
    case "recover":
      return `${event.p} is back`
    case "calm":
      return `calm: {${event.D.join(" ")}} are there`
    case "keyed":
      return `${event.p} has a key for ${event.id.slice(0, 8)}`
    case "send":
      return about.includes(event.m) ? `${event.p} sends ${event.m} as ${event.s}` : null
    case "deliver":
      return about.includes(event.m)
        ? `${event.p} delivers ${event.m}${event.g === undefined ? "" : ` as number ${event.g}`}`
        : null
    case "opened":
      return about.includes(event.m) ? `the application of ${event.p} gets ${event.m}: ${event.text}` : null
    default:
      return null
  }
}

function at(t: number): string {
  return `${t.toFixed(0).padStart(6)} ms`
}
