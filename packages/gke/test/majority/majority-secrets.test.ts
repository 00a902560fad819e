/** Which secrets are kept, for how long, and what the differences reveal. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { describe, expect, test } from "vitest"
import { loadSodiumGroup, loadSodiumX25519 } from "@keymoot/gke"
import type { Element, PrimeOrderGroup, Scalar, X25519 } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { type Contribution, knownOf, proposalOf, sumOfContributions } from "../../src/majority/proposal.ts"
import { Ratchet } from "../../src/majority/ratchet.ts"
import { MajorityWorld, toyX25519 } from "./majority-world.ts"

const toyGroup = createToyGroup()
const toy = { group: toyGroup, x25519: toyX25519(toyGroup) }
/** `npm run test:all` has the largest conference. */
const MEMBERS = process.env["RUNS"] === "full" ? 101 : 41
const real = { group: await loadSodiumGroup(), x25519: await loadSodiumX25519() }

type Watched = {
  readonly group: PrimeOrderGroup
  readonly x25519: X25519
  readonly buffers: Set<Uint8Array>
  readonly drawn: string[]
}

/** Backends that remember the very buffers of all scalars and keys that pass through them; `drawn`: y and SK, as they were. */
function watch({ group, x25519 }: { group: PrimeOrderGroup; x25519: X25519 }): Watched {
  const buffers = new Set<Uint8Array>()
  const drawn: string[] = []
  const keep = <T extends Uint8Array>(bytes: T): T => {
    buffers.add(bytes)
    return bytes
  }
  return {
    buffers,
    drawn,
    group: {
      ...group,
      randomScalar(random) {
        const y = keep(group.randomScalar(keep(random)))
        drawn.push(bytesToHex(y), bytesToHex(random))
        return y
      },
      multiplyBase: (s) => group.multiplyBase(keep(s)),
      addScalars: (a, b) => keep(group.addScalars(keep(a), keep(b))),
      subtractScalars: (a, b) => keep(group.subtractScalars(keep(a), keep(b))),
    },
    x25519: {
      publicKey(secret) {
        drawn.push(bytesToHex(keep(secret)))
        return x25519.publicKey(secret)
      },
      shared(secret, theirs) {
        const shared = x25519.shared(keep(secret), theirs)
        return shared && keep(shared)
      },
    },
  }
}

function run(world: MajorityWorld, session: number): void {
  for (const id of world.roster) world.startSession(id, session)
  world.settle()
  expect(world.outcomes(session)).toHaveLength(1)
}

describe("erasure", () => {
  test("keeps one contribution for late members after a key, none after the next", () => {
    const world = new MajorityWorld(toy, 5)
    const watched = world.roster.map(() => watch(toy))
    for (const [i, id] of world.roster.entries()) world.arrive(id, watched[i]!)
    run(world, 1)
    // All y of the session, and all SK and ephemeral keys, of every member.
    const secrets = new Set(watched.flatMap(({ drawn }) => drawn))
    expect(secrets.size).toBeGreaterThan(5 * 5)
    const held = (index: number): Set<string> =>
      new Set([...watched[index]!.buffers].map(bytesToHex).filter((hex) => secrets.has(hex)))
    for (const index of watched.keys()) expect(held(index).size).toBe(1)
    run(world, 2)
    for (const index of watched.keys()) expect(held(index).size).toBe(0)
  })

  test("reaches a session that never ended", () => {
    const world = new MajorityWorld(toy, 3)
    const watched = watch(toy)
    const [one] = world.roster
    world.arrive(one!, watched)
    world.startSession(one!, 1)
    world.deliverAll()
    const secrets = new Set(watched.drawn)
    for (const id of world.roster.slice(1)) world.arrive(id)
    run(world, 2)
    expect([...watched.buffers].map(bytesToHex).filter((hex) => secrets.has(hex))).toEqual([])
  })

  test("reaches every session when the conference is closed, running or finished", () => {
    for (const deliveries of [0, 5, 20, 60, Infinity]) {
      const world = new MajorityWorld(toy, 3)
      const watched = watch(toy)
      const [one] = world.roster
      for (const id of world.roster) world.arrive(id, id === one ? watched : toy)
      for (const id of world.roster) world.startSession(id, 1)
      if (deliveries === Infinity) world.settle()
      else for (let i = 0; i < deliveries && world.inFlight.length > 0; i++) world.deliver(0)
      const secrets = new Set(watched.drawn)
      expect(secrets.size).toBeGreaterThan(1)
      world.members.get(one!)!.agreement.erase()
      expect([...watched.buffers].map(bytesToHex).filter((hex) => secrets.has(hex))).toEqual([])
      // A tick finds nothing to do.
      expect(world.members.get(one!)!.agreement.step({ type: "tick", nowMs: 1e6 })).toEqual([])
    }
  })

  test("spares no contribution that its member never got to offer", () => {
    const world = new MajorityWorld(toy, 5)
    for (const id of world.roster.slice(0, 3)) world.arrive(id)
    for (const id of world.roster.slice(0, 3)) world.startSession(id, 1)
    world.settle()
    const watched = watch(toy)
    const late = world.roster[4]!
    world.arrive(late, watched)
    world.startSession(late, 1)
    // Its own offer does not come back, so nobody can be told; the others have got it all the same.
    world.inFlight = world.inFlight.filter(({ from, to }) => from !== to)
    world.settle()
    expect(world.hasSecret(late, 1)).toBe(true)
    const secrets = new Set(watched.drawn)
    expect([...watched.buffers].map(bytesToHex).filter((hex) => secrets.has(hex))).toEqual([])
  })

  test("prevents drawing again what the ratchet drew", () => {
    const random = new Uint8Array(64).fill(7)
    const [a, b] = [new Ratchet(random), new Ratchet(random)]
    const first = a.draw(32)
    expect(a.draw(32)).not.toEqual(first)
    expect(b.draw(32)).toEqual(first)
    a.erase()
    b.erase()
    expect(a.draw(32)).toEqual(b.draw(32))
  })
})

