/**
 * How far behind a sender's newest batch an older one is still accepted. Services overtake each other, so numbers do not come
 * in order; but a sender has at most this many unstable frames in a view, so no honest batch comes later than that.
 */
export const REPLAY_WINDOW_BATCHES = 8192

/** Which numbers of one sender have been accepted: each at most once, none further back than the window. 1 KiB at the most. */
export class ReplayWindow {
  #highest = -1
  #seen: Uint8Array | null = null

  isFresh(sequence: number): boolean {
    if (sequence > this.#highest) return true
    return sequence > this.#highest - REPLAY_WINDOW_BATCHES && !this.#has(sequence)
  }

  /** Only for a number whose batch has been authenticated, or a forger could make honest ones look like replays. */
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
