/**
 * A bus that reaches every member on the same side of a partition, and links between members that both want one. Links
 * are reliable and FIFO while they last. Faults are partitions, broken links and crashes.
 */
import type { EventQueue } from "../random/event-queue.ts"
import type { Random } from "../random/random.ts"

export type OverlayListener = {
  /** Receives a message of the bus. */
  hear(from: string, message: unknown): void
  wants(peer: string): boolean
  linkUp(peer: string): void
  linkDown(peer: string): void
  receive(from: string, message: unknown): void
}

type Link = { up: boolean; broken: boolean; lastArrivalMs: Record<string, number> }

const BUS_MS = 30
/** Mean one-way delay of a link in milliseconds. */
const DELAY_MS = 5

export class OverlayNetwork {
  readonly #events: EventQueue
  readonly #random: Random
  readonly #listeners = new Map<string, OverlayListener>()
  readonly #links = new Map<string, Map<string, Link>>()
  #sides: ReadonlyMap<string, number> | null = null

  constructor(events: EventQueue, random: Random) {
    this.#events = events
    this.#random = random
  }

  attach(name: string, listener: OverlayListener): void {
    this.#breakAll(name)
    this.#listeners.set(name, listener)
  }

  /** The member is gone, unless a later incarnation has started. Its peers see their links break. */
  detach(name: string, listener: OverlayListener): void {
    if (this.#listeners.get(name) !== listener) return
    this.#breakAll(name)
    this.#listeners.delete(name)
  }

  broadcast(from: string, message: unknown): void {
    this.#events.after(BUS_MS, () => {
      for (const [name, listener] of this.#listeners) if (this.#joined(from, name)) listener.hear(from, message)
    })
  }

  signal(from: string, to: string, message: unknown): void {
    this.#events.after(BUS_MS, () => {
      if (this.#joined(from, to)) this.#listeners.get(to)?.hear(from, message)
    })
  }

  /** Makes a link once both want it. */
  connect(a: string, b: string): void {
    if (this.#link(a, b) || !this.#listeners.get(b)?.wants(a) || !this.#joined(a, b)) return
    const link: Link = { up: false, broken: false, lastArrivalMs: {} }
    this.#put(a, b, link)
    this.#events.after(40 + this.#random.next() * 60, () => {
      if (link.broken) return
      link.up = true
      this.#listeners.get(a)?.linkUp(b)
      this.#listeners.get(b)?.linkUp(a)
    })
  }

  break(a: string, b: string): void {
    const link = this.#link(a, b)
    if (!link) return
    link.broken = true
    this.#links.get(a)?.delete(b)
    this.#links.get(b)?.delete(a)
    if (!link.up) return
    for (const [self, peer] of [
      [a, b],
      [b, a],
    ] as const) {
      const listener = this.#listeners.get(self)
      this.#events.after(this.#random.next() * 30, () => {
        if (this.#listeners.get(self) === listener && !this.#link(self, peer)?.up) listener?.linkDown(peer)
      })
    }
  }

  send(from: string, to: string, message: unknown): void {
    const link = this.#link(from, to)
    if (!link?.up) return
    const { nowMs } = this.#events
    const delayMs = DELAY_MS * (0.3 + 1.4 * this.#random.next())
    const arrivalMs = Math.max(nowMs + delayMs, link.lastArrivalMs[to] ?? 0)
    link.lastArrivalMs[to] = arrivalMs
    this.#events.after(arrivalMs - nowMs, () => {
      if (!link.broken) this.#listeners.get(to)?.receive(from, message)
    })
  }

  /** Only members of the same group can reach one another. Without groups, all can. */
  partition(groups: readonly (readonly string[])[] | null): void {
    this.#sides = groups && new Map(groups.flatMap((group, side) => group.map((name) => [name, side] as const)))
    for (const [a, links] of this.#links) {
      for (const b of links.keys()) if (!this.#joined(a, b)) this.break(a, b)
    }
  }

  #joined(a: string, b: string): boolean {
    return a !== b && (this.#sides === null || this.#sides.get(a) === this.#sides.get(b))
  }

  #breakAll(name: string): void {
    for (const peer of this.#links.get(name)?.keys() ?? []) this.break(name, peer)
  }

  #link(a: string, b: string): Link | undefined {
    return this.#links.get(a)?.get(b)
  }

  #put(a: string, b: string, link: Link): void {
    for (const [self, peer] of [
      [a, b],
      [b, a],
    ] as const) {
      const links = this.#links.get(self) ?? new Map<string, Link>()
      this.#links.set(self, links.set(peer, link))
    }
  }
}
