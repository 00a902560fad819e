/** A whole conference in virtual time, through one membership event after another. */
import type { Kem, KeyAgreementName, PrimeOrderGroup } from "@keymoot/gke"
import type { MemberId, View } from "@keymoot/transport"
import { EventQueue, Random } from "@keymoot/transport/testing"
import type { Ed25519Times } from "../experiment/machine.ts"
import type { DelayMs } from "../experiment/networks.ts"
import { Member, type Message, type OrderedService, type World } from "./member.ts"
import { Processor } from "./processor.ts"

/** Limit of virtual time, after which the run fails. */
const PATIENCE_MS = 120_000
const LOOK_MS = 2
/** Between two events: acknowledgements and heartbeats of the last one are through, and clocks stand anywhere. */
const REST_MS = { least: 120, spread: 100 }

/** From the event, in virtual milliseconds, to the last member that it concerns. */
export type Rekey = { readonly viewMs: number; readonly keyMs: number }

export class SimulatedConference {
  readonly #events = new EventQueue()
  readonly #random = new Random(1)
  readonly #world: World
  /** Another network from here on. */
  delayMs: DelayMs = () => 0
  /** How many processors all members share from here on; null if each has its own. */
  processors: number | null = null
  readonly #shared = new Map<number, Processor>()
  readonly #members = new Map<MemberId, Member>()
  /** Members on different sides of the cut cannot reach each other. */
  #cut: ReadonlySet<Member> = new Set()
  /** Places of members that have left. The next member takes one, so the sites stay as they are. */
  readonly #freePlaces: number[] = []
  #started = 0
  /** When each member last came to a view, and to a key, and in which. */
  readonly #views = new Map<Member, { readonly atMs: number; readonly view: View }>()
  readonly #keys = new Map<Member, { readonly atMs: number; readonly view: View }>()
  /** Number of deliveries of the last messages at each member, and the time of its latest. */
  readonly #deliveries = new Map<Member, { readonly atMs: number; readonly count: number }>()

