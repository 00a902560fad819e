import type { HostEvent } from "@keymoot/transport/host"
import { Random } from "@keymoot/transport/testing"
import { describe, expect, test } from "vitest"
import { Crowd } from "./crowd.ts"

/** Disturbed conferences of one test. The first seed is random with `PROPERTY_SEED=random`. */
const CONFERENCES = process.env["RUNS"] === "full" ? 15 : 1
const FIRST_SEED = process.env["PROPERTY_SEED"] === "random" ? Date.now() % 2 ** 31 : 1
const STEPS = 40
const LONG_MS = 180_000

/** Holds back what comes for some members, cuts them from each other, and stops their programs for some seconds. */
class Disturbance {
  readonly log: string[] = []
  readonly #crowd: Crowd
  readonly #random: Random
  readonly #names: readonly string[]
  readonly #stalled = new Set<string>()
  #held: { readonly to: string; readonly lane: string; readonly event: HostEvent }[] = []

  constructor(crowd: Crowd, random: Random) {
    this.#crowd = crowd
    this.#random = random
    this.#names = crowd.members.map((_, index) => `member ${index}`)
    const { network } = crowd.room
    const lines = network.onDelivery!
    network.onDelivery = (to, event) => {
      const lane = laneOf(to, event)
      if (!this.#stalled.has(lane)) return lines(to, event)
      this.#held.push({ to, lane, event })
      return []
    }
  }

  act(): void {
    const { room } = this.#crowd
    const [one, other] = [this.#random.pick(this.#names), this.#random.pick(this.#names)]
    const chance = this.#random.integer(10)
    if (chance < 3) this.#stall(`${one} ${this.#random.pick(["room", "0", "1", "2", "3"])}`)
    else if (chance === 9) for (const lane of ["0", "1", "2", "3"]) this.#stall(`${one} ${lane}`)
    else if (chance < 6 && this.#stalled.size > 0) this.#release(this.#random.pick([...this.#stalled]))
    else if (chance === 6 && one !== other) this.#cut(one, other, this.#random.chance(0.7))
    else if (chance === 7) this.#mend()
    else if (chance === 8) {
      const ms = this.#random.pick([500, 1_500, 3_000])
      this.log.push(`pause ${one} ${ms}`)
      room.pause(room.members[this.#names.indexOf(one)]!, one, ms)
    }
  }

  end(): void {
    this.#mend()
    for (const lane of this.#stalled) this.#release(lane)
  }

  #stall(lane: string): void {
    this.log.push(`stall ${lane}`)
    this.#stalled.add(lane)
  }

  /** Nothing is under way between two runs of the room, so each lane keeps its order. */
  #release(lane: string): void {
    this.log.push(`release ${lane}`)
    this.#stalled.delete(lane)
    for (const each of this.#held) if (each.lane === lane) this.#crowd.room.network.inject(each.to, each.event)
    this.#held = this.#held.filter((each) => each.lane !== lane)
  }

  #cut(one: string, other: string, isDirectOnly: boolean): void {
    this.log.push(`cut ${one} ${other} ${isDirectOnly ? "direct" : "all"}`)
    const { network } = this.#crowd.room
    if (isDirectOnly) network.cutDirect(one, other)
    else network.cut(one, other)
  }

  #mend(): void {
    this.log.push("mend")
    for (const one of this.#names)
      for (const other of this.#names) if (one < other) this.#crowd.room.network.mend(one, other)
  }
}

/** Events of a lane keep their order: those of the room, and those of a fourth of a member's connections. */
function laneOf(to: string, event: HostEvent): string {
  if (event.type.startsWith("room-")) return `${to} room`
  return "connectionId" in event ? `${to} ${event.connectionId % 4}` : to
}

/** Members that go from one view to the next together have delivered the same there, in the same order. */
function expectVirtualSynchrony(crowd: Crowd, context: string): void {
  const histories = crowd.members.map((member) => [...crowd.views.get(member)!])
  for (const one of histories)
    for (const other of histories)
      for (const [index, [view, delivered]] of one.entries()) {
        const at = other.findIndex(([id]) => id === view)
        if (at >= 0 && one[index + 1]?.[0] === other[at + 1]?.[0]) expect(delivered, context).toEqual(other[at]![1])
      }
}

async function runConference(members: number, meshMax: number, seed: number): Promise<void> {
  const random = new Random(seed)
  const crowd = new Crowd(meshMax)
  await crowd.join(members)
  expect(await crowd.room.runUntil(() => crowd.isTogether, LONG_MS)).toBe(true)
  const disturbance = new Disturbance(crowd, random)
  let said = 0
  const saySometimes = () => random.chance(0.05) && crowd.say(random.pick(crowd.members), `message ${said++}`)
  for (let step = 0; step < STEPS; step++) {
    disturbance.act()
    const ms = random.pick([50, 200, 600, 1_500])
    disturbance.log.push(`run ${ms}`)
    await crowd.room.run(ms, saySometimes)
  }
  disturbance.end()
  const context = `seed ${seed}: ${disturbance.log.join("; ")}`
  await crowd.room.run(3_000)
  expect(await crowd.room.runUntil(() => crowd.isTogether, LONG_MS), context).toBe(true)
  for (const member of crowd.members) crowd.say(member, `last of ${member.id}`)
  const isLast = (text: string) => text.startsWith("last")
  const haveAll = () => crowd.members.every((member) => crowd.texts.get(member)!.filter(isLast).length === members)
  expect(await crowd.room.runUntil(haveAll, LONG_MS), context).toBe(true)
  // A member that others could not reach for long may be said to obstruct.
  expect(crowd.security.filter((report) => !report.startsWith("obstruction"))).toEqual([])
  for (const texts of crowd.texts.values()) expect(new Set(texts).size, context).toBe(texts.length)
  expectVirtualSynchrony(crowd, context)
}

describe("whole engines whose lines and programs stop at any time", () => {
  test.each([
    { members: 3, meshMax: 24 },
    { members: 5, meshMax: 24 },
    { members: 8, meshMax: 4 },
  ])(
    "keep one order and blame nobody: $members members, mesh of $meshMax",
    async ({ members, meshMax }) => {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + CONFERENCES; seed++) await runConference(members, meshMax, seed)
    },
    900_000,
  )
})
