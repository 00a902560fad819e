/** The processor of one member or of several. Its computation is measured in real time and counted in virtual time. */
export class Processor {
  #freeAtMs = 0
  #beganMs = 0
  #startMs = 0
  #addedMs = 0

  /**
   * Runs `act` for something that has come at `arrivedMs`: it starts when what came before is done.
   *
   * @throws whatever `act` throws
   */
  run(arrivedMs: number, act: () => void): void {
    this.#beganMs = Math.max(arrivedMs, this.#freeAtMs)
    this.#addedMs = 0
    this.#startMs = performance.now()
    act()
    this.#freeAtMs = this.nowMs()
  }

  /** Inside of `run`: virtual time by now. */
  nowMs(): number {
    return this.#beganMs + this.#addedMs + (performance.now() - this.#startMs)
  }

  /** Work that is not done here, but would be done there. */
  add(milliseconds: number): void {
    this.#addedMs += milliseconds
  }
}
