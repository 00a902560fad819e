/** One life of a simulated member: its ticks, links, sleep and end, whatever drives its group. */
import type { GroupCore } from "../../group/core.ts"
import type { MemberId } from "../../members/ids.ts"
import type { AnyEvent } from "../../trace/trace-sink.ts"
import type { GroupConfig } from "../../view/group-types.ts"
import type { TraceEvent } from "../oracle/trace.ts"
import type { Random } from "../random/random.ts"
import { type LinkEvents, type MemberLinks, MeshLinks, type Names, type WireMessage } from "./member-links.ts"
import { MemberTrace } from "./member-trace.ts"
import { SimulatedOverlayLinks } from "./simulated-overlay-links.ts"
import { OverlayNetwork } from "./overlay-network.ts"
import type { World } from "./world.ts"

/** Time that the goodbye of a properly closed page may be in transit. */
const GOODBYE_MS = 30

/** @template M messages over a mesh. Those over an overlay are `WireMessage`s. */
export abstract class MemberLife<M = WireMessage> {
  readonly name: string
  readonly id: MemberId
  readonly random: Random
  alive = true
  abstract readonly group: GroupCore
  readonly story: MemberTrace
  protected readonly world: World
  #highestEpoch: number
  #links: MemberLinks<M | WireMessage> | null = null
  #sleeps = 0
  #sleeping: (() => void)[] | null = null

  constructor(world: World, name: string, id: MemberId, { epochFloor }: GroupConfig) {
    this.world = world
    this.name = name
    this.id = id
    this.random = world.random
    this.#highestEpoch = epochFloor
    this.story = new MemberTrace(name, world)
  }

  protected abstract onTick(): void
  protected abstract onLinkUp(peer: MemberId, incarnation: number, distant: boolean): void
  protected abstract onLinkDown(peer: MemberId): void
  protected abstract onMessage(from: MemberId, message: M | WireMessage): void
  protected abstract sayGoodbye(): void
  /** Whether it has sent everything and waits for nothing. */
  protected abstract get isIdle(): boolean

  // Faults

  /** Asks for a view of the same members. */
  abstract refresh(): void
  /** Proposes a view of exactly these members. */
  abstract propose(members: readonly MemberId[]): void

  /** Simulates a background tab: nothing happens, and incoming messages wait. */
  sleep(forMs: number): void {
    const own = ++this.#sleeps
    this.#sleeping ??= []
    this.after(forMs, () => {
      if (this.#sleeps === own) this.wake()
    })
  }

  wake(): void {
    const waiting = this.#sleeping ?? []
    this.#sleeping = null
    for (const receive of waiting) receive()
  }

  /** Simulates a page that is closed properly. */
  leave(): void {
    if (!this.alive) return
    this.story.leave(this.group.maySend)
    this.sayGoodbye()
    this.#end(GOODBYE_MS)
  }

  /** Returns the durable part of its state: epochs up to this one are never used again. */
  crash(): number {
    if (this.alive) this.#end(0)
    return this.#highestEpoch
  }

  /** Neither this epoch nor one before it is used again. */
  used(epoch: number): void {
    this.#highestEpoch = Math.max(this.#highestEpoch, epoch)
  }

  #end(linksForMs: number): void {
    this.alive = false
    this.trace({ t: this.now(), e: "crash", p: this.name })
    this.world.events.after(linksForMs, () => {
      this.#links?.stop()
      this.#links = null
    })
  }

  // Time and links

  /** Takes the others' incarnations, which in reality their associations prove. */
  start(incarnationOf: (name: string) => number): void {
    this.#links = this.#join({ nameOf: (id) => this.nameOf(id), idOf: (name) => this.idOf(name), incarnationOf })
    this.#links.start()
    const tick = (): void => {
      if (!this.alive) return
      if (!this.#sleeping) this.onTick()
      this.after(this.world.tickMs * (0.7 + 0.6 * this.random.next()), tick)
    }
    tick()
  }

  #join(names: Names): MemberLinks<M | WireMessage> {
    const { network } = this.world
    const events: LinkEvents<M | WireMessage> = {
      linkUp: (peer, incarnation, distant) => this.onLinkUp(peer, incarnation, distant),
      linkDown: (peer) => this.onLinkDown(peer),
      receive: (from, message) => this.receive(from, message),
    }
    if (!(network instanceof OverlayNetwork)) return new MeshLinks(network, this.name, names, events)
    return new SimulatedOverlayLinks({
      network,
      self: { id: this.id, incarnation: names.incarnationOf(this.name) },
      names,
      events,
      random: () => this.random.next(),
      now: () => this.now(),
      after: (delayMs, run) => this.after(delayMs, run),
      whenAwake: (run) => (this.#sleeping ? void this.#sleeping.push(run) : this.alive && run()),
    }) as MemberLinks<M | WireMessage>
  }

  /** To others, and to itself after a moment. */
  protected transmit(to: readonly MemberId[], message: M | WireMessage, unreliable = false): void {
    const others = to.filter((peer) => peer !== this.id)
    if (others.length > 0) this.#links?.transmit(others, message, unreliable)
    if (others.length < to.length) this.after(0.01, () => this.receive(this.id, message))
  }

  protected receive(from: MemberId, message: M | WireMessage): void {
    if (this.#sleeping) return void this.#sleeping.push(() => this.receive(from, message))
    this.onMessage(from, message)
  }

  now(): number {
    return this.world.events.nowMs
  }

  after(delayMs: number, run: () => void): void {
    this.world.events.after(delayMs, () => {
      if (this.alive) run()
    })
  }

  // Records

  /** True if it has delivered all messages sent in its view, and has none to send. */
  isSettledIn(names: ReadonlySet<string>): boolean {
    const { id, members } = this.group.view
    const isWhole = members.length === names.size && members.every((member) => names.has(this.nameOf(member.id)))
    const whole = isWhole && this.group.maySend && this.isIdle
    return whole && this.story.delivered === (this.world.sent.get(id) ?? 0)
  }

  /** All members that may appear, sorted. */
  get roster(): readonly MemberId[] {
    return [...this.world.ids.values()].sort()
  }

  trace(event: TraceEvent): void {
    this.world.trace.push(event)
  }

  /** Passes a trace event to the sink of the simulation. */
  report(event: AnyEvent): void {
    this.world.sink?.record(this.now(), this.id, event)
  }

  protected nameOf(id: MemberId): string {
    return this.world.names.of(id)
  }

  protected idOf(name: string): MemberId {
    const id = this.world.ids.get(name)
    if (id === undefined) throw new Error(`nobody is called ${name}`)
    return id
  }
}
