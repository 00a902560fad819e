/** Interval of ticks while a layer waits for something, and after each input. */
export const TICK_MS = 50
/** The longest time without a tick. A deadline that no layer has named is met late by no more than this. */
export const REST_MS = 500

/**
 * Ticks on demand. Times are multiples of `TICK_MS`, as with a tick at each of them. The layers have no other clock than
 * the last tick, so one that was omitted comes before the next input, with its own time.
 */
export class Ticker {
  readonly #tick: (nowMs: number) => number
  #timer: ReturnType<typeof setTimeout> | undefined
  #atMs = Infinity
  #tickedMs = -Infinity
  #isStarted = false

  /** `tick` returns when the layers need the next one, if no input comes before. */
  constructor(tick: (nowMs: number) => number) {
    this.#tick = tick
  }

  start(): void {
    this.#isStarted = true
    this.rouse()
  }

  stop(): void {
    this.#isStarted = false
    this.#disarm()
  }

  /** Call it before each input. */
  rouse(): void {
    if (!this.#isStarted) return
    const lastMs = Math.floor(performance.now() / TICK_MS) * TICK_MS
    if (lastMs > this.#tickedMs) this.#run(lastMs)
    this.#arm(this.#tickedMs + TICK_MS)
  }

  #run(nowMs: number): void {
    this.#tickedMs = nowMs
    this.#disarm()
    const dueMs = Math.ceil(this.#tick(nowMs) / TICK_MS) * TICK_MS
    this.#arm(Math.max(nowMs + TICK_MS, Math.min(dueMs, nowMs + REST_MS)))
  }

  /** An earlier tick that is arranged already stays. */
  #arm(atMs: number): void {
    if (!this.#isStarted || atMs >= this.#atMs) return
    this.#disarm()
    this.#atMs = atMs
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        // A timer may be early, or late by several ticks.
        this.#run(Math.max(atMs, Math.floor(performance.now() / TICK_MS) * TICK_MS))
      },
      // Node warns of a negative one.
      Math.max(0, Math.ceil(atMs - performance.now())),
    )
  }

  #disarm(): void {
    this.#atMs = Infinity
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
