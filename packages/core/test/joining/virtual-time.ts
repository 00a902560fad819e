import { vi } from "vitest"

/** Turns of the event loop without pending cryptography after which nothing but a timer can happen. */
const QUIET_TURNS = 12
const FAKED = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"] as const

/** Time that passes only while everybody waits. Computing takes none of it, however slow the machine is. */
export class VirtualTime {
  /** Operations of WebCrypto under way: these end on other threads. */
  #pending = 0
  readonly #restore: (() => void)[] = []

  constructor() {
    vi.useFakeTimers({ toFake: [...FAKED] })
    const subtle = crypto.subtle as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    for (const name of Object.getOwnPropertyNames(SubtleCrypto.prototype)) {
      if (name === "constructor" || typeof subtle[name] !== "function") continue
      const original = subtle[name].bind(crypto.subtle)
      const spy = vi.spyOn(subtle, name).mockImplementation((...args) => this.#count(original(...args)))
      this.#restore.push(() => spy.mockRestore())
    }
  }

  /** Lets time pass until the task has ended. Without a timer it waits for ever. */
  async passUntil<T>(task: Promise<T>): Promise<T> {
    let done = false
    const end = task.finally(() => (done = true))
    end.catch(() => undefined)
    for (;;) {
      await this.#settle()
      if (done) return end
      vi.advanceTimersToNextTimer()
    }
  }

  end(): void {
    for (const restore of this.#restore) restore()
    vi.useRealTimers()
  }

  async #count(operation: Promise<unknown>): Promise<unknown> {
    this.#pending += 1
    try {
      return await operation
    } finally {
      this.#pending -= 1
    }
  }

  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      await new Promise((done) => setImmediate(done))
      if (this.#pending > 0) quiet = -1
    }
  }
}
