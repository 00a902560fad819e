/** Accepted numbers of one sender, as in RFC 6479. Each is accepted at most once and within the window. */
export class ReplayWindow {
  readonly #size: number
  #highest = -1
  #seen: Uint8Array | null = null

  /** @param size - distance from the highest number within which a lower one is accepted: a multiple of 8 */
  constructor(size: number) {
    this.#size = size
  }

  get isUsed(): boolean {
    return this.#highest >= 0
  }

  isFresh(sequence: number): boolean {
    if (sequence > this.#highest) return true
    return sequence > this.#highest - this.#size && !this.#has(sequence)
  }

  /** Only for a number that is authenticated. Otherwise a forger could make honest ones look like replays. */
  accept(sequence: number): void {
    this.#seen ??= new Uint8Array(this.#size / 8)
    if (sequence - this.#highest >= this.#size) this.#seen.fill(0)
    else for (let passed = this.#highest + 1; passed < sequence; passed++) this.#put(passed, false)
    this.#put(sequence, true)
    this.#highest = Math.max(this.#highest, sequence)
  }

  #has(sequence: number): boolean {
    const at = sequence % this.#size
    return this.#seen !== null && (this.#seen[at >> 3]! & (1 << (at & 7))) !== 0
  }

  #put(sequence: number, accepted: boolean): void {
    const at = sequence % this.#size
    const bit = 1 << (at & 7)
    this.#seen![at >> 3] = accepted ? this.#seen![at >> 3]! | bit : this.#seen![at >> 3]! & ~bit
  }
}
