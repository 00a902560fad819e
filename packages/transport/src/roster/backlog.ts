/** Kept for one addressee that does not acknowledge, absent ones above all; beyond either the oldest are given up. */
export const BACKLOG_BODIES_MAX = 512
export const BACKLOG_BYTES_MAX = 1024 * 1024

/** What one addressee has not acknowledged, numbered from 1 without holes. */
export class Backlog {
  #bodies: Uint8Array[] = []
  #bytes = 0
  #base = 1
  #lost = false

  /** Number of the first that is kept; of the next one if none is. */
  get base(): number {
    return this.#base
  }

  /** Number of the next one. */
  get end(): number {
    return this.#base + this.#bodies.length
  }

  get isEmpty(): boolean {
    return this.#bodies.length === 0
  }

  /** Its number. */
  add(body: Uint8Array): number {
    const number = this.end
    this.#bodies.push(body)
    this.#bytes += body.length
    while (this.#bodies.length > BACKLOG_BODIES_MAX || this.#bytes > BACKLOG_BYTES_MAX) {
      this.#drop()
      this.#lost = true
    }
    return number
  }

  /** From `first` on, as many as fit, one at least. */
  from(first: number, bodiesMax: number, bytesMax: number): Uint8Array[] {
    const taken: Uint8Array[] = []
    let bytes = 0
    for (const body of this.#bodies.slice(first - this.#base)) {
      bytes += body.length
      if (taken.length > 0 && (taken.length === bodiesMax || bytes > bytesMax)) break
      taken.push(body)
    }
    return taken
  }

  /** False for what was acknowledged before, or was never sent. */
  acknowledge(upTo: number): boolean {
    if (upTo < this.#base || upTo >= this.end) return false
    while (this.#base <= upTo) this.#drop()
    return true
  }

  /** Whether something was given up since this was asked last. */
  takeLoss(): boolean {
    const lost = this.#lost
    this.#lost = false
    return lost
  }

  #drop(): void {
    this.#bytes -= this.#bodies.shift()!.length
    this.#base++
  }
}
