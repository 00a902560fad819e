import { useSyncExternalStore } from "react"
import { calmly } from "./calmly.ts"

/** An observable value for components. */
export type Readable<T> = {
  readonly get: () => T
  readonly subscribe: (listener: () => void) => () => void
}
export type Store<T> = Readable<T> & { readonly set: (next: T) => void }

export function store<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The same value, throttled by `calmly`: for values that others change at any rate and a component draws. */
export function calmed<T>(source: Readable<T>, restMs: number): Readable<T> {
  const shown = store(source.get())
  source.subscribe(calmly(() => shown.set(source.get()), restMs).request)
  return shown
}

export function useStore<T>(source: Readable<T>): T {
  // The last is for tests, which render without a page.
  return useSyncExternalStore(source.subscribe, source.get, source.get)
}
