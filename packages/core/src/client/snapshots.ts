import type { Snapshots } from "../api/index.ts"
import { Emitter } from "./connection/emitter.ts"

/**
 * Lazy snapshots of a changing value. A snapshot is created on read and stays the same object until the next change.
 * Changes of one turn cause one notification, in a later microtask. So a history of thousands of messages costs one
 * snapshot and one notification.
 */
export class LazySnapshots<T> implements Snapshots<T> {
  readonly #make: () => T
  readonly #emitter = new Emitter<{ change: () => void }>()
  #made: { readonly snapshot: T } | null = null
  #notifying = false

  constructor(make: () => T) {
    this.#make = make
  }

  readonly getSnapshot: Snapshots<T>["getSnapshot"] = () => {
    this.#made ??= { snapshot: this.#make() }
    return this.#made.snapshot
  }

  readonly subscribe: Snapshots<T>["subscribe"] = (listener, options) => {
    return this.#emitter.on("change", listener, options)
  }

  changed(): void {
    this.#made = null
    if (this.#notifying) return
    this.#notifying = true
    queueMicrotask(() => {
      this.#notifying = false
      this.#emitter.emit("change")
    })
  }
}
