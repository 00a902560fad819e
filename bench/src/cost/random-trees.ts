/**
 * TGDH on random trees beside balanced ones. The papers measure an artificially balanced tree. They expect a cheaper join and
 * a dearer leave of a random tree, as it is after a long time.
 */
import type { MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Random } from "@keymoot/transport/testing"
import { Conference } from "../in-memory/conference.ts"
import { measureChange } from "./critical-path.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"

export const TREES = ["balanced tree", "random tree"] as const
export type Tree = (typeof TREES)[number]
const EVENTS = ["join", "leave"] as const
const METRICS = ["rounds", "multicasts", "exponentiations"] as const

const SIZES = [2, 4, 8, 16, 32]
const RUNS = 5
/** A random tree has seen so many single joins and leaves for each of its members. */
const EVENTS_PER_MEMBER = 2

export const treeEvent = (event: "join" | "leave", tree: Tree): string => `${event} in a ${tree}`

export function randomTrees(sizes: readonly number[] = SIZES, runs = RUNS): Figure[] {
  const group = createToyGroup(32)
  return sizes.flatMap((n) =>
    TREES.flatMap((tree) => {
      const costs = Array.from({ length: runs }, (_, run) => {
        const random = new Random(1 + run)
        const conference = new Conference("tgdh", group)
        let present: readonly MemberId[] = conference.start(n)
        conference.change(present)
        if (tree === "random tree") present = afterRandomEvents(conference, present, random)
        const joined = [...present, ...conference.start(1)]
        const join = measureChange(conference, joined, present).cost
        conference.change(present)
        const leave = measureChange(conference, present.toSpliced(random.integer(n), 1), present).cost
        return { join, leave }
      })
      return EVENTS.flatMap((event) =>
        METRICS.map((metric) => {
          const quantity = { experiment: "cost", module: "tgdh", event: treeEvent(event, tree), n, change: 1 }
          return figureOf(
            { ...quantity, metric, unit: "count" },
            costs.map((cost) => cost[event][metric]),
          )
        }),
      )
    }),
  )
}

/** A random walk, and then as many single joins or leaves as bring the members back to their number. */
function afterRandomEvents(conference: Conference, members: readonly MemberId[], random: Random): readonly MemberId[] {
  let present = members
  for (let i = 0; i < EVENTS_PER_MEMBER * members.length || present.length !== members.length; i++) {
    const isWalk = i < EVENTS_PER_MEMBER * members.length
    const joins = present.length === 2 || (isWalk ? random.chance(0.5) : present.length < members.length)
    if (joins) present = [...present, ...conference.start(1)]
    else present = present.toSpliced(random.integer(present.length), 1)
    conference.change(present)
  }
  return present
}