  /** `kem`: of a hybrid conference. */
  constructor(module: KeyAgreementName, group: PrimeOrderGroup, signature: Ed25519Times, kem: Kem | null = null) {
    this.#world = {
      module,
      group,
      kem,
      signature,
      events: this.#events,
      random: (length) => this.#random.bytes(length),
      processorOf: ({ place }, own) => (this.processors === null ? own : this.#sharedBy(place % this.processors)),
      transmit: (from, to, sentMs, message) => this.#transmit(from, to, sentMs, message),
      onView: (member, view, atMs) => void this.#views.set(member, { atMs, view }),
      onKey: (member, view, atMs) => void this.#keys.set(member, { atMs, view }),
      onDelivery: (member, atMs) => {
        const count = (this.#deliveries.get(member)?.count ?? 0) + 1
        this.#deliveries.set(member, { atMs, count })
      },
    }
  }

  get members(): readonly Member[] {
    return [...this.#members.values()]
  }

  /** So many newcomers, whose links to everybody are up at once. */
  join(count: number): Rekey {
    return this.#event(() => {
      for (let i = 0; i < count; i++) {
        const newcomer = new Member(this.#world, this.#started++, this.#freePlaces.pop() ?? this.#members.size)
        const { members } = this
        // Before the links, which carry heartbeats as they come up. A lost one delays a join by their interval.
        // A newcomer also proposes without members that it has not heard, since it takes them for lost.
        this.#members.set(newcomer.id, newcomer)
        for (const member of members) this.#link(member, newcomer)
      }
    })
  }

  /** One of them says goodbye. */
  leave(leaver: Member): Rekey {
    return this.#event(() => {
      leaver.input({ type: "leave" })
      leaver.alive = false
      this.#members.delete(leaver.id)
      this.#freePlaces.push(leaver.place)
    })
  }

  /** Those for which `isCutOff` is true are cut off from the others, else every second one. Both parts get a key of their own. */
  partition(isCutOff: (member: Member, index: number) => boolean = (_, i) => i % 2 === 1): Rekey {
    return this.#event(() => {
      this.#cut = new Set(this.members.filter(isCutOff))
      for (const [a, b] of this.#separated()) {
        a.input({ type: "linkDown", peer: b.id })
        b.input({ type: "linkDown", peer: a.id })
      }
    })
  }

  /** Nothing happens for so long. */
  pass(ms: number): void {
    this.#events.runUntil(this.#events.nowMs + ms)
  }

  /** The cut heals. */
  merge(): Rekey {
    return this.#event(() => {
      const pairs = this.#separated()
      this.#cut = new Set()
      for (const [a, b] of pairs) this.#link(a, b)
    })
  }

  /**
   * Each of them says something at the same time: virtual milliseconds until the last member has delivered all of it.
   */
  say(senders: readonly Member[], bytes: number, service: OrderedService): number {
    // On a busy machine somebody can have been taken for gone for a moment.
    while (senders.some(({ isFlushed }) => isFlushed)) this.#rest()
    const { nowMs } = this.#events
    this.#deliveries.clear()
    for (const sender of senders) sender.say(bytes, service)
    const isEverywhere = (): boolean =>
      this.members.every((member) => this.#deliveries.get(member)?.count === senders.length)
    while (!isEverywhere()) {
      if (this.#events.nowMs - nowMs > PATIENCE_MS) throw new Error("what was said has not come to everybody")
      this.#events.runUntil(this.#events.nowMs + LOOK_MS)
    }
    this.#rest()
    return Math.max(...[...this.#deliveries.values()].map(({ atMs }) => atMs)) - nowMs
  }

  #event(begin: () => void): Rekey {
    const { nowMs } = this.#events
    this.#views.clear()
    this.#keys.clear()
    begin()
    while (!this.members.every((member) => this.#isKeyed(member))) {
      if (this.#events.nowMs - nowMs > PATIENCE_MS) throw new Error("the members have not come to a key")
      this.#events.runUntil(this.#events.nowMs + LOOK_MS)
    }
    const last = (stamps: ReadonlyMap<Member, { readonly atMs: number }>): number =>
      Math.max(...this.members.map((member) => stamps.get(member)!.atMs)) - nowMs
    const rekey = { viewMs: last(this.#views), keyMs: last(this.#keys) }
    // The slowest member's remaining work passes first, so that all are idle at the next event.
    this.#rest(nowMs + rekey.keyMs)
    return rekey
  }

  #sharedBy(number: number): Processor {
    const processor = this.#shared.get(number) ?? new Processor()
    this.#shared.set(number, processor)
    return processor
  }

  #rest(fromMs = this.#events.nowMs): void {
    this.#events.runUntil(Math.max(this.#events.nowMs, fromMs) + REST_MS.least + this.#random.next() * REST_MS.spread)
  }

  #isKeyed(member: Member): boolean {
    const side = this.#cut.size
    const expected = side === 0 ? this.#members.size : this.#cut.has(member) ? side : this.#members.size - side
    const { view } = this.#keys.get(member) ?? {}
    // If the machine stalls, a member can be suspected for a moment: then another view has followed the keyed
    // one.
    return view?.members.length === expected && view.id === this.#views.get(member)?.view.id
  }

  #separated(): readonly (readonly [Member, Member])[] {
    const here = this.members.filter((member) => !this.#cut.has(member))
    return [...this.#cut].flatMap((there) => here.map((member) => [there, member] as const))
  }

  #link(a: Member, b: Member): void {
    a.input({ type: "linkUp", peer: b.id, incarnation: 1 })
    b.input({ type: "linkUp", peer: a.id, incarnation: 1 })
  }

  /** Messages under way are lost when a link breaks. */
  #transmit(from: Member, to: MemberId, sentMs: number, message: Message): void {
    const receiver = this.#members.get(to)
    if (!receiver) return
    const delayMs = receiver === from ? 0 : this.delayMs(from.place, receiver.place)
    this.#events.after(Math.max(0, sentMs + delayMs - this.#events.nowMs), () => {
      if (this.#cut.has(from) === this.#cut.has(receiver)) receiver.receive(from.id, message)
    })
  }
}
