import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { digestOf, majorityOf, ROUNDS_AHEAD_MAX } from "../../src/consensus/consensus.ts"
import { FailureDetector, TIMEOUT_FIRST_MS, TIMEOUT_MAX_MS } from "../../src/consensus/failure-detector.ts"
import { type ConsensusMessage, consensusMessageCoder } from "../../src/consensus/messages.ts"
import { ConsensusWorld } from "./consensus-world.ts"
import { memberNamed } from "../harness.ts"

const WHAT = [
  "deliver",
  "deliver",
  "deliver",
  "deliver",
  "propose",
  "suspect",
  "trust",
  "unlink",
  "link",
  "crash",
] as const
type Event = { readonly what: (typeof WHAT)[number]; readonly a: number; readonly b: number }
const event: fc.Arbitrary<Event> = fc.record({ what: fc.constantFrom(...WHAT), a: fc.nat(9999), b: fc.nat(9999) })
const schedule = fc.record({
  count: fc.integer({ min: 1, max: 9 }),
  /** How many of ten suspicions in the schedule are false ones that really happen. */
  suspicionRate: fc.integer({ min: 0, max: 10 }),
  events: fc.array(event, { minLength: 10, maxLength: 250, size: "max" }),
  seed: fc.nat(),
})
type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

function happen(world: ConsensusWorld, { what, a, b }: Event, suspicionRate: number): void {
  const count = world.members.length
  const [one, other] = [a % count, b % count]
  const mayCrash = world.crashedCount < world.faultTolerance
  if (what === "deliver") world.deliver(a)
  if (what === "propose") world.propose(one)
  if (what === "suspect" && b % 10 < suspicionRate) world.suspect(one, other)
  if (what === "trust") world.suspect(one, other, false)
  if (what === "unlink" && one !== other) world.unlink(one, other)
  if (what === "link" && one !== other) world.link(one, other)
  // In the middle of a multicast too: some get it, some never.
  if (what === "crash" && mayCrash) world.deliver(a, b % (count + 1))
}

function orderFrom(seed: number): (length: number) => number {
  let state = seed
  return (length) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % length
  }
}

function run({ count, suspicionRate, events, seed }: Schedule): ConsensusWorld {
  const world = new ConsensusWorld(count)
  for (const next of events) happen(world, next, suspicionRate)
  // A majority proposes, as termination demands; the others are there and never do.
  const alive = [...world.members.keys()].filter((index) => !world.processes[index]!.crashed)
  const rotated = [...alive.slice(seed % alive.length), ...alive.slice(0, seed % alive.length)]
  for (const index of rotated.slice(0, majorityOf(count))) world.propose(index)
  world.becomeStable(orderFrom(seed))
  return world
}

describe("with any minority crashing anywhere, links lost and restored, and any false suspicions", () => {
  test("members decide once, on one proposed value, and all live members decide", () => {
    fc.assert(
      fc.property(schedule, (input) => {
        const world = run(input)
        expect(world.decisions()).toHaveLength(1)
        expect(world.processes.map(({ proposed }) => proposed)).toContain(world.decisions()[0])
        for (const { crashed, decided, faults } of world.processes) {
          expect(decided.length).toBe(crashed ? Math.min(decided.length, 1) : 1)
          expect(faults).toEqual([])
        }
      }),
      { numRuns: 1500 },
    )
  })

  test("the first decision stands even where suspicions never stop", () => {
    fc.assert(
      fc.property(schedule, fc.infiniteStream(fc.nat(9999)), (input, choices) => {
        const world = run({ ...input, suspicionRate: 10 })
        const next = (): number => choices.next().value!
        for (let i = 0; i < 100; i++) {
          world.suspect(next() % input.count, next() % input.count, next() % 2 === 0)
          world.deliver(next())
        }
        expect(world.decisions()).toHaveLength(1)
      }),
      { numRuns: 200 },
    )
  })
})

test("one round without faults decides, with n of each message and n² announcements", () => {
  const count = 21
  const world = new ConsensusWorld(count)
  for (const index of world.members.keys()) world.propose(index)
  world.deliverAll()
  expect(world.decisions()).toHaveLength(1)
  expect(world.sent).toBeLessThanOrEqual(3 * count + count * count)
})

