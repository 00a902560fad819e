import type { ListenOptions, Unsubscribe } from "../api.ts"

/** Typed listeners. One that throws is reported as an uncaught error and keeps nobody else from being told. */
export class Emitter<Events extends { [E in keyof Events]: (...args: never[]) => void }> {
  readonly #listeners = new Map<keyof Events, Set<Events[keyof Events]>>()

  on<E extends keyof Events>(event: E, listener: Events[E], { signal }: ListenOptions = {}): Unsubscribe {
    if (signal?.aborted) return () => undefined
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners)
    // The same function may be given twice; each subscription is its own.
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

  /** One after another, to whoever listens now: a listener that one of them adds has been told all of them otherwise. */
  emitAll<E extends keyof Events>(event: E, all: readonly Parameters<Events[E]>[]): void {
    const listeners = this.#listeners.get(event) ?? new Set()
    const told = [...listeners]
    for (const args of all) {
      for (const listener of told) if (listeners.has(listener)) callSafely(() => listener(...args))
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
