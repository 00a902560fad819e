import * as fc from "fast-check"
import { expect, test } from "vitest"
import { loadSodiumGroup } from "@keymoot/gke"
import type { MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed } from "./harness.ts"
import type { Proposal } from "./harness.ts"

const MEMBERS_AT_MOST = 16

/** What may happen next; the numbers choose among what is possible then. */
type Happening = { readonly what: (typeof HAPPENINGS)[number]; readonly choice: number; readonly other: number }
const HAPPENINGS = [
  "start",
  "leave",
  "reload",
  "split",
  "heal",
  "propose",
  "install",
  "installSome",
  "change",
  "change",
  "deliver",
  "deliver",
  "settle",
] as const
const happening: fc.Arbitrary<Happening> = fc.record({
  what: fc.constantFrom(...HAPPENINGS),
  choice: fc.nat(0xffff),
  other: fc.nat(0xffff),
})

/** Components of a network, each with the proposal that waits to be installed there. */
type Component = { members: MemberId[]; proposal: Proposal | null; uninstalled: MemberId[] }

class World {
  readonly harness: Harness
  components: Component[] = []
  #started = 0

  constructor(group: PrimeOrderGroup) {
    this.harness = new Harness(group)
  }

  happen({ what, choice, other }: Happening): void {
    const component = this.components[choice % (this.components.length || 1)]
    if (what === "start" || !component) return this.#start(other)
    const member = component.members[other % component.members.length]!
    if (what === "leave") this.#leave(component, member)
    if (what === "reload") this.#reload(component, member)
    if (what === "split") this.#split(component, other)
    if (what === "heal") this.#heal(component, other)
    if (what === "propose") this.#propose(component, other)
    if (what === "install") this.#install(component, component.uninstalled)
    if (what === "installSome")
      this.#install(
        component,
        component.uninstalled.filter((_, i) => (other >> i) & 1),
      )
    if (what === "change") {
      this.#propose(component, other)
      this.#install(component, component.uninstalled)
    }
    if (what === "deliver") this.#deliver(other)
    if (what === "settle") this.harness.settle(component.members)
  }

  /** The network heals, and one last view goes undisturbed. */
  calm(): MemberId[] {
    const everybody = this.components.flatMap((component) => component.members)
    if (everybody.length > 0) this.harness.change(everybody)
    return everybody
  }

  #start(other: number): void {
    if (this.harness.members.size >= MEMBERS_AT_MOST) return
    const member = this.harness.start(String.fromCodePoint(0x61 + (this.#started % 26)) + this.#started++)
    const host = this.components[other % 8 === 7 ? -1 : other % this.components.length]
    if (host) this.#set(host, [...host.members, member])
    else this.components.push({ members: [member], proposal: null, uninstalled: [] })
  }

  #leave(component: Component, member: MemberId): void {
    this.harness.members.delete(member)
    this.#set(
      component,
      component.members.filter((other) => other !== member),
    )
  }

  #reload(component: Component, member: MemberId): void {
    this.harness.startAs(member)
    this.#set(component, component.members)
  }

  #split(component: Component, mask: number): void {
    const away = component.members.filter((_, i) => (mask >> i) & 1)
    this.#set(
      component,
      component.members.filter((member) => !away.includes(member)),
    )
    this.components.push({ members: away, proposal: null, uninstalled: [] })
    this.components = this.components.filter(({ members }) => members.length > 0)
  }

  #heal(component: Component, choice: number): void {
    const other = this.components[choice % this.components.length]!
    if (other === component) return
    this.#set(component, [...component.members, ...other.members])
    this.components = this.components.filter((c) => c !== other)
  }

  #set(component: Component, members: MemberId[]): void {
    Object.assign(component, { members, proposal: null, uninstalled: [] })
    this.components = this.components.filter(({ members }) => members.length > 0)
  }

  #propose(component: Component, seed: number): void {
    let step = 0
    component.proposal = this.harness.propose(component.members, () => this.#deliver(seed * ++step))
    component.uninstalled = component.members
  }

  #install(component: Component, at: readonly MemberId[]): void {
    if (!component.proposal) return
    const view = (component.proposal.view ??= this.harness.viewOf(component.proposal))
    for (const member of at) this.harness.installAt(member, view)
    component.uninstalled = component.uninstalled.filter((member) => !at.includes(member))
  }

  /** Some messages, here and there. */
  #deliver(seed: number): void {
    for (let i = 0; i <= seed % 23; i++) {
      const receivers = [...this.harness.members.keys()].filter((id) => this.harness.sendersWaiting(id).length > 0)
      const receiver = receivers[(seed + i * 31) % (receivers.length || 1)]
      if (!receiver) return
      const senders = this.harness.sendersWaiting(receiver)
      this.harness.deliverNext(receiver, senders[(seed >> 3) % senders.length]!)
    }
  }
}

