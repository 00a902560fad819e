import { REPLAY_WINDOW_FRAMES } from "../../bounds/network-bounds.ts"

/** The received sequence numbers of unordered frames, as in RFC 6479: a ring of bits behind the highest. */
export class ReplayWindow {
  readonly #seen = new Uint8Array(REPLAY_WINDOW_FRAMES)
  #highest = -1

  /** False for a number received before, and for one too old to be in the window. */
  isNew(sequence: number): boolean {
    if (sequence > this.#highest) return true
    return sequence > this.#highest - REPLAY_WINDOW_FRAMES && this.#seen[sequence % REPLAY_WINDOW_FRAMES] === 0
  }

  /** Call only for an authenticated frame. */
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