test("a majority decides while the rest never come, and who comes later learns it", () => {
  const world = new ConsensusWorld(5)
  for (const absent of [1, 2]) for (const other of [0, 1, 2, 3, 4]) if (other !== absent) world.unlink(absent, other)
  for (const present of [0, 3, 4]) for (const absent of [1, 2]) world.suspect(present, absent)
  for (const present of [0, 3, 4]) world.propose(present)
  world.deliverAll()
  expect([0, 3, 4].map((i) => world.processes[i]!.decided.length)).toEqual([1, 1, 1])
  world.link(1, 4)
  world.deliverAll()
  expect(world.processes[1]!.decided).toEqual(world.processes[0]!.decided)
  expect(world.processes[2]!.decided).toEqual([])
})

test("decides nothing with fewer than a majority, under any suspicions", () => {
  const world = new ConsensusWorld(5)
  for (const absent of [2, 3, 4]) for (const other of [0, 1, 2, 3, 4]) if (other !== absent) world.unlink(absent, other)
  for (const present of [0, 1]) world.propose(present)
  for (let i = 0; i < 50; i++) {
    for (const present of [0, 1]) world.suspect(present, i % 5)
    world.deliverAll()
    for (const present of [0, 1]) world.suspect(present, i % 5, false)
  }
  expect(world.decisions()).toEqual([])
})

/**
 * The thesis prints timestamp 1 for initial estimates. With it, the coordinator of round 2 would take its own
 * initial estimate, because one that a majority adopted in round 1 looks the same.
 */
test("a value adopted by a majority in round 1 wins over the next coordinator's own", () => {
  const world = new ConsensusWorld(3)
  // Round 1 is member 1's: it and member 0 adopt its value, and it decides; member 2, who leads round 2, heard nothing.
  world.unlink(1, 2)
  world.propose(0)
  world.propose(1)
  world.unlink(0, 2)
  world.deliver(0)
  world.deliver(0)
  world.deliver(0)
  expect(world.processes[1]!.decided).toEqual(["value of 1"])
  world.processes[1]!.crashed = true
  world.inFlight = []
  world.propose(2)
  world.suspect(2, 1)
  world.link(0, 2)
  world.suspect(0, 1)
  world.deliverAll()
  expect(world.processes.map(({ decided }) => decided)).toEqual([["value of 1"], ["value of 1"], ["value of 1"]])
})

test("a member that lost its state learns the decision and is never asked to help", () => {
  const world = new ConsensusWorld(5, { learners: [1] })
  for (const other of [0, 2, 3, 4]) world.suspect(other, 1)
  for (const index of [0, 2, 3, 4]) world.propose(index)
  world.propose(1, "made up anew")
  world.deliverAll()
  expect(world.processes[1]!.decided).toEqual(world.processes[0]!.decided)
  expect(world.decisions()).not.toContain("made up anew")
})

const someValue = Uint8Array.of(65)

test("one nack among the first t replies loses the round, however many acks follow", () => {
  const world = new ConsensusWorld(5)
  for (const from of [0, 2, 3]) world.inject(from, 1, { kind: "estimate", round: 1, stamp: 0, value: someValue })
  world.inject(0, 1, { kind: "reply", round: 1, ack: false })
  for (const from of [2, 3, 4]) world.inject(from, 1, { kind: "reply", round: 1, ack: true })
  expect(world.processes[1]!.decided).toEqual([])
})

test("an ack counts for its own round only", () => {
  const world = new ConsensusWorld(3)
  for (const from of [0, 2]) world.inject(from, 1, { kind: "estimate", round: 4, stamp: 0, value: someValue })
  world.inject(0, 1, { kind: "reply", round: 1, ack: true })
  expect(world.processes[1]!.decided).toEqual([])
  world.inject(0, 1, { kind: "reply", round: 4, ack: true })
  expect(world.processes[1]!.decided).toEqual(["A"])
})

test("calls a member to the present round when it works in a former one", () => {
  const world = new ConsensusWorld(5)
  world.inject(2, 0, { kind: "call", round: 6 })
  world.inFlight = []
  world.inject(1, 0, { kind: "propose", round: 1, value: someValue })
  expect(world.inFlight).toEqual([{ from: 0, to: 1, message: { kind: "call", round: 6 } }])
})

