/**
 * How long a single step holds a member's thread in a large conference: what its other work, such as drawing and
 * heartbeats, waits for.
 */
import type { Kem, KeyAgreementName, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { Conference } from "../in-memory/conference.ts"
import type { Figure } from "../experiment/figure.ts"
import { labelOf } from "../in-memory/hybrid-agreement.ts"
import { add, figuresOf, median, type Samples } from "../experiment/machine.ts"
import { kindOf } from "../in-memory/step-times.ts"

const WARM_UP_RUNS = 1
const METRIC = "longest step of anybody"

const LEAVE = "leave"
const JOIN = "join"
const REFRESH = "refresh"
const PART = "a third leaves"
const MERGE = "a third comes back"

/** Some events are enough if all cost the same, or if a large change takes too long to be worth its figure. */
const EVENTS: Readonly<Record<KeyAgreementName, readonly string[]>> = {
  tgdh: [LEAVE, JOIN, REFRESH, PART, MERGE],
  // A chain: what changes near its bottom costs every member as many multiplications as there are members above.
  str: [LEAVE],
  bd: [REFRESH],
  gdh: [LEAVE, REFRESH],
  ckd: [LEAVE, JOIN],
}

export function longestSteps(
  module: KeyAgreementName,
  group: PrimeOrderGroup,
  n: number,
  runs: number,
  kem: Kem | null = null,
): Figure[] {
  const conference = new Conference(module, group, kem)
  const noted = new Map<string, Samples[]>(EVENTS[module].map((event) => [event, []]))
  let present: readonly MemberId[] = conference.start(n)
  conference.change(present)
  for (let run = -WARM_UP_RUNS; run < runs; run++) {
    for (const [event, kindsOfRuns] of noted) {
      present = membersAfter(conference, event, present)
      const kinds = stepsOf(conference, present)
      if (run >= 0) kindsOfRuns.push(kinds)
    }
  }
  return [...noted].flatMap(([event, kindsOfRuns]) =>
    figuresOf(new Map([[METRIC, longestOf(kindsOfRuns)]]), { module: labelOf(module, kem), event, n }),
  )
}

/** For each run the longest of the kinds of steps in it, each as long as it is in the median of all runs. */
function longestOf(kindsOfRuns: readonly Samples[]): number[] {
  const all: Samples = new Map()
  for (const kinds of kindsOfRuns) for (const [kind, values] of kinds) add(all, kind, median(values))
  return kindsOfRuns.map((kinds) => Math.max(...[...kinds.keys()].map((kind) => median(all.get(kind)!))))
}

/** A join follows a leave, and those who come back have left: the size stays. */
function membersAfter(conference: Conference, event: string, present: readonly MemberId[]): readonly MemberId[] {
  const isAway = (i: number): boolean => i % 3 === 1
  switch (event) {
    case LEAVE:
      return present.toSpliced(Math.floor(present.length / 2), 1)
    case JOIN:
      return [...present, ...conference.start(1)]
    case PART:
      return present.filter((_, i) => !isAway(i))
    case MERGE: {
      // A conference of their own, which has agreed.
      const others = conference.start(Math.floor(present.length / 2))
      conference.change(others)
      return [...present, ...others]
    }
    default:
      return present
  }
}

/** A kind's time is its median. The longest by the clock may only have been interrupted. */
function stepsOf(conference: Conference, members: readonly MemberId[]): Samples {
  const kinds: Samples = new Map()
  conference.onStep = (step) => add(kinds, kindOf(step), step.milliseconds)
  conference.change(members)
  conference.onStep = () => {}
  return kinds
}
