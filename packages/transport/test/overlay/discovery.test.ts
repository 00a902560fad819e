import { describe, expect, test } from "vitest"
import type { MemberId } from "../../src/members/ids.ts"
import {
  DECIDE_MS,
  DEGREE,
  DEGREE_MAX,
  DEGREE_MIN,
  DEGREE_REPORT_ROUNDS,
  HEARTBEAT_MS,
  LINKING_MS,
  NEIGHBOUR_MS,
  PARENTS,
  SILENT_KEPT,
} from "../../src/bounds/overlay-bounds.ts"
import { NeighbourDiscovery } from "../../src/overlay/discovery/neighbour-discovery.ts"
import type { DiscoveryMessage, DiscoveryOutput } from "../../src/overlay/discovery/discovery-messages.ts"
import { Random } from "../../src/testing/random/random.ts"

const member = (index: number): MemberId => index.toString(16).padStart(32, "0") as MemberId
const message = (index: number, message: DiscoveryMessage) =>
  ({ type: "message", from: member(index), message }) as const
const spare = { kind: "request", want: "spare" } as const
const sent = (outputs: readonly DiscoveryOutput[], kind: DiscoveryMessage["kind"]): MemberId[] =>
  outputs.flatMap((output) => (output.type === "send" && output.message.kind === kind ? [output.to] : []))

function discovery(seed = 1): NeighbourDiscovery {
  const random = new Random(seed)
  return new NeighbourDiscovery(member(0), () => random.next())
}

/** With all places for those who merely look for somebody taken. */
function full(): NeighbourDiscovery {
  const self = discovery()
  for (let i = 1; i <= 40; i++) self.step({ type: "advertisement", from: member(i), eagerness: 1 }, 0)
  for (let i = 1; i <= DEGREE_MAX - PARENTS; i++) {
    expect(sent(self.step(message(i, spare), 1), "accept")).toEqual([member(i)])
  }
  return self
}

describe("a member that advertises among 300", () => {
  test("is asked by about as many as it wants, or by twice as many if more eager", () => {
    const asked = (eagerness: number): number => {
      let count = 0
      for (let seed = 0; seed < 400; seed++) {
        const self = discovery(seed)
        const reachable = new Set(Array.from({ length: 299 }, (_, i) => member(i + 1)))
        self.step({ type: "topology", reachable, nearer: new Set() }, 0)
        // Enough for the advertisement to be what decides.
        for (let i = 100; i < 106; i++) self.step(message(i, spare), 0)
        self.step({ type: "advertisement", from: member(1), eagerness }, 0)
        if (sent(self.step({ type: "tick" }, DECIDE_MS), "request").includes(member(1))) count++
      }
      return (count * 299) / 400
    }
    const once = asked(1)
    expect(once).toBeGreaterThan(DEGREE)
    expect(once).toBeLessThan(2.2 * DEGREE)
    expect(asked(2)).toBeGreaterThan(1.4 * once)
  })
})

describe("a member whose places are taken", () => {
  test("refuses, and names others", () => {
    const outputs = full().step(message(30, spare), 2)
    const refusal = outputs.find((output) => output.type === "send" && output.message.kind === "refuse")
    expect(refusal).toMatchObject({ to: member(30), message: { alternatives: { length: 4 } } })
    expect(JSON.stringify(refusal)).not.toContain(`alternatives":["${member(30)}`)
  })

  test("has two more for those who need a parent", () => {
    const self = full()
    const parent = { kind: "request", want: "parent" } as const
    const answers = [30, 31, 32].map((i) => self.step(message(i, parent), 2))
    expect(answers.map((outputs) => sent(outputs, "accept").length)).toEqual([1, 1, 0])
  })

  test("gives one up for somebody in need, but not for everybody at once", () => {
    const self = full()
    for (const i of [30, 31]) self.step(message(i, { kind: "request", want: "parent" }), 2)
    const need = { kind: "request", want: "need" } as const
    const first = self.step(message(33, need), 3)
    expect([sent(first, "accept"), sent(first, "end").length]).toEqual([[member(33)], 1])
    expect(sent(self.step(message(34, need), 4), "refuse")).toEqual([member(34)])
  })
})

