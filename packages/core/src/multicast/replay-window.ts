/**
 * Distance from a sender's newest batch within which an older one is accepted. Services overtake each other, so numbers
 * arrive out of order. A sender has at most this many unstable frames in a view, so no honest batch is later.
 */
export const REPLAY_WINDOW_BATCHES = 8192

/** Accepted numbers of one sender. Each is accepted at most once and within the window. It uses at most 1 KiB. */
export class ReplayWindow {
  #highest = -1
  #seen: Uint8Array | null = null

  get isUsed(): boolean {
    return this.#highest >= 0
  }

  isFresh(sequence: number): boolean {
    if (sequence > this.#highest) return true
    return sequence > this.#highest - REPLAY_WINDOW_BATCHES && !this.#has(sequence)
  }

  /** Only for a number whose batch is authenticated. Otherwise a forger could make honest ones look like replays. */
  accept(sequence: number): void {
    this.#seen ??= new Uint8Array(REPLAY_WINDOW_BATCHES / 8)
    if (sequence - this.#highest >= REPLAY_WINDOW_BATCHES) this.#seen.fill(0)
    else for (let passed = this.#highest + 1; passed < sequence; passed++) this.#put(passed, false)
    this.#put(sequence, true)
    this.#highest = Math.max(this.#highest, sequence)
  }

  #has(sequence: number): boolean {
    const at = sequence % REPLAY_WINDOW_BATCHES
    return this.#seen !== null && (this.#seen[at >> 3]! & (1 << (at & 7))) !== 0
  }

  #put(sequence: number, accepted: boolean): void {
    const at = sequence % REPLAY_WINDOW_BATCHES
    const bit = 1 << (at & 7)
    this.#seen![at >> 3] = accepted ? this.#seen![at >> 3]! | bit : this.#seen![at >> 3]! & ~bit
  }
}
