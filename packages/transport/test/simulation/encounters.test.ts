/** A property that no run ever comes near holds in all of them. So the schedules are counted by what happens in them. */
import { expect, test } from "vitest"
import {
  membersOf,
  play,
  randomScenario,
  SERVICES,
  type Fault,
  type Scenario,
  type TraceEvent,
} from "@keymoot/transport/testing"

/** Number of the seeds that npm test plays. */
const SEEDS = 100
/** In each hundred schedules, of whatever is the rarest. */
const LEAST = 5

type ViewEvent = Extract<TraceEvent, { e: "view" }>
type Count = (what: string) => void

const KINDS: readonly Fault["type"][] = [
  "absent",
  "crash",
  "recover",
  "leave",
  "reload",
  "refresh",
  "break",
  "partition",
  "heal",
  "stall",
  "cut",
  "clog",
  "unclog",
  "slow",
  "sleep",
  "propose",
]
const ENCOUNTERS = [
  "a partition of what is parted already",
  "a message without a place in the ORDER",
  "a view without somebody who lives",
  "a view to which only some of those who are in both come together",
  "a merge of several with others",
  "a crash while a view changes",
  "another incarnation of a member",
]

function countFaults({ faults }: Scenario, count: Count): void {
  let parted = false
  for (const { type } of faults) {
    count(type)
    if (type === "partition" && parted) count("a partition of what is parted already")
    if (type === "partition" || type === "heal") parted = type === "partition"
  }
}

function countEvents(trace: readonly TraceEvent[], count: Count): void {
  const views = new Map<string, ViewEvent>()
  const changing = new Set<string>()
  const afterTrans = new Set<string>()
  for (const event of trace) {
    if (event.e === "view") {
      countView(event, views, count)
      views.set(event.p, event)
      changing.delete(event.p)
      afterTrans.delete(event.p)
    } else if (event.e === "flush_req") changing.add(event.p)
    else if (event.e === "trans") afterTrans.add(event.p)
    else if (event.e === "recover") count("another incarnation of a member")
    else if (event.e === "crash") {
      if (changing.has(event.p)) count("a crash while a view changes")
      for (const all of [changing, afterTrans, views]) all.delete(event.p)
    } else if (event.e === "deliver") {
      count(deliveryOf(event.s, afterTrans.has(event.p)))
      if (event.g === 0 && (event.s === "agreed" || event.s === "safe")) count("a message without a place in the ORDER")
    }
  }
}

function countView({ p, D, T }: ViewEvent, views: ReadonlyMap<string, ViewEvent>, count: Count): void {
  const former = views.get(p)
  if (!former) return
  if (former.D.some((q) => views.has(q) && !D.includes(q))) count("a view without somebody who lives")
  if (T.length < former.D.filter((q) => D.includes(q)).length) {
    count("a view to which only some of those who are in both come together")
  }
  if (T.length > 1 && D.length > T.length) count("a merge of several with others")
}

function deliveryOf(service: string, afterTrans: boolean): string {
  return `${service} ${afterTrans ? "after" : "before"} trans`
}

test("a hundred schedules meet every fault, service and hard case of view changes", () => {
  const counts = new Map<string, number>()
  const count = (what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
  for (let seed = 1; seed <= SEEDS; seed++) {
    const scenario = randomScenario(seed, membersOf(seed))
    countFaults(scenario, count)
    countEvents(play(scenario), count)
  }
  // An unreliable message is delivered as it comes, so not when a view is ending.
  const deliveries = SERVICES.flatMap((service) => [false, true].map((after) => deliveryOf(service, after)))
  const expected = [...KINDS, ...ENCOUNTERS, ...deliveries.filter((what) => what !== deliveryOf("unreliable", true))]
  expect(expected.filter((what) => (counts.get(what) ?? 0) < LEAST)).toEqual([])
  expect(counts.get(deliveryOf("unreliable", true))).toBeUndefined()
})
