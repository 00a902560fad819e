import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { loadSodiumGroup, loadSodiumX25519, type MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { createMajorityCodec } from "../../src/majority/majority-codec.ts"
import { SESSIONS_MAX } from "../../src/majority/majority-limits.ts"
import { MajorityWorld, type Sent, toyX25519 } from "./majority-world.ts"

const toyGroup = createToyGroup()
const toy = { group: toyGroup, x25519: toyX25519(toyGroup) }
const codec = createMajorityCodec(toyGroup)
const real = { group: await loadSodiumGroup(), x25519: await loadSodiumX25519() }

function begin(world: MajorityWorld, ids: readonly MemberId[], session = 1): void {
  for (const id of ids) if (!world.members.has(id)) world.arrive(id)
  for (const id of ids) world.startSession(id, session)
}

function expectOneSecret(world: MajorityWorld, session: number, holders: readonly MemberId[]): void {
  expect(world.outcomes(session)).toHaveLength(1)
  expect(holders.filter((id) => !world.hasSecret(id, session))).toEqual([])
}

function orderFrom(seed: number): (length: number) => number {
  let state = seed
  return (length) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % length
  }
}

describe("a bare majority", () => {
  for (const count of [1, 2, 3, 4, 5, 8, 13, 40]) {
    test(`starts and finishes (of ${count}) while the others never come`, () => {
      const world = new MajorityWorld(toy, count)
      const there = world.roster.slice(-world.majority)
      begin(world, there)
      world.settle()
      expectOneSecret(world, 1, there)
      expect(world.faults).toEqual([])
    })
  }

  test("less one member makes no key, and makes one once that member has come", () => {
    const world = new MajorityWorld(toy, 6)
    const there = world.roster.slice(0, world.majority - 1)
    begin(world, there)
    world.settle()
    expect(world.outcomes(1)).toEqual([])
    begin(world, [world.roster[5]!])
    world.settle()
    expectOneSecret(world, 1, [...there, world.roster[5]!])
  })

  test("over ristretto255 and X25519", () => {
    const world = new MajorityWorld(real, 5)
    begin(world, world.roster.slice(0, 3))
    world.settle()
    expectOneSecret(world, 1, world.roster.slice(0, 3))
    begin(world, world.roster.slice(3))
    world.settle()
    expectOneSecret(world, 1, world.roster)
    expect(world.faults).toEqual([])
  })
})

test("a member shows that it is alive only while a consensus is undecided", () => {
  const world = new MajorityWorld(toy, 3)
  const [a, b, c] = world.roster
  begin(world, [a!, b!])
  const isConsensus = ({ from, bytes }: Sent): boolean =>
    from === a && codec.decodeSigned(bytes)!.statement.payload.kind === "consensus"
  while (!world.log.some(isConsensus)) world.deliver(0)
  world.crash(b!)
  world.deliverAll()
  const before = world.log.length
  for (let i = 0; i < 10; i++) world.advance(1000)
  const beats = world.log.slice(before).filter(({ from, to }) => from === a && to === c)
  expect(beats.length).toBeGreaterThanOrEqual(9)
  begin(world, [c!])
  world.settle()
  expectOneSecret(world, 1, [a!, c!])
  const after = world.log.length
  for (let i = 0; i < 10; i++) world.advance(1000)
  expect(world.log.length).toBe(after)
})