/** Ticks as often as a member does, from after `fromMs` on. */
function pass(self: NeighbourDiscovery, fromMs: number, untilMs: number): DiscoveryOutput[] {
  const outputs: DiscoveryOutput[] = []
  for (let nowMs = fromMs + 100; nowMs <= untilMs; nowMs += 100) outputs.push(...self.step({ type: "tick" }, nowMs))
  return outputs
}

const silent = { type: "silent", peer: member(1) }
const down = { type: "down", peer: member(1) }

test("a neighbour is one while it says so, and a wrong belief is corrected", () => {
  const self = discovery()
  self.step(message(1, spare), 0)
  self.step({ type: "linked", peer: member(1) }, 0)
  pass(self, 0, NEIGHBOUR_MS - HEARTBEAT_MS)
  self.step(message(1, { kind: "heartbeat", degree: 3 }), NEIGHBOUR_MS)
  expect(pass(self, NEIGHBOUR_MS - HEARTBEAT_MS, 2 * NEIGHBOUR_MS)).not.toContainEqual(silent)
  expect(pass(self, 2 * NEIGHBOUR_MS, 2 * NEIGHBOUR_MS + 100)).toContainEqual(silent)
  const goneMs = (1 + SILENT_KEPT) * NEIGHBOUR_MS
  expect(pass(self, 2 * NEIGHBOUR_MS + 100, goneMs)).not.toContainEqual(down)
  expect(pass(self, goneMs, goneMs + 100)).toContainEqual(down)
  const late = self.step(message(1, { kind: "heartbeat", degree: 3 }), goneMs + 101)
  expect(sent(late, "end")).toEqual([member(1)])
})

test("a silent neighbour takes no place, and comes back without a handshake", () => {
  const self = full()
  self.step({ type: "linked", peer: member(1) }, 1)
  const outputs = pass(self, 0, NEIGHBOUR_MS + 2 * HEARTBEAT_MS)
  expect(outputs.filter(({ type }) => type === "silent")).toEqual([silent])
  expect(sent(outputs.slice(outputs.findIndex(({ type }) => type === "silent")), "heartbeat")).toContain(member(1))
  expect(sent(self.step(message(30, spare), NEIGHBOUR_MS + 2 * HEARTBEAT_MS), "accept")).toEqual([member(30)])
  expect(self.heard(member(1), NEIGHBOUR_MS + 2 * HEARTBEAT_MS)).toBe(true)
  expect(pass(self, NEIGHBOUR_MS + 2 * HEARTBEAT_MS, 2 * NEIGHBOUR_MS)).not.toContainEqual(down)
})

test("members of a mesh that is too large keep enough links on slow machines", () => {
  const count = 30
  const delayMs = 2_000
  const random = new Random(4)
  const others = (i: number): MemberId[] => [...Array(count).keys()].filter((j) => j !== i).map(member)
  const all = Array.from({ length: count }, (_, i) => new NeighbourDiscovery(member(i), () => random.next()))
  for (const [i, each] of all.entries()) {
    for (const peer of others(i)) each.step({ type: "linked", peer }, 0)
    each.step({ type: "topology", reachable: new Set(others(i)), nearer: new Set() }, 0)
  }
  const degreesOf = (): number[] => all.map((each, i) => others(i).filter((peer) => each.has(peer)).length)
  const degrees = [degreesOf()]
  let late: { readonly atMs: number; readonly to: number; readonly from: number; readonly said: DiscoveryMessage }[] =
    []
  for (let nowMs = 100; nowMs <= 40_000; nowMs += 100) {
    const due = late.filter(({ atMs }) => atMs <= nowMs)
    late = late.filter(({ atMs }) => atMs > nowMs)
    const steps = [
      ...due.map(({ to, from, said }) => ({ i: to, input: message(from, said) })),
      ...all.map((_, i) => ({ i, input: { type: "tick" } as const })),
    ]
    for (const { i, input } of steps) {
      for (const output of all[i]!.step(input, nowMs)) {
        if (output.type !== "send") continue
        late.push({ atMs: nowMs + delayMs, to: Number.parseInt(output.to, 16), from: i, said: output.message })
      }
    }
    degrees.push(degreesOf())
  }
  expect(Math.min(...degrees.flat())).toBeGreaterThanOrEqual(DEGREE_MIN)
  expect(Math.max(...degrees.at(-1)!)).toBeLessThanOrEqual(DEGREE_MAX)
})

