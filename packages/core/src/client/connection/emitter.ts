import type { ListenOptions, Unsubscribe } from "../../api/index.ts"

/** Typed event emitter. A listener that throws is reported as an uncaught error. The other listeners still run. */
export class Emitter<Events extends { [E in keyof Events]: (...args: never[]) => void }> {
  readonly #listeners = new Map<keyof Events, Set<Events[keyof Events]>>()

  on<E extends keyof Events>(event: E, listener: Events[E], { signal }: ListenOptions = {}): Unsubscribe {
    if (signal?.aborted) return () => undefined
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners)
    // Subscribing the same function twice makes two subscriptions.
    const entry = ((...args: never[]) => listener(...args)) as Events[E]
    listeners.add(entry)
    const off = (): void => {
      listeners.delete(entry)
      signal?.removeEventListener("abort", off)
    }
    signal?.addEventListener("abort", off, { once: true })
    return off
  }

  emit<E extends keyof Events>(event: E, ...args: Parameters<Events[E]>): void {
    this.emitAll(event, [args])
  }

  /**
   * Emits several events to the listeners of now. A listener that is added meanwhile already got these events from the
   * state that it reads at subscription.
   */
  emitAll<E extends keyof Events>(event: E, all: readonly Parameters<Events[E]>[]): void {
    const listeners = this.#listeners.get(event) ?? new Set()
    const current = [...listeners]
    for (const args of all) {
      for (const listener of current) if (listeners.has(listener)) callSafely(() => listener(...args))
    }
  }
}

export function callSafely(call: () => void): void {
  try {
    call()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
