/** Many members, a bus and links in virtual time: discovery, link state and dissemination together. */
import { describe, expect, test, vi } from "vitest"
import { DEGREE_MAX, DEGREE_MIN, FULL_MESH_MAX } from "../../src/bounds/overlay-bounds.ts"
import type { MemberId } from "../../src/members/ids.ts"
import type { LinkState } from "../../src/overlay/link-state/link-states.ts"
import { Overlay } from "../../src/overlay/overlay.ts"
import { SimulatedOverlay } from "../../src/testing/simulation/simulated-overlay.ts"

// Nothing here waits; it computes, and a busy machine may take its time.
vi.setConfig({ testTimeout: 600_000 })

/** The paper needs 30 to 40 seconds for this. */
const SETTLED_MS = 10_000

function settled(seed: number, members: number): SimulatedOverlay {
  const overlay = new SimulatedOverlay(seed)
  overlay.join(members)
  expect(overlay.settle(SETTLED_MS), overlay.trouble() ?? "not for long").not.toBeNull()
  return overlay
}

/** The texts that some members did not receive. */
function gaps(overlay: SimulatedOverlay, texts: readonly string[]): string[] {
  return texts.filter((text) => overlay.heardBy(text) < overlay.alive.length)
}

function sayFromEach(overlay: SimulatedOverlay, count: number): string[] {
  return overlay.alive.slice(0, count).map(({ id }, i) => {
    const text = `${i} at ${overlay.nowMs}`
    overlay.say(id, text)
    return text
  })
}

test.for([
  [DEGREE_MAX, 5],
  [2 * DEGREE_MAX, 2.5],
] as const)("a member with %i links and steady news publishes %f records a second", ([links, expected]) => {
  const overlay = new Overlay<never, LinkState>({ id: "self" as MemberId, incarnation: 1 }, () => 0.5)
  for (let i = 0; i < links; i++) overlay.step({ type: "linkUp", peer: `${i}` as MemberId }, 0)
  let published = 0
  for (let nowMs = 0; nowMs < 2000; nowMs += 50) {
    overlay.step({ type: "news" }, nowMs)
    published += overlay.step({ type: "tick" }, nowMs).filter(({ type }) => type === "sign").length
  }
  expect(published / 2).toBe(expected)
})

describe("the neighbour tables of 300 members", () => {
  test("are right in ten seconds, also after a crash: 6 to 12 neighbours, all reachable", () => {
    const overlay = settled(1, 300)
    expect(Math.min(...overlay.degrees())).toBeGreaterThanOrEqual(DEGREE_MIN)
    expect(Math.max(...overlay.degrees())).toBeLessThanOrEqual(DEGREE_MAX)
    // Handshakes are asked of all alike: without the probability the first on the bus would be asked by all.
    expect(Math.max(...overlay.requests.values())).toBeLessThan(100)
    // Before anybody has noticed, and so could have looked for new ones.
    overlay.crash(0.3)
    expect(overlay.isConnected()).toBe(true)
  })
})

describe("the neighbour tables of 80 members", () => {
  test("are right again in ten seconds after a crash of 30 %, a newcomer or a cut", () => {
    const overlay = settled(2, 80)
    const changes = [() => overlay.crash(0.3), () => overlay.join(1), () => overlay.cut(3), () => overlay.heal()]
    for (const [i, change] of changes.entries()) {
      change()
      expect(overlay.settle(SETTLED_MS), `change ${i}: ${overlay.trouble()}`).not.toBeNull()
    }
  })

  test("have two links to the sequencer for most, and one for all, within the degree", () => {
    const overlay = settled(3, 80)
    overlay.elect(overlay.alive[0]!.id)
    overlay.run(SETTLED_MS)
    expect(overlay.trouble()).toBeNull()
    expect(Math.min(...overlay.parents())).toBeGreaterThanOrEqual(1)
    expect(overlay.parents().filter((count) => count < 2).length).toBeLessThan(0.4 * overlay.alive.length)
  })
})

test("up to 24 everybody is everybody's neighbour; the 25th ends that", () => {
  const overlay = settled(4, FULL_MESH_MAX)
  overlay.run(SETTLED_MS)
  expect(new Set(overlay.degrees())).toEqual(new Set([FULL_MESH_MAX - 1]))
  overlay.join(1)
  expect(overlay.settle(2 * SETTLED_MS), overlay.trouble() ?? "").not.toBeNull()
  expect(Math.max(...overlay.degrees())).toBeLessThanOrEqual(DEGREE_MAX)
})

describe("a message to all of 80", () => {
  test("comes to each of them, and in the end seldom twice", () => {
    const overlay = settled(5, 80)
    // The first ones find the tree.
    sayFromEach(overlay, 5)
    overlay.run(2000)
    const before = overlay.copies
    const texts: string[] = []
    for (let i = 0; i < 10; i++) {
      texts.push(...sayFromEach(overlay, 1))
      overlay.run(500)
    }
    expect(gaps(overlay, texts)).toEqual([])
    expect(overlay.copies - before).toBeLessThan(10 * 79 * 1.1)
  })

  test("comes to all remaining when 30 % crash with the tree's links, still unnoticed", () => {
    const overlay = settled(6, 80)
    sayFromEach(overlay, 5)
    overlay.run(2000)
    overlay.crash(0.3)
    const texts = sayFromEach(overlay, 10)
    overlay.run(SETTLED_MS)
    expect(overlay.trouble()).toBeNull()
    expect(gaps(overlay, texts)).toEqual([])
  })
})

test("any two that a path joins can talk, over several hops", () => {
  const overlay = settled(7, 80)
  const [first] = overlay.alive
  for (const { id } of overlay.alive.slice(1)) overlay.tell(first!.id, id, `for ${id}`)
  overlay.run(1000)
  expect(overlay.alive.slice(1).map(({ id }) => overlay.heardBy(`for ${id}`))).toEqual(
    Array.from({ length: 79 }, () => 1),
  )
})
