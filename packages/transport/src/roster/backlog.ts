/**
 * Bounds of unacknowledged bodies for one addressee, above all for absent ones. Beyond either the oldest are dropped.
 */
export const BACKLOG_BODIES_MAX = 512
export const BACKLOG_BYTES_MAX = 1024 * 1024

/** The bodies that one addressee has not acknowledged, numbered from 1 without gaps. */
export class Backlog {
  #bodies: Uint8Array[] = []
  #bytes = 0
  #base = 1
  #lost = false

  /** Number of the first stored body, or of the next one if none is stored. */
  get base(): number {
    return this.#base
  }

  /** Number of the next body. */
  get end(): number {
    return this.#base + this.#bodies.length
  }

  get isEmpty(): boolean {
    return this.#bodies.length === 0
  }

  /** Returns its number. */
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

  /** Bodies from `first` on, as many as fit, at least one. */
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

  /** Returns false for a number that was acknowledged before, or never sent. */
  acknowledge(upTo: number): boolean {
    if (upTo < this.#base || upTo >= this.end) return false
    while (this.#base <= upTo) this.#drop()
    return true
  }

  /** Whether a body was dropped since the last call. */
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
