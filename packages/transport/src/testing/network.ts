/**
 * Links as WebRTC data channels are: reliable and FIFO while they last; what is on its way when one breaks is lost,
 * and both ends learn of it, each in its own time.
 */
import type { EventQueue } from "./event-queue.ts"
import type { Random } from "./random.ts"

export type NetworkListener = {
  linkUp(peer: string): void
  linkDown(peer: string): void
  receive(from: string, message: unknown): void
}

type Direction = { lastArrivalMs: number; stalledUntilMs: number }
type Pair = { generation: number; up: boolean; readonly directions: Map<string, Direction> }

export class Network {
  readonly #events: EventQueue
  readonly #random: Random
  readonly #listeners = new Map<string, NetworkListener>()
  readonly #pairs = new Map<string, Pair>()
  readonly #blocked = new Set<string>()
  /** Mean one-way delay in milliseconds. */
  delayMs = 5

  constructor(events: EventQueue, random: Random) {
    this.#events = events
    this.#random = random
  }

  attach(name: string, listener: NetworkListener): void {
    this.#listeners.set(name, listener)
    for (const other of this.#listeners.keys()) if (other !== name) this.#connectSoon(name, other)
  }

  /** The member is gone: its peers see their links break. */
  detach(name: string): void {
    for (const other of this.#listeners.keys()) if (other !== name) this.#break(name, other)
    this.#listeners.delete(name)
  }

  send(from: string, to: string, message: unknown): void {
    const pair = this.#pairs.get(key(from, to))
    if (!pair?.up) return
    const direction = pair.directions.get(to)!
    const spike = this.#random.chance(0.03) ? this.#random.next() * 80 : 0
    const delayMs = this.delayMs * (0.3 + 1.4 * this.#random.next()) + spike
    const arrivalMs = Math.max(this.#events.nowMs + delayMs, direction.lastArrivalMs, direction.stalledUntilMs)
    direction.lastArrivalMs = arrivalMs
    const { generation } = pair
    this.#events.after(arrivalMs - this.#events.nowMs, () => {
      if (pair.generation === generation) this.#listeners.get(to)?.receive(from, message)
    })
  }

  /** Nothing from `from` reaches `to` for that long; it comes late, in order. */
  stall(from: string, to: string, forMs: number): void {
    const direction = this.#pairs.get(key(from, to))?.directions.get(to)
    if (direction) direction.stalledUntilMs = this.#events.nowMs + forMs
  }

  /** Breaks the link, which is then made again unless the pair is blocked. */
  breakLink(a: string, b: string): void {
    this.#break(a, b)
    this.#connectSoon(a, b)
  }

  /** Only members of the same group can reach one another; no groups: everybody can. */
  partition(groups: readonly (readonly string[])[] | null): void {
    this.#blocked.clear()
    const names = [...this.#listeners.keys()]
    const groupOf = (name: string): number => groups?.findIndex((group) => group.includes(name)) ?? 0
    for (const a of names) {
      for (const b of names) {
        if (a >= b) continue
        if (groupOf(a) === groupOf(b)) this.#connectSoon(a, b)
        else {
          this.#blocked.add(key(a, b))
          this.#break(a, b)
        }
      }
    }
  }

  #break(a: string, b: string): void {
    const pair = this.#pairs.get(key(a, b))
    if (!pair?.up) return
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
    this.#events.after(40 + this.#random.next() * 60, () => this.#connect(a, b))
  }

  #connect(a: string, b: string): void {
    const present = this.#listeners.has(a) && this.#listeners.has(b)
    const pair = this.#pairs.get(key(a, b)) ?? { generation: 0, up: false, directions: new Map() }
    if (!present || pair.up || this.#blocked.has(key(a, b))) return
    this.#pairs.set(key(a, b), pair)
    pair.up = true
    const generation = ++pair.generation
    for (const [self, peer] of [
      [a, b],
      [b, a],
    ] as const) {
      const upMs = this.#random.next() * 20
      pair.directions.set(self, { lastArrivalMs: this.#events.nowMs + upMs, stalledUntilMs: 0 })
      this.#events.after(upMs, () => {
        if (pair.generation === generation) this.#listeners.get(self)?.linkUp(peer)
      })
    }
  }
}

function key(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
