/** Conferences of many members over the overlay: view changes of each kind at intervals, and traffic around them. */
import { Random } from "../random/random.ts"
import type { Scenario } from "./scenario.ts"
import { memberNames, type Fault } from "./schedule.ts"

/** Time for all to start, discover one another and form a view. */
const FIRST_CHANGE_MS = 15_000
/** Interval of changes: by then the former has settled. */
const CHANGE_EVERY_MS = 10_000
/** Upper bound: a run ends when every member is at rest. */
export const MANY_SETTLE_MS = 120_000
/** Members that send at each tick around a change. Only then it matters which messages are in transit. */
const SENDERS = 0.5
/** Members that have a message in preparation when a view ends. */
const LAST_WORDS = 20
const SENDING_BEFORE_MS = 500
const SENDING_AFTER_MS = 1500

/**
 * `changes` view changes, of the kinds in turn: a crash, a member that starts (again), a partition in three, its end.
 */
export function manyMembersScenario(
  seed: number,
  members: number,
  changes: number,
): Scenario & { readonly overlay: true } {
  const random = new Random(seed ^ 0x3a47)
  const names = memberNames(members)
  const gone = new Set([random.pick(names)])
  const faults: Fault[] = [...gone].map((member) => ({ atMs: 0, type: "absent", member }))
  for (let i = 0; i < changes; i++) {
    const atMs = FIRST_CHANGE_MS + i * CHANGE_EVERY_MS
    faults.push({ atMs, ...change(i, random, names, gone) } as Fault)
  }
  return { seed, members, faults, calmMs: FIRST_CHANGE_MS + changes * CHANGE_EVERY_MS, overlay: true, quiet: true }
}

function change(i: number, random: Random, names: readonly string[], gone: Set<string>) {
  switch (i % 4) {
    case 0: {
      const [member] = gone
      gone.delete(member!)
      return { type: "recover", member }
    }
    case 1: {
      const member = random.pick(names)
      gone.add(member)
      return { type: "crash", member }
    }
    case 2: {
      const groups: string[][] = [[], [], []]
      for (const name of names) random.pick(groups).push(name)
      return { type: "partition", groups }
    }
    default:
      return { type: "heal" }
  }
}

/** Number of senders at a tick of that time. */
export function sendersAt(nowMs: number): number {
  const sinceMs = (nowMs - FIRST_CHANGE_MS + SENDING_BEFORE_MS) % CHANGE_EVERY_MS
  return sinceMs >= 0 && sinceMs < SENDING_BEFORE_MS + SENDING_AFTER_MS ? SENDERS : 0
}

/** Probability that a member sends when a view is about to end. */
export function lastWordsAmong(members: number): number {
  return Math.min(0.5, LAST_WORDS / members)
}