describe("who starts late", () => {
  test("gets the key from those that have it", () => {
    const world = new MajorityWorld(toy, 7)
    begin(world, world.roster.slice(0, 4))
    world.settle()
    for (const late of world.roster.slice(4)) {
      begin(world, [late])
      world.settle()
      expect(world.hasSecret(late, 1)).toBe(true)
    }
    expectOneSecret(world, 1, world.roster)
    expect(world.faults).toEqual([])
  })

  test("gets it from one that contributed nothing to it, when all its owners are gone", () => {
    const world = new MajorityWorld(toy, 5)
    begin(world, world.roster.slice(0, 4))
    world.settle()
    // The owners are the majority's first; the fourth member is none of them, and alone with the fifth.
    for (const owner of world.roster.slice(0, 3)) world.crash(owner)
    begin(world, [world.roster[4]!])
    world.settle()
    expectOneSecret(world, 1, [world.roster[4]!])
  })

  test("asks the next when the one it asked has gone", () => {
    const world = new MajorityWorld(toy, 5)
    begin(world, world.roster.slice(0, 3))
    world.settle()
    const late = world.roster[4]!
    begin(world, [late])
    // It hears that there is a decision, asks the first that says so, and that one crashes.
    while (!world.inFlight.some(({ from, to }) => from === late && to !== late)) world.deliver(0)
    world.deliverAll(() => 0)
    expect(world.hasSecret(late, 1)).toBe(true)
    const other = world.roster[3]!
    begin(world, [other])
    world.deliver(0)
    world.deliver(0)
    world.crash(world.roster[0]!)
    world.settle()
    expect(world.hasSecret(other, 1)).toBe(true)
  })
})

test("distant members ask a decided member at once, and keyless ones answer later", () => {
  const world = new MajorityWorld(toy, 7)
  const far = new Set(world.roster.slice(1, 3))
  const isNear = ({ from, to }: Sent): boolean => from === to || (!far.has(from) && !far.has(to))
  begin(world, world.roster)
  for (let crossings = 0; crossings < 12; crossings++) {
    for (let at = world.inFlight.findIndex(isNear); at >= 0; at = world.inFlight.findIndex(isNear)) world.deliver(at)
    for (let left = world.inFlight.length; left > 0; left--) {
      world.deliver(0)
      world.advance(0)
    }
  }
  expectOneSecret(world, 1, world.roster)
  expect(world.faults).toEqual([])
})

describe("a member that reloads", () => {
  test("contributes nothing more before there is a key, and gets the others' key", () => {
    const world = new MajorityWorld(toy, 5)
    const [a, b, c, d] = world.roster
    begin(world, [a!, b!])
    world.settle()
    world.arrive(a!)
    world.startSession(a!, 1, true)
    begin(world, [c!])
    world.settle()
    // Three were there, but one lost its state: as far as consensus goes, it has crashed.
    expect(world.outcomes(1)).toEqual([])
    begin(world, [d!])
    world.settle()
    expectOneSecret(world, 1, [a!, b!, c!, d!])
    expect(world.faults).toEqual([])
  })

  test("after there is a key gets it again", () => {
    const world = new MajorityWorld(toy, 3)
    begin(world, world.roster)
    world.settle()
    world.arrive(world.roster[0]!)
    world.startSession(world.roster[0]!, 1, true)
    world.settle()
    expectOneSecret(world, 1, world.roster)
  })
})

test("two that reload while there is no key do not greet each other without end", () => {
  const world = new MajorityWorld(toy, 5)
  const [a, b] = world.roster
  begin(world, [a!, b!])
  world.settle()
  for (const id of [a!, b!]) {
    world.arrive(id)
    world.startSession(id, 1, true)
  }
  for (let i = 0; i < 100; i++) world.deliver(0)
  expect(world.inFlight).toEqual([])
})

