/** Seeded pseudo-random numbers (mulberry32): the only source of chance in a simulation. Not for secrets. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** Uniform integer in [0, below). */
  integer(below: number): number {
    return Math.floor(this.next() * below)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.integer(items.length)]
    if (item === undefined) throw new RangeError("nothing to pick from")
    return item
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integer(256))
  }
}