test("a coordinator that was called away still decides on the acks under way to it", () => {
  const world = new ConsensusWorld(5)
  for (const from of [0, 2, 3]) world.inject(from, 1, { kind: "estimate", round: 1, stamp: 0, value: someValue })
  world.inject(2, 1, { kind: "call", round: 2 })
  for (const from of [0, 3]) world.inject(from, 1, { kind: "reply", round: 1, ack: true })
  expect(world.processes[1]!.decided).toEqual(["A"])
})

test("notifies a member that works on a decided instance, and restarts nothing", () => {
  const world = new ConsensusWorld(1)
  world.propose(0, "A")
  expect(world.processes[0]!.decided).toEqual(["A"])
  const { consensus } = world.processes[0]!
  const from = memberNamed("late")
  expect(consensus.step({ type: "message", from, message: { kind: "call", round: 7 } })).toEqual([
    { type: "send", to: from, message: { kind: "decided", digest: digestOf(someValue) } },
  ])
  expect(consensus.step({ type: "propose", value: Uint8Array.of(66) })).toEqual([])
  expect(consensus.step({ type: "message", from, message: { kind: "decision", value: Uint8Array.of(66) } })).toEqual([])
})

test("a member that lost its state acks nothing", () => {
  const world = new ConsensusWorld(3, { learners: [0] })
  world.inject(1, 0, { kind: "propose", round: 1, value: someValue })
  world.inject(2, 0, { kind: "estimate", round: 3, stamp: 0, value: someValue })
  world.step(0, { type: "suspicions" })
  expect(world.sent).toBe(0)
})

test("asks the next announcer when a decision is invalid", () => {
  const world = new ConsensusWorld(4)
  for (const from of [1, 2]) world.inject(from, 0, { kind: "decided", digest: digestOf(someValue) })
  expect(world.inFlight).toEqual([{ from: 0, to: 1, message: { kind: "want" } }])
  world.inject(1, 0, { kind: "decision", value: Uint8Array.from("invalid", (c) => c.codePointAt(0)!) })
  expect(world.inFlight[1]).toEqual({ from: 0, to: 2, message: { kind: "want" } })
  world.inject(2, 0, { kind: "decision", value: someValue })
  expect(world.processes[0]!.decided).toEqual(["A"])
})

describe("lies that can be checked name the liar and change nothing", () => {
  const value = Uint8Array.from("invalid", (c) => c.codePointAt(0)!)
  const lies: readonly { readonly name: string; readonly message: ConsensusMessage; readonly reason: string }[] = [
    { name: "an invalid proposal", message: { kind: "propose", round: 1, value }, reason: "1 invalid-value" },
    { name: "an invalid decision", message: { kind: "decision", value }, reason: "1 invalid-value" },
    {
      name: "a proposal in somebody else's round",
      message: { kind: "propose", round: 3, value: value.subarray(1) },
      reason: "1 impossible",
    },
    {
      name: "an estimate adopted in a round to come",
      message: { kind: "estimate", round: 5, stamp: 5, value: value.subarray(1) },
      reason: "1 impossible",
    },
    {
      name: "an estimate for somebody else's round",
      message: { kind: "estimate", round: 2, stamp: 0, value: value.subarray(1) },
      reason: "1 impossible",
    },
    {
      name: "a round that nobody can have reached",
      message: { kind: "call", round: ROUNDS_AHEAD_MAX + 2 },
      reason: "1 impossible",
    },
  ]
  for (const { name, message, reason } of lies) {
    test(name, () => {
      const world = new ConsensusWorld(5)
      for (const index of world.members.keys()) world.propose(index)
      world.inject(1, 0, message)
      expect(world.processes[0]!.faults).toEqual([reason])
      world.becomeStable(() => 0)
      expect(world.decisions()).toHaveLength(1)
      expect(world.processes.every(({ decided }) => decided.length === 1)).toBe(true)
    })
  }

  test("a coordinator that proposes two values in one round", () => {
    const world = new ConsensusWorld(5)
    world.inject(1, 0, { kind: "propose", round: 1, value: Uint8Array.of(65) })
    world.inject(1, 0, { kind: "propose", round: 1, value: Uint8Array.of(66) })
    expect(world.processes[0]!.faults).toEqual(["1 impossible"])
  })

  test("an invalid estimate is passed over, and the next best taken", () => {
    const world = new ConsensusWorld(3)
    world.inject(0, 1, { kind: "estimate", round: 4, stamp: 3, value })
    world.inject(2, 1, { kind: "estimate", round: 4, stamp: 0, value: value.subarray(1) })
    expect(world.processes[1]!.faults).toEqual(["0 invalid-value"])
    world.propose(1)
    world.deliverAll()
    expect(world.decisions()).toHaveLength(1)
    expect(world.decisions()).not.toContain("invalid")
  })
})