test("holds a place for a neighbour whose link is slow to make, but not for ever", () => {
  const self = discovery()
  self.step(message(1, spare), 0)
  expect(pass(self, 0, LINKING_MS)).not.toContainEqual({ type: "down", peer: member(1) })
  expect(pass(self, LINKING_MS, LINKING_MS + 100)).toContainEqual({ type: "down", peer: member(1) })
})

test("a member that slept takes no neighbour for gone: it was itself not listening", () => {
  const self = discovery()
  self.step(message(1, spare), 0)
  self.step({ type: "linked", peer: member(1) }, 0)
  pass(self, 0, 500)
  const outputs = self.step({ type: "tick" }, 60_000)
  expect(outputs).not.toContainEqual({ type: "down", peer: member(1) })
  expect(self.has(member(1))).toBe(true)
})

test("a member that ticks late at times suspects nobody, and still detects departures", () => {
  const self = discovery()
  self.step(message(1, spare), 0)
  self.step({ type: "linked", peer: member(1) }, 0)
  const late = NEIGHBOUR_MS / 2
  for (let nowMs = late; nowMs <= 2 * NEIGHBOUR_MS; nowMs += late) self.step({ type: "tick" }, nowMs)
  expect(self.has(member(1))).toBe(true)
  const goneMs = (4 + 2 * SILENT_KEPT) * NEIGHBOUR_MS
  for (let nowMs = 2 * NEIGHBOUR_MS; nowMs <= goneMs; nowMs += late) self.step({ type: "tick" }, nowMs)
  expect(self.has(member(1))).toBe(false)
})

test("has no neighbours for longer than others when a member begins late", () => {
  const self = discovery()
  self.step(message(1, spare), 1_000_000)
  self.step({ type: "linked", peer: member(1) }, 1_000_000)
  expect(pass(self, 1_000_000, 1_000_000 + 2 * NEIGHBOUR_MS)).toContainEqual(silent)
})

test("counts anything that comes over the link as a sign of the neighbour", () => {
  const self = discovery()
  self.step(message(1, spare), 0)
  self.step({ type: "linked", peer: member(1) }, 0)
  for (let nowMs = 0; nowMs < 4 * NEIGHBOUR_MS; nowMs += HEARTBEAT_MS) {
    self.heard(member(1), nowMs)
    pass(self, nowMs, nowMs + HEARTBEAT_MS)
  }
  expect(self.has(member(1))).toBe(true)
})

test("the lower end of a link sends the heartbeats, and each end one in four rounds", () => {
  const [low, high] = [0, 2].map((i) => new NeighbourDiscovery(member(i), () => 0.5))
  const counts = [low!, high!].map((self) => {
    self.step(message(1, spare), 0)
    self.step({ type: "linked", peer: member(1) }, 0)
    const outputs: DiscoveryOutput[] = []
    for (let round = 0; round < 3 * DEGREE_REPORT_ROUNDS; round++) {
      self.heard(member(1), round * HEARTBEAT_MS)
      outputs.push(...pass(self, round * HEARTBEAT_MS, (round + 1) * HEARTBEAT_MS))
    }
    return sent(outputs, "heartbeat").length
  })
  expect(counts).toEqual([3 * DEGREE_REPORT_ROUNDS, 3])
})

test("sends few heartbeats to a neighbour that gets other messages", () => {
  const self = discovery()
  for (const i of [1, 2]) {
    self.step(message(i, spare), 0)
    self.step({ type: "linked", peer: member(i) }, 0)
  }
  const heartbeats: MemberId[] = []
  for (let round = 0; round < 3 * DEGREE_REPORT_ROUNDS; round++) {
    for (const i of [1, 2]) self.heard(member(i), round * HEARTBEAT_MS)
    self.said(member(1))
    heartbeats.push(...sent(self.step({ type: "tick" }, round * HEARTBEAT_MS), "heartbeat"))
  }
  expect(heartbeats.filter((to) => to === member(1))).toHaveLength(3)
  expect(heartbeats.filter((to) => to === member(2))).toHaveLength(3 * DEGREE_REPORT_ROUNDS)
})

test("makes no neighbour of a member that accepts without being asked", () => {
  const self = discovery()
  expect(sent(self.step(message(1, { kind: "accept" }), 0), "end")).toEqual([member(1)])
  expect(self.has(member(1))).toBe(false)
})
