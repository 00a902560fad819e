/** Counts by key. A key at zero takes no memory. */
export class Tally {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** @param count may be negative */
  add(key: string, count: number): void {
    const sum = this.of(key) + count
    if (sum === 0) this.#counts.delete(key)
    else this.#counts.set(key, sum)
  }
}