/** One secret in each view, the same at all its members that got that far, and never the same in two views. */
function expectAgreement(harness: Harness): void {
  expect(harness.faults).toEqual([])
  const byView = new Map<object, { secret: string; transcript: string }>()
  for (const { view, secret, transcript } of harness.secrets) {
    const known = byView.get(view)
    if (known) expect({ secret, transcript }).toEqual(known)
    else byView.set(view, { secret, transcript })
  }
  expect(new Set([...byView.values()].map(({ secret }) => secret)).size).toBe(byView.size)
}

type Schedule = { readonly population: number; readonly happenings: readonly Happening[] }

function runSchedule(group: PrimeOrderGroup, { population, happenings }: Schedule): void {
  const world = new World(group)
  for (let i = 0; i < population; i++) world.happen({ what: "start", choice: 0, other: 0 })
  world.calm()
  for (const next of happenings) world.happen(next)
  world.calm()
  const everybody = world.calm()
  expectAgreement(world.harness)
  for (const member of everybody) expect(world.harness.member(member).secret).not.toBeNull()
}

function scheduleOf(lengthMax: number): fc.Arbitrary<Schedule> {
  return fc.record({
    population: fc.integer({ min: 1, max: 12 }),
    happenings: fc.array(happening, { minLength: 5, maxLength: lengthMax, size: "max" }),
  })
}

test("whatever comes, goes, splits, heals or reloads at whatever moment, a view has one secret and no two views have the same", () => {
  fc.assert(
    fc.property(scheduleOf(80), (schedule) => runSchedule(createToyGroup(), schedule)),
    { numRuns: 250 },
  )
})

test("the same over ristretto255", async () => {
  const group = await loadSodiumGroup()
  fc.assert(
    fc.property(scheduleOf(40), (schedule) => runSchedule(group, schedule)),
    { numRuns: 15 },
  )
})

/** A view change, given as who is there before and after. */
const CHANGES: readonly {
  readonly name: string
  readonly before: string
  readonly after: string
  readonly reloads?: string
}[] = [
  { name: "a join", before: "abcde", after: "abcdef" },
  { name: "a leave", before: "abcdef", after: "abcef" },
  { name: "several leaves", before: "abcdefgh", after: "bceh" },
  { name: "several joins", before: "abc", after: "abcdefgh" },
  { name: "joins and leaves together", before: "abcdef", after: "acefgh" },
  { name: "the same members", before: "abcdef", after: "abcdef" },
  { name: "a reload", before: "abcdef", after: "abcdef", reloads: "c" },
  { name: "a reload of the lowest", before: "abcdef", after: "abcdefg", reloads: "a" },
]

for (const { name, before, after, reloads = "" } of CHANGES) {
  test(`${name}, interrupted by a further view after any number of deliveries, before or after its SYNCs`, () => {
    let deliveries = 0
    for (let interruptAfter = 0; interruptAfter <= deliveries; interruptAfter++) {
      for (const syncAfter of [0, Math.floor(interruptAfter / 2), interruptAfter]) {
        const harness = new Harness(createToyGroup(), { seed: `${name} ${interruptAfter} ${syncAfter}` })
        for (const member of new Set(before + after)) harness.start(member)
        harness.change([...before].map(memberNamed))
        for (const member of reloads) harness.start(member)
        const members = [...after].map(memberNamed)
        harness.install(harness.propose(members))
        deliverSome(harness, members, syncAfter)
        const next = harness.propose(members)
        deliveries = Math.max(deliveries, deliverSome(harness, members, interruptAfter - syncAfter) + syncAfter)
        harness.install(next)
        harness.settle(members)
        for (const member of members) expect(harness.member(member).secret?.view.proposal).toEqual(next.id)
        harness.change(members)
        expectAgreement(harness)
      }
    }
    expect(deliveries).toBeGreaterThan(0)
  })
}

/** Delivers up to `count` messages, to one member after the other; gives how many there were, one more if there were more. */
function deliverSome(harness: Harness, members: readonly MemberId[], count: number): number {
  for (let done = 0; ; done++) {
    const receiver = members.find((member) => harness.sendersWaiting(member).length > 0)
    if (!receiver) return done
    if (done === count) return done + 1
    harness.deliverNext(receiver, harness.sendersWaiting(receiver)[0]!)
  }
}
