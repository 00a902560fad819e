/**
 * Links with the properties of WebRTC data channels: reliable and FIFO while they last. When one breaks, messages in
 * transit are lost, and both ends learn of it at different times. Unreliable messages are lost and reordered.
 */
import type { EventQueue } from "../random/event-queue.ts"
import type { Random } from "../random/random.ts"

export type NetworkListener = {
  linkUp(peer: string): void
  linkDown(peer: string): void
  receive(from: string, message: unknown): void
}

type Direction = { lastArrivalMs: number; stalledUntilMs: number; clogged: (() => void)[] | null; lossy: boolean }
type Pair = { generation: number; up: boolean; readonly directions: Map<string, Direction> }

const UNRELIABLE_LOSS = 0.2
/** Share of the messages that are late, by up to a second. Long delays are rarer than short ones. */
const LATE = 0.02
const LATE_MS_MAX = 1000

export class Network {
  readonly #events: EventQueue
  readonly #random: Random
  readonly #listeners = new Map<string, NetworkListener>()
  readonly #pairs = new Map<string, Map<string, Pair>>()
  readonly #blocked = new Set<Pair>()
  /** Mean one-way delay in milliseconds. */
  readonly #delayMs: number
  #calm = false

  constructor(events: EventQueue, random: Random, delayMs = 5) {
    this.#delayMs = delayMs
    this.#events = events
    this.#random = random
  }

  attach(name: string, listener: NetworkListener): void {
    this.#breakAll(name)
    this.#listeners.set(name, listener)
    for (const other of this.#listeners.keys()) if (other !== name) this.#connectSoon(name, other)
  }

  /** The member is gone, unless a later incarnation has started. Its peers see their links break. */
  detach(name: string, listener: NetworkListener | null): void {
    if (this.#listeners.get(name) !== listener) return
    this.#breakAll(name)
    this.#listeners.delete(name)
  }

  #breakAll(name: string): void {
    for (const other of this.#listeners.keys()) if (other !== name) this.#break(name, other)
  }

  send(from: string, to: string, message: unknown): void {
    const pair = this.#pair(from, to)
    const direction = pair.directions.get(to)
    if (!pair.up || !direction || direction.lossy) return
    const { generation } = pair
    const arrive = (): void => {
      if (pair.generation === generation) this.#listeners.get(to)?.receive(from, message)
    }
    if (direction.clogged) return void direction.clogged.push(arrive)
    const { nowMs } = this.#events
    direction.lastArrivalMs = Math.max(nowMs + this.#delay(), direction.lastArrivalMs, direction.stalledUntilMs)
    this.#events.after(direction.lastArrivalMs - nowMs, arrive)
  }

  sendUnreliable(from: string, to: string, message: unknown): void {
    const pair = this.#pair(from, to)
    const direction = pair.directions.get(to)
    if (!pair.up || !direction || direction.lossy || direction.clogged || this.#random.chance(UNRELIABLE_LOSS)) return
    const { generation } = pair
    this.#events.after(this.#delay(), () => {
      if (pair.generation === generation) this.#listeners.get(to)?.receive(from, message)
    })
  }

  /** Messages from `from` to `to` are delayed for that long, and arrive in order. */
  stall(from: string, to: string, forMs: number): void {
    const direction = this.#pair(from, to).directions.get(to)
    if (direction) direction.stalledUntilMs = this.#events.nowMs + forMs
  }

  /**
   * Messages from `from` to `to` are lost for that long. Then the link breaks, as a reliable channel cannot continue.
   */
  cutOneWay(from: string, to: string, forMs: number): void {
    const pair = this.#pair(from, to)
    const direction = pair.directions.get(to)
    if (!direction) return
    direction.lossy = true
    const { generation } = pair
    this.#events.after(forMs, () => {
      if (pair.generation === generation) this.breakLink(from, to)
    })
  }

