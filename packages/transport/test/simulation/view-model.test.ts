/** Recorded runs are runs of the model in `tools/models/alloy/views.als`. Wrong ones are not. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { membersOf, play, randomScenario, type TraceEvent } from "@keymoot/transport/testing"
import { expect, test } from "vitest"
import { refusedBy } from "./view-model.ts"

const RUNS = 60
const runs = Array.from({ length: RUNS }, (_, seed) => play(randomScenario(seed + 1, membersOf(seed + 1))))

/** Change it only after comparing `view-model.ts` with the changed model. */
const COMPARED = "e5b9fc78c1bb5c6a683809cf66754916b796453ee9c520ee3c84e592a9c81d39"

test("has the steps of views.als as it was when both were compared", () => {
  const model = readFileSync(new URL("../../../../tools/models/alloy/views.als", import.meta.url))
  expect(createHash("sha256").update(model).digest("hex")).toBe(COMPARED)
})

test("the model has a step for each event of random runs", () => {
  expect(runs.map(refusedBy).filter((refused) => refused !== null)).toEqual([])
  const moves = runs.flat().filter((event) => event.e === "view" && event.T.length > 1)
  expect(moves.length).toBeGreaterThan(RUNS)
})

type Change = (events: TraceEvent[]) => TraceEvent[] | null

/** Changes the last event that fits, or gives null without one. */
function changed(
  fits: (event: TraceEvent, events: readonly TraceEvent[]) => boolean,
  by: (event: TraceEvent) => TraceEvent[],
): Change {
  return (events) => {
    const at = events.findLastIndex((event) => fits(event, events))
    return at < 0 ? null : events.toSpliced(at, 1, ...by(events[at]!))
  }
}

/** Whether the member of this delivery moves on together with others, so that these show what is missing. */
function isShared(event: TraceEvent, events: readonly TraceEvent[]): boolean {
  if (event.e !== "deliver" || event.s === "unreliable" || event.a) return false
  const next = events.slice(events.indexOf(event)).find((later) => later.e === "view" && later.p === event.p)
  const isAlone = next?.e !== "view" || next.T.length < 2
  return (
    !isAlone && next.T.every((q) => events.some((other) => other.e === "view" && other.p === q && other.id === next.id))
  )
}

test.each<[string, Change]>([
  ["a member loses a message that others deliver", changed(isShared, () => [])],
  [
    "a message is delivered twice",
    changed(
      ({ e }) => e === "deliver",
      (event) => [event, event],
    ),
  ],
  [
    "a message is delivered in the next view",
    changed(
      ({ e }) => e === "deliver",
      (event) => [{ ...event, v: "other" } as TraceEvent],
    ),
  ],
  [
    "two messages have one place",
    changed(
      (event) => event.e === "deliver" && event.g === 2,
      (event) => [{ ...event, g: 1 } as TraceEvent],
    ),
  ],
  [
    "a place is left out before the signal",
    changed(
      (event) => event.e === "deliver" && event.g === 1,
      () => [],
    ),
  ],
  [
    "a member goes back to a lower number",
    changed(
      (event) => event.e === "view" && event.n > 2,
      (event) => [{ ...event, n: 0 } as TraceEvent],
    ),
  ],
  [
    "a member installs a view without itself",
    changed(
      ({ e }) => e === "view",
      (event) => [{ ...event, D: ["nobody"] } as TraceEvent],
    ),
  ],
  [
    "a member sends behind its flush",
    changed(
      ({ e }) => e === "flush",
      (event) => [event, { ...event, e: "send", m: "late", v: "x", s: "fifo" } as TraceEvent],
    ),
  ],
  [
    "a member moves without a signal",
    changed(
      ({ e }) => e === "trans",
      () => [],
    ),
  ],
  [
    "a crashed member sends",
    changed(
      ({ e }) => e === "crash",
      (event) => [event, { ...event, e: "send", m: "late", v: "x", s: "fifo" } as TraceEvent],
    ),
  ],
])("the model refuses a run in which %s", (_, change) => {
  const wrong = runs.flatMap((run) => {
    const events = change([...run])
    return events ? [events] : []
  })
  expect(wrong.length).toBeGreaterThan(RUNS / 4)
  expect(wrong.filter((events) => refusedBy(events) === null)).toEqual([])
})
