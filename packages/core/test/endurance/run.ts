/** A conference in which people enter, leave and crash all the time, while the others talk and draw. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Random } from "@keymoot/transport/testing"
import { LOG_ITEMS_MAX } from "../../src/history/conference-log.ts"
import type { Room } from "../conference-run/harness.ts"
import { Attendant } from "./attendant.ts"
import type { Clock } from "./clock.ts"
import { Deliveries } from "./histories.ts"
import { complaintsAbout, LAP_SECONDS, type Memory, type Presence } from "./judge.ts"

/** More people than are present, so that those who come back have been away for a while. */
const NAMES = ["Ada", "Bob", "Cy", "Dee", "Eve", "Fay", "Gil", "Hal"]
/** Somebody enters when fewer are present, and somebody leaves otherwise. */
const PRESENT = 6
const SECOND_MS = 1000
/** Seconds of a lap at which somebody enters or leaves, and at which somebody crashes. */
const [CHANGES, CRASH] = [[10, 30, 50], 40]
/** Seconds between two texts of a person. It draws every second. */
const SAYS_EVERY = 5
/** Texts of a person in each second before the first lap. */
const FILLING = 5
/** Time for the conference to come to rest after a lap. */
const REST_SECONDS_MAX = 120

export type Report = {
  readonly laps: number
  readonly entries: number
  readonly leaves: number
  readonly crashes: number
  /** Mean over all seconds. */
  readonly present: number
  readonly texts: number
  /** Texts that entrants had from histories. */
  readonly transferred: number
  readonly drawings: number
  /** After each lap, once garbage is collected. */
  readonly memory: readonly Memory[]
}

/** @throws an error with the complaints about a lap */
export async function attend(room: Room, clock: Clock, laps: number, seed: number): Promise<Report> {
  const random = new Random(seed)
  const people = NAMES.map((name) => new Attendant(room, name))
  const counts = { entries: 0, leaves: 0, crashes: 0, texts: 0, transferred: 0, drawings: 0 }
  const memory: Memory[] = []
  const deliveries = new Deliveries()
  let presentSeconds = 0
  const [ada] = people as [Attendant]
  const here = (): Attendant[] => people.filter(({ conference }) => conference !== null)
  const absent = (): Attendant[] => people.filter(({ conference }) => conference === null)
  const presences = (): Presence[] => people.flatMap((each) => each.presences)
  await ada.enter(null)
  const { url } = ada.conference!.invitation
  for (const each of people.slice(1, PRESENT)) await during(clock, each.enter(url))

  /** People who enter or leave at this moment. */
  const moving = new Set<Attendant>()
  const move = async (person: Attendant, way: () => Promise<void>): Promise<void> => {
    moving.add(person)
    await way()
    moving.delete(person)
  }
  const settled = (some: readonly Attendant[]): Attendant[] => some.filter((each) => !moving.has(each))
  /** Ada stays: she shows that nothing is lost from the first lap to the last. */
  const change = async (): Promise<void> => {
    const isMissing = settled(here()).length < PRESENT
    const chosen = random.pick(settled(isMissing ? absent() : here().slice(1)))
    counts[chosen.conference ? "leaves" : "entries"]++
    await move(chosen, () => (chosen.conference ? chosen.leave() : chosen.enter(url)))
  }
  const crash = async (): Promise<void> => {
    const chosen = random.pick(settled(here().slice(1)))
    counts.crashes++
    await move(chosen, () => chosen.crash(here().filter((other) => other !== chosen)))
  }
  const isAtRest = (): boolean => {
    const ids = here().map(({ conference }) => `${conference!.view.status} ${conference!.view.id}`)
    const boards = here().map(({ board }) => JSON.stringify(Object.entries(board).toSorted()))
    const isWhole = here().every(({ conference }) => conference!.view.members.length === here().length)
    return isWhole && new Set(ids).size === 1 && new Set(boards).size === 1 && here().every((each) => each.isAnswered)
  }
  const rest = async (): Promise<void> => {
    for (let second = 0; second < REST_SECONDS_MAX && !isAtRest(); second++) await clock.sleep(SECOND_MS)
  }

  // A full log does not grow, so that what grows in the laps is a leak.
  for (let filled = 0; filled < LOG_ITEMS_MAX; filled += PRESENT * FILLING) {
    for (const each of here()) for (let i = 0; i < FILLING; i++) each.say()
    await clock.sleep(SECOND_MS)
  }
  await rest()
  if (!isAtRest()) throw new Error("the log has not been filled")
  for (let lap = 0; lap < laps; lap++) {
    await rest()
    deliveries.add(presences())
    for (const each of people) each.beginLap()
    const pending: Promise<void>[] = []
    for (let second = 0; second < LAP_SECONDS; second++) {
      if (CHANGES.includes(second)) pending.push(change())
      if (second === CRASH) pending.push(crash())
      presentSeconds += here().length
      for (const [i, each] of settled(here()).entries()) {
        each.draw()
        counts.drawings++
        if (second % SAYS_EVERY !== i % SAYS_EVERY) continue
        each.say()
        counts.texts++
      }
      await clock.sleep(SECOND_MS)
    }
    await during(clock, Promise.all(pending))
    await rest()
    const lapPresences = presences()
    deliveries.add(lapPresences)
    counts.transferred += lapPresences.flatMap(({ heard }) => heard.filter((each) => each.transferred)).length
    const complaints = complaintsAbout(lapPresences, deliveries)
    if (!isAtRest()) complaints.unshift("the conference has not come to rest")
    if (complaints.length > 0) throw new Error([`lap ${lap + 1} of seed ${seed}:`, ...complaints].join("\n"))
    memory.push(usedMemory())
  }
  for (const each of here()) await during(clock, each.leave())
  return { laps, ...counts, present: presentSeconds / (laps * LAP_SECONDS), memory }
}

/** Lets time go on until the promise settles. */
async function during(clock: Clock, promise: Promise<unknown>): Promise<void> {
  const state = { isOver: false }
  const over = promise.finally(() => (state.isOver = true))
  over.catch(() => undefined)
  while (!state.isOver) await clock.sleep(100)
  await over
}

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

function usedMemory(): Memory {
  // The first collection may leave the sweeping of array buffers to a thread, and the second one waits for that.
  collect()
  collect()
  return process.memoryUsage()
}