describe("sessions", () => {
  test("follow one another with fresh secrets", () => {
    const world = new MajorityWorld(toy, 5)
    const seen = new Set<string>()
    for (let session = 1; session <= 6; session++) {
      begin(world, world.roster, session)
      world.settle()
      expectOneSecret(world, session, world.roster)
      seen.add(world.outcomes(session)[0]!)
    }
    expect(seen.size).toBe(6)
  })

  test("run side by side, each to its own secret", () => {
    const world = new MajorityWorld(toy, 5)
    for (const session of [3, 1, 2]) begin(world, world.roster, session)
    world.deliverAll()
    world.settle()
    const outcomes = [1, 2, 3].flatMap((session) => world.outcomes(session))
    expect(new Set(outcomes).size).toBe(3)
    expectOneSecret(world, 2, world.roster)
  })

  test("never run twice, and a view of a known session changes nothing", () => {
    const world = new MajorityWorld(toy, 3)
    begin(world, world.roster, 1)
    world.settle()
    begin(world, world.roster, 1)
    begin(world, world.roster, 2)
    world.settle()
    const sent = world.log.length
    begin(world, world.roster, 1)
    world.settle()
    expect(world.log.length).toBe(sent)
    expectOneSecret(world, 1, world.roster)
  })

  test("keep a later one when an earlier one is entered after it and ends first", () => {
    const world = new MajorityWorld(toy, 5)
    const [a, b, c, d] = world.roster as [MemberId, MemberId, MemberId, MemberId]
    begin(world, [a, b, c])
    world.settle()
    for (const id of [a, b, c]) world.unlink(id, d)
    begin(world, [a, b, c, d], 2)
    world.link(c, d)
    world.startSession(d, 1, true)
    while (!world.hasSecret(d, 1)) world.deliver(world.inFlight.findIndex(({ from, to }) => from === d || to === d))
    expect(world.hasSecret(c, 2)).toBe(false)
    world.linkAll()
    world.settle()
    expectOneSecret(world, 2, [a, b, c, d])
  })

  test("do not pile up when they are started without end", () => {
    const world = new MajorityWorld(toy, 3)
    const [alone] = world.roster
    for (let session = 1; session <= 20; session++) begin(world, [alone!], session)
    world.deliverAll()
    const before = world.log.length
    world.step(alone!, { type: "resend", to: world.roster[1]! })
    expect(world.log.length - before).toBe(SESSIONS_MAX)
  })
})

const WHAT = [
  "deliver",
  "deliver",
  "deliver",
  "deliver",
  "start",
  "start",
  "time",
  "unlink",
  "link",
  "crash",
  "reload",
] as const
type Event = { readonly what: (typeof WHAT)[number]; readonly a: number; readonly b: number }
const event: fc.Arbitrary<Event> = fc.record({ what: fc.constantFrom(...WHAT), a: fc.nat(9999), b: fc.nat(9999) })

/** Time passes whether or not messages do, so false suspicions come at any rate. */
function happen(world: MajorityWorld, { what, a, b }: Event, lost: Set<MemberId>): void {
  const one = world.roster[a % world.roster.length]!
  const other = world.roster[b % world.roster.length]!
  const mayLose = lost.has(one) || lost.size < world.roster.length - world.majority
  if (what === "deliver") for (let i = 0; i < 1 + (b % 20); i++) world.deliver(a + i)
  if (what === "start" && !world.members.has(one)) begin(world, [one])
  if (what === "time") world.advance(1000 * (1 + (b % 4)))
  if (what === "unlink") world.unlink(one, other)
  if (what === "link") world.link(one, other)
  if (what === "crash" && mayLose && world.members.has(one)) {
    lost.add(one)
    world.crash(one)
  }
  if (what === "reload" && mayLose && world.members.has(one)) {
    lost.add(one)
    world.arrive(one)
    world.startSession(one, 1, true)
  }
}

function runSchedule(world: MajorityWorld, events: readonly Event[], seed: number): void {
  const lost = new Set<MemberId>()
  for (const next of events) happen(world, next, lost)
  begin(
    world,
    world.roster.filter((id) => !world.members.has(id)),
  )
  world.linkAll()
  world.settle(orderFrom(seed))
}

describe("whatever crashes, reloads, comes late, is cut off or falsely suspected, of a minority and at whatever moment", () => {
  const scheduleOf = (countMax: number, length: number) =>
    fc.tuple(
      fc.integer({ min: 1, max: countMax }),
      fc.array(event, { minLength: 5, maxLength: length, size: "max" }),
      fc.nat(),
    )
  const check = ([count, events, seed]: [number, Event[], number]): void => {
    const world = new MajorityWorld(toy, count)
    runSchedule(world, events, seed)
    expect(world.faults).toEqual([])
    expectOneSecret(
      world,
      1,
      world.present().map(({ id }) => id),
    )
  }

  test("all that are there in the end have one secret (up to 9 members)", () => {
    fc.assert(fc.property(scheduleOf(9, 80), check), { numRuns: 250 })
  })

  test("all that are there in the end have one secret (up to 40 members)", () => {
    fc.assert(fc.property(scheduleOf(40, 60), check), { numRuns: 8 })
  })
})