  clog(from: string, to: string): void {
    const direction = this.#pair(from, to).directions.get(to)
    if (direction) direction.clogged ??= []
  }

  isClogged(from: string, to: string): boolean {
    return (this.#pair(from, to).directions.get(to)?.clogged ?? null) !== null
  }

  unclog(from: string, to: string): void {
    const direction = this.#pair(from, to).directions.get(to)
    const waiting = direction?.clogged
    if (!direction || !waiting) return
    direction.clogged = null
    direction.lastArrivalMs = Math.max(direction.lastArrivalMs, this.#events.nowMs + this.#delay())
    for (const arrive of waiting) this.#events.after(direction.lastArrivalMs - this.#events.nowMs, arrive)
  }

  /** Breaks the link, which is then made again unless the pair is blocked. */
  breakLink(a: string, b: string): void {
    this.#break(a, b)
    this.#connectSoon(a, b)
  }

  /** Only members of the same group can reach one another. Without groups, all can. */
  partition(groups: readonly (readonly string[])[] | null): void {
    this.#blocked.clear()
    const names = [...this.#listeners.keys()]
    const groupOf = (name: string): number => groups?.findIndex((group) => group.includes(name)) ?? 0
    for (const [i, a] of names.entries()) {
      for (const b of names.slice(i + 1)) {
        if (groupOf(a) === groupOf(b)) this.#connectSoon(a, b)
        else {
          this.#blocked.add(this.#pair(a, b))
          this.#break(a, b)
        }
      }
    }
  }

  /** From now on all links work, without any delay. */
  calm(): void {
    this.#calm = true
    this.partition(null)
    for (const [a, others] of this.#pairs) {
      for (const [b, pair] of others) {
        for (const [to, direction] of pair.directions) {
          direction.stalledUntilMs = 0
          this.unclog(to === a ? b : a, to)
        }
        if ([...pair.directions.values()].some(({ lossy }) => lossy)) this.breakLink(a, b)
      }
    }
  }

  #delay(): number {
    const base = this.#delayMs * (0.3 + 1.4 * this.#random.next())
    return !this.#calm && this.#random.chance(LATE)
      ? base + Math.min(LATE_MS_MAX, 4 / (this.#random.next() + 0.001))
      : base
  }

  #break(a: string, b: string): void {
    const pair = this.#pair(a, b)
    if (!pair.up) return
    pair.up = false
    const generation = ++pair.generation
    for (const [self, peer] of [
      [a, b],
      [b, a],
    ] as const) {
      this.#events.after(this.#random.next() * 30, () => {
        if (pair.generation === generation) this.#listeners.get(self)?.linkDown(peer)
      })
    }
  }

  #connectSoon(a: string, b: string): void {
    if (!this.#pair(a, b).up) this.#events.after(40 + this.#random.next() * 60, () => this.#connect(a, b))
  }

  #connect(a: string, b: string): void {
    const present = this.#listeners.has(a) && this.#listeners.has(b)
    const pair = this.#pair(a, b)
    if (!present || pair.up || this.#blocked.has(pair)) return
    pair.up = true
    const generation = ++pair.generation
    for (const [self, peer] of [
      [a, b],
      [b, a],
    ] as const) {
      const upMs = this.#random.next() * 20
      const lastArrivalMs = this.#events.nowMs + upMs
      pair.directions.set(self, { lastArrivalMs, stalledUntilMs: 0, clogged: null, lossy: false })
      this.#events.after(upMs, () => {
        if (pair.generation === generation) this.#listeners.get(self)?.linkUp(peer)
      })
    }
  }

  #pair(a: string, b: string): Pair {
    const [low, high] = a < b ? [a, b] : [b, a]
    let others = this.#pairs.get(low)
    if (!others) this.#pairs.set(low, (others = new Map()))
    let pair = others.get(high)
    if (!pair) others.set(high, (pair = { generation: 0, up: false, directions: new Map() }))
    return pair
  }
}