describe("the failure detector", () => {
  const peer = memberNamed("peer")

  test("suspects who was never heard of, trusts who was just heard, and suspects silence", () => {
    const detector = new FailureDetector()
    detector.tick(0)
    expect(detector.isSuspected(peer)).toBe(true)
    detector.heard(peer)
    expect(detector.isSuspected(peer)).toBe(false)
    detector.tick(TIMEOUT_FIRST_MS - 1)
    expect(detector.isSuspected(peer)).toBe(false)
    detector.tick(TIMEOUT_FIRST_MS)
    expect(detector.isSuspected(peer)).toBe(true)
  })

  test("waits longer after each wrong suspicion, up to a bound, and trusts a slow peer", () => {
    const detector = new FailureDetector()
    let nowMs = 0
    const silenceBeforeSuspicion = (): number => {
      detector.heard(peer)
      const from = nowMs
      while (!detector.isSuspected(peer)) detector.tick((nowMs += 1000))
      return nowMs - from
    }
    detector.tick(nowMs)
    const waits = Array.from({ length: 10 }, silenceBeforeSuspicion)
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 16].map((factor) => factor * TIMEOUT_FIRST_MS))
    expect(waits.at(-1)).toBe(TIMEOUT_MAX_MS)
  })

  test("suspects nobody because it slept itself", () => {
    const detector = new FailureDetector()
    detector.tick(0)
    detector.heard(peer)
    detector.tick(3_600_000)
    expect(detector.isSuspected(peer)).toBe(false)
  })

  test("takes no time from a broken clock", () => {
    const detector = new FailureDetector()
    detector.tick(10_000)
    detector.heard(peer)
    detector.tick(0)
    detector.tick(10_000 + TIMEOUT_FIRST_MS - 1)
    expect(detector.isSuspected(peer)).toBe(false)
    expect(() => detector.tick(Number.NaN)).toThrow("finite")
  })
})

const bytes = fc.uint8Array({ maxLength: 40 })
const round = fc.integer({ min: 1, max: 0xffffffff })
const message: fc.Arbitrary<ConsensusMessage> = fc.oneof(
  fc.record({ kind: fc.constant("estimate" as const), round, stamp: fc.nat(0xffffffff), value: bytes }),
  fc.record({ kind: fc.constant("propose" as const), round, value: bytes }),
  fc.record({ kind: fc.constant("reply" as const), round, ack: fc.boolean() }),
  fc.record({ kind: fc.constant("call" as const), round }),
  fc.record({
    kind: fc.constant("decided" as const),
    digest: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  }),
  fc.record({ kind: fc.constant("decision" as const), value: bytes }),
  fc.constantFrom({ kind: "want" as const }, { kind: "alive" as const }),
)

test("every message has one encoding, and every encoding one message", () => {
  fc.assert(
    fc.property(message, (value) => {
      const encoded = consensusMessageCoder.encode(value)
      expect(consensusMessageCoder.decode(encoded)).toEqual(value)
      expect(() => consensusMessageCoder.decode(Uint8Array.of(...encoded, 0))).toThrow()
      expect(() => consensusMessageCoder.decode(encoded.subarray(0, -1))).toThrow()
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (encoded) => {
      let decoded: ConsensusMessage
      try {
        decoded = consensusMessageCoder.decode(encoded)
      } catch {
        return
      }
      expect(consensusMessageCoder.encode(decoded)).toEqual(encoded)
    }),
  )
})
