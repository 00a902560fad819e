/**
 * Random schedules: every event of a conference's members, at any moment. No module may end with two secrets in a view,
 * one secret in two views, or a member at fault. After the last event all members get a key.
 */
import * as fc from "fast-check"
import { expect } from "vitest"
import type { KeyAgreement, KeyAgreementName, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { Harness, type Proposal } from "../harness.ts"

export const MEMBERS_AT_MOST = 40

/** The possible next events; the numbers choose among those enabled then. */
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

/** A module, or what makes the agreement of each member. */
export type Scheduled = KeyAgreementName | ((self: MemberId) => KeyAgreement)

/** Components of a network, each with the proposal that waits to be installed there. */
type Component = { members: MemberId[]; proposal: Proposal | null; uninstalled: MemberId[] }

class World {
  readonly harness: Harness
  components: Component[] = []
  #started = 0

  constructor(group: PrimeOrderGroup, module: Scheduled) {
    this.harness = new Harness(group, typeof module === "string" ? { module } : { create: module })
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
        component.uninstalled.filter((_, i) => isChosen(other, i)),
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
    const away = component.members.filter((_, i) => isChosen(mask, i))
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

/** `mask` has 16 random bits. */
function isChosen(mask: number, index: number): boolean {
  return ((mask >> (index % 16)) & 1) === 1
}

/** One secret in each view, the same at all its members that got that far, and never the same in two views. */
export function expectAgreement(harness: Harness): void {
  expect(harness.faults).toEqual([])
  const byView = new Map<object, { secret: string; transcript: string }>()
  for (const { view, secret, transcript } of harness.secrets) {
    const known = byView.get(view)
    if (known) expect({ secret, transcript }).toEqual(known)
    else byView.set(view, { secret, transcript })
  }
  expect(new Set([...byView.values()].map(({ secret }) => secret)).size).toBe(byView.size)
}

export type Schedule = { readonly population: number; readonly happenings: readonly Happening[] }

/** Mostly few members, to whom a lot happens; now and then many, to whom less does. */
export const anySchedule: fc.Arbitrary<Schedule> = fc.oneof(
  { weight: 40, arbitrary: scheduleOf({ min: 1, max: 8 }, 60) },
  { weight: 4, arbitrary: scheduleOf({ min: 9, max: 16 }, 40) },
  { weight: 1, arbitrary: scheduleOf({ min: 17, max: MEMBERS_AT_MOST }, 15) },
)

/** For a group whose arithmetic costs ten times as much. */
export const shortSchedule: fc.Arbitrary<Schedule> = scheduleOf({ min: 1, max: 8 }, 30)

function scheduleOf(population: { min: number; max: number }, lengthMax: number): fc.Arbitrary<Schedule> {
  return fc.record({
    population: fc.integer(population),
    happenings: fc.array(happening, { minLength: 5, maxLength: lengthMax, size: "max" }),
  })
}

export function runSchedule(group: PrimeOrderGroup, module: Scheduled, { population, happenings }: Schedule): void {
  const world = new World(group, module)
  for (let i = 0; i < population; i++) world.happen({ what: "start", choice: 0, other: 0 })
  world.calm()
  for (const next of happenings) world.happen(next)
  world.calm()
  const everybody = world.calm()
  expectAgreement(world.harness)
  for (const member of everybody) expect(world.harness.member(member).secret).not.toBeNull()
}
