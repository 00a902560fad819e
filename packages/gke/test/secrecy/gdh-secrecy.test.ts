import { bytesToHex } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { type Element, isRejection, type MemberId, type PrimeOrderGroup, type Scalar } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed, type View } from "../harness.ts"
import { SymbolicGroup } from "./symbolic-group.ts"
import { secretOf } from "../../src/clusters/completed-epoch.ts"
import { createGdhCodec } from "../../src/gdh/gdh-codec.ts"

const ids = (names: string): MemberId[] => [...names].map(memberNamed)

/** Each view: who is in it, and how many messages are delivered before the next one; all, unless said. */
type Membership = { readonly names: string; readonly deliveries?: number }

/** The views played, and the knowledge allowed in each. */
class Played {
  readonly symbols = new SymbolicGroup()
  readonly views: View[] = []
  readonly #harness: Harness
  /** How many secrets each member had drawn when a view ended. */
  readonly #drawn: Map<MemberId, number>[] = []
  readonly #seen: readonly Element[]
  readonly #keys = new Map<string, Element>()

  constructor(memberships: readonly Membership[]) {
    this.#harness = new Harness(this.symbols.groupOf(memberNamed("?")), { module: "gdh" })
    const everybody = ids([...new Set(memberships.map(({ names }) => names).join(""))].join(""))
    for (const id of everybody) this.#harness.startAs(id, this.symbols.groupOf(id))
    for (const { names, deliveries } of memberships) {
      const view = this.#harness.install(this.#harness.propose(ids(names)))
      if (deliveries === undefined) this.#harness.settle(view.members)
      else this.#deliver(view, deliveries)
      this.views.push(view)
      this.#drawn.push(new Map(everybody.map((id) => [id, this.symbols.secretsOf(id).length])))
    }
    expect(this.#harness.faults).toEqual([])
    this.#seen = this.views.flatMap((view) => elementsIn(this.symbols.groupOf(memberNamed("?")), view))
    for (const element of this.symbols.elements()) {
      for (const members of [1, 2]) this.#keys.set(bytesToHex(secretOf("gdh", element, members)), element)
    }
  }

  #deliver(view: View, deliveries: number): void {
    for (let i = 0; i < deliveries; i++) {
      const waiting = view.members.filter((id) => this.#harness.sendersWaiting(id).length > 0)
      const receiver = waiting[(i * 7) % (waiting.length || 1)]
      if (receiver) this.#harness.deliverNext(receiver, this.#harness.sendersWaiting(receiver)[0]!)
    }
  }

  isKeyed(view: number): boolean {
    return this.#harness.secrets.some((secret) => secret.view === this.views[view])
  }

  /** Whether these, with all they drew up to a view, and all traffic from first to last, unicasts included, know the key of `view`. */
  know(names: string, upTo: number, view: number): boolean {
    const { secret } = this.#harness.secrets.find((one) => one.view === this.views[view])!
    const known = ids(names).flatMap((id) => this.symbols.secretsOf(id).slice(0, this.#drawn[upTo]!.get(id)))
    return this.symbols.isDerivable(this.#keys.get(secret)!, new Set(known), this.#seen)
  }
}

function elementsIn(group: PrimeOrderGroup, view: View): Element[] {
  const codec = createGdhCodec(group)
  return [...view.log, ...view.unicasts].flatMap(({ bytes }) => {
    const message = codec.decode(bytes)!
    const found = message.kind === "list" ? message.list.partials : [message.element]
    return found.map((element) => group.decode(element)).filter((element) => !isRejection(element)) as Element[]
  })
}

const named = (...names: string[]): Membership[] => names.map((one) => ({ names: one }))

test("the tests' eavesdropper is real: a member's shares give all its keys", () => {
  const played = new Played(named("a", "abcdef", "abcef", "abcefg", "abcefg", "ab", "a", "abc"))
  for (const view of played.views.keys()) expect(played.know("a", 7, view)).toBe(true)
  expect(played.know("c", 1, 1)).toBe(true)
})

test("a former member with all its shares and all traffic computes no later key", () => {
  const played = new Played(named("abcdef", "abdef", "abdefg", "bdefg", "bdefg"))
  for (const leaver of "cf") expect(played.know(leaver, 0, 0)).toBe(true)
  for (const later of [1, 2, 3, 4]) expect(played.know("c", 0, later)).toBe(false)
})

test("a former controller computes no later key, even with newcomers it admitted", () => {
  const played = new Played(named("abcd", "abcdefg", "abcde", "abcde", "abch", "abch"))
  for (const later of [2, 3, 4, 5]) expect(played.know("fg", 1, later)).toBe(false)
  for (const later of [4, 5]) expect(played.know("defg", 3, later)).toBe(false)
})

test("a newcomer computes no key from before it came, though it recorded everything", () => {
  const played = new Played(named("abcde", "abcd", "abcd", "abcdf", "abcdfg", "abcfg"))
  expect(played.know("g", 5, 4)).toBe(true)
  for (const earlier of [0, 1, 2, 3]) expect(played.know("g", 5, earlier)).toBe(false)
})

test("leavers of different times compute nothing together or with later newcomers", () => {
  const played = new Played(named("abcdefgh", "abdefgh", "abdegh", "begh", "begh", "begi"))
  for (const later of [3, 4]) expect(played.know("acdfi", 5, later)).toBe(false)
  expect(played.know("acdfi", 5, 5)).toBe(true)
})

test("outsiders of a view compute nothing of it together, in any views", () => {
  const membership = fc.record({
    names: fc
      .uniqueArray(fc.constantFrom(..."abcdefgh"), { minLength: 1, maxLength: 8 })
      .map((names) => names.sort().join("")),
    deliveries: fc.option(fc.nat(40), { nil: undefined, freq: 3 }),
  })
  const property = fc.property(fc.array(membership, { minLength: 2, maxLength: 9 }), (memberships) => {
    const played = new Played(
      memberships.map(({ names, deliveries }) => (deliveries === undefined ? { names } : { names, deliveries })),
    )
    const last = memberships.length - 1
    for (const [view, { names }] of memberships.entries()) {
      if (!played.isKeyed(view)) continue
      const outside = [..."abcdefgh"].filter((name) => !names.includes(name)).join("")
      expect(played.know(outside, last, view)).toBe(false)
      for (const inside of names) expect(played.know(inside, last, view)).toBe(true)
    }
  })
  fc.assert(property, { numRuns: process.env["RUNS"] === "full" ? 300 : 60 })
})

test("a former member that is still fed, unicasts too, gets no secret", () => {
  const harness = new Harness(createToyGroup(), { module: "gdh" })
  const all = [..."abcdef"].map((name) => harness.start(name))
  harness.change(all)
  const departed = all[2]!
  const before = harness.secrets.length
  harness.start("g")
  const stayed = [...all.filter((id) => id !== departed), memberNamed("g")]
  for (const view of [harness.change(stayed.slice(0, -1)).view, harness.change(stayed).view]) {
    for (const { from, bytes } of view.unicasts) harness.inject(departed, from, bytes, "unicast")
    for (const { from, bytes } of view.log) harness.inject(departed, from, bytes)
  }
  expect(harness.secrets.slice(before).map(({ member }) => member)).not.toContain(departed)
})

test("overwrites replaced shares, factors and the shares of abandoned views", () => {
  const buffers = new Set<Scalar>()
  const group = createToyGroup()
  const keep = (scalar: Scalar): Scalar => {
    buffers.add(scalar)
    return scalar
  }
  const watched: PrimeOrderGroup = {
    ...group,
    randomScalar: (random) => keep(group.randomScalar(random)),
    invert: (s) => keep(group.invert(keep(s))),
    multiplyScalars: (a, b) => keep(group.multiplyScalars(keep(a), keep(b))),
    multiply: (e, s) => group.multiply(e, keep(s)),
    multiplyBase: (s) => group.multiplyBase(keep(s)),
  }
  const harness = new Harness(group, { module: "gdh" })
  const all = [harness.start("a", watched), ...[..."bcdefgh"].map((name) => harness.start(name))]
  harness.change(all.slice(0, 1))
  harness.change(all)
  harness.propose(all)
  // a has the oldest share, so it is at its new one when the next view comes too soon.
  const tooSoon = harness.install(harness.propose(all))
  expect(tooSoon.log.map(({ from }) => from)).toEqual([all[0]])
  harness.install(harness.propose(all))
  harness.settle()
  // Each refreshes in turn, until a has.
  for (let i = 0; i < all.length; i++) harness.change(all)
  harness.change(all.slice(0, 3))
  expect(buffers.size).toBeGreaterThan(20)
  const live = [...buffers].filter((buffer) => buffer.some((byte) => byte !== 0))
  // The share of the present epoch.
  expect(live).toHaveLength(1)
})
