import { REPLAY_WINDOW_FRAMES } from "./bounds.ts"

/** Which sequence numbers of an unordered lane have come, as RFC 6479 does it: a ring of bits behind the highest. */
export class ReplayWindow {
  readonly #seen = new Uint8Array(REPLAY_WINDOW_FRAMES)
  #highest = -1

  /** False for what has come before, and for what is so old that nobody can tell. */
  isNew(sequence: number): boolean {
    if (sequence > this.#highest) return true
    return sequence > this.#highest - REPLAY_WINDOW_FRAMES && this.#seen[sequence % REPLAY_WINDOW_FRAMES] === 0
  }

  /** Call only for a frame that has proved to be genuine. */
  take(sequence: number): void {
    if (sequence > this.#highest) {
      const passed = Math.min(sequence - this.#highest - 1, REPLAY_WINDOW_FRAMES)
      for (let skipped = sequence - passed; skipped < sequence; skipped++)
        this.#seen[skipped % REPLAY_WINDOW_FRAMES] = 0
      this.#highest = sequence
    }
    this.#seen[sequence % REPLAY_WINDOW_FRAMES] = 1
  }
}