test("sends neither a contribution nor a secret key", () => {
  const world = new MajorityWorld(toy, 5)
  const watched = world.roster.map(() => watch(toy))
  for (const [i, id] of world.roster.entries()) world.arrive(id, watched[i]!)
  run(world, 1)
  const traffic = world.log.map(({ bytes }) => bytesToHex(bytes)).join(" ")
  for (const secret of watched.flatMap(({ drawn }) => drawn)) expect(traffic).not.toContain(secret)
})

test("a contribution of another C than the decided one is of no use", () => {
  const none = new Uint8Array(0)
  const [one, other] = [1, 2].map((fill) => {
    const y = toyGroup.randomScalar(new Uint8Array(64).fill(fill))
    return { owner: 0, y, offer: { share: toyGroup.multiplyBase(y), key: none, signature: none } }
  })
  const proposal = proposalOf(toyGroup, [one!])
  expect(knownOf(proposal, new Map([[0, other!]]))).toBeNull()
  expect(knownOf(proposal, new Map([[0, one!]]))).toBe(one)
})

describe("the published differences", () => {
  for (const [name, group] of [
    ["toy61", toyGroup],
    ["ristretto255", real.group],
  ] as const) {
    const contributionsOf = (count: number, fill = 1): Contribution[] =>
      Array.from({ length: count }, (_, owner) => {
        const y = group.randomScalar(new Uint8Array(64).map((_, i) => fill + owner * 7 + i))
        const none = new Uint8Array(0)
        return { owner, y, offer: { share: group.multiplyBase(y), key: none, signature: none } }
      })

    test(`give everybody the same sum, whichever contribution they know (${name})`, () => {
      for (const count of [1, 2, 3, 10, 21]) {
        const contributions = contributionsOf(count)
        const proposal = proposalOf(group, contributions)
        const sums = contributions.map((known) => bytesToHex(sumOfContributions(group, proposal, known)))
        expect(new Set(sums).size).toBe(1)
        const expected = contributions.slice(1).reduce((sum, { y }) => group.addScalars(sum, y), contributions[0]!.y)
        expect(sums[0]).toBe(bytesToHex(expected))
      }
    })

    /** Sum and y_1 determine each other, since t has an inverse: so the sum is as unknown as y_1, for even t too. */
    test(`leave the sum as unknown as any one contribution: t is invertible (${name})`, () => {
      for (const count of [2, 3, 4, 6, 20, 21, 64]) {
        const contributions = contributionsOf(count)
        const proposal = proposalOf(group, contributions)
        const first = contributions[0]!
        const one = group.multiplyScalars(first.y, group.invert(first.y))
        const zero = group.subtractScalars(one, one)
        const t = contributions.reduce((sum) => group.addScalars(sum, one), zero)
        const rest = sumOfContributions(group, proposal, { ...first, y: zero })
        const sum = sumOfContributions(group, proposal, first)
        expect(group.multiplyScalars(group.subtractScalars(sum, rest), group.invert(t))).toEqual(first.y)
        // And every value is still possible: other contributions have the same differences and another sum.
        const shifted = contributions.map((c) => ({ ...c, y: group.addScalars(c.y, one) }))
        expect(proposalOf(group, shifted).differences).toEqual(proposal.differences)
        expect(sumOfContributions(group, proposal, shifted[0]!)).toEqual(group.addScalars(sum, t))
      }
    })
  }
})

test("many members, all there: what each sends and computes", { timeout: 600_000 }, () => {
  const count = MEMBERS
  const counts = { fixedBase: 0, subtractions: 0, publicKeys: 0, sharedKeys: 0 }
  const { group, x25519 } = real
  const counting = {
    group: {
      ...group,
      multiplyBase: (s: Scalar) => (counts.fixedBase++, group.multiplyBase(s)),
      subtract: (a: Element, b: Element) => (counts.subtractions++, group.subtract(a, b)),
    },
    x25519: {
      publicKey: (s: Uint8Array) => (counts.publicKeys++, x25519.publicKey(s)),
      shared: (s: Uint8Array, p: Uint8Array) => (counts.sharedKeys++, x25519.shared(s, p)),
    },
  }
  const world = new MajorityWorld(toy, count)
  // Neither the one that leads round 1 nor an owner of what it proposes: one like any other, counted over the real group.
  const watched = world.roster[Math.floor(0.77 * count)]!
  for (const id of world.roster) world.arrive(id, id === watched ? counting : real)
  for (const id of world.roster) world.startSession(id, 1)
  world.settle()
  expect(world.outcomes(1)).toHaveLength(1)
  expect(world.faults).toEqual([])
  const t = world.majority
  // C, t - 1 contributions opened, t - 1 differences checked; as many HPKE seals as there are others, t - 1 opened.
  expect(counts.fixedBase).toBeLessThanOrEqual(2 * t)
  expect(counts.subtractions).toBeLessThanOrEqual(t)
  expect(counts.publicKeys).toBe(count)
  expect(counts.sharedKeys).toBe(count - 1 + t - 1)
  const sent = world.log.filter(({ from }) => from === watched)
  // n - 1 contributions, an estimate, a reply; an offer and an announcement to everybody, and heartbeats, if it took so long.
  expect(sent.filter(({ via }) => via === "unicast").length).toBeLessThanOrEqual(count - 1 + 2)
  expect(sent.filter(({ via }) => via === "multicast").length).toBeLessThanOrEqual(3 * count)
})
