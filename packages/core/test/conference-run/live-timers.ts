const NAMES = ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] as const

/** Knows every timer of this process that was set since and has neither fired nor been cleared, `unref`ed ones included. */
export class LiveTimers {
  readonly #originals = Object.fromEntries(NAMES.map((name) => [name, globalThis[name]]))
  /** The place that set each timer. */
  readonly #live = new Map<unknown, string>()

  constructor() {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis
    const watch = (timer: unknown): void =>
      void this.#live.set(timer, new Error("set").stack!.split("\n").slice(3, 6).join("\n"))
    const setWatchedTimeout = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): unknown => {
      const timer = setTimeout(() => {
        this.#live.delete(timer)
        callback(...args)
      }, ms)
      watch(timer)
      return timer
    }
    const setWatchedInterval = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): unknown => {
      const timer = setInterval(callback, ms, ...args)
      watch(timer)
      return timer
    }
    const forget =
      (clear: (timer: never) => void) =>
      (timer: unknown): void => {
        this.#live.delete(timer)
        clear(timer as never)
      }
    Object.assign(globalThis, {
      setTimeout: setWatchedTimeout,
      setInterval: setWatchedInterval,
      clearTimeout: forget(clearTimeout),
      clearInterval: forget(clearInterval),
    })
  }

  /** The places where those that are left were set. */
  get live(): string[] {
    return [...this.#live.values()]
  }

  uninstall(): void {
    Object.assign(globalThis, this.#originals)
  }
}
